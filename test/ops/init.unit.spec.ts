/** `resort init`: a file with which production starts once the rest is filled in. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { initCommand } from '../../ops/cli/init.ts';
import { chosenSecrets, readConfig } from '../../ops/config.ts';
import { PRODUCTION } from './production.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'resort-init-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const init = (file: string) => initCommand().parseAsync(['--file', file], { from: 'user' });

test('writes fresh secrets that production accepts, for the owner only', async () => {
  const files = ['one', 'two'].map((name) => path.join(folder, name));
  for (const file of files) await init(file);
  const [one = {}, two = {}] = await Promise.all(files.map(async (file) => parseEnv(await readFile(file, 'utf8'))));
  expect((await stat(files[0] as string)).mode & 0o777).toBe(0o600);
  const secrets = (settings: NodeJS.Dict<string>) => chosenSecrets().map((name) => settings[name]);
  expect(chosenSecrets()).toEqual(expect.arrayContaining(['JWT_SECRET', 'VAULT_MASTER_KEY', 'VAULT_FINGERPRINT_KEY']));
  expect(new Set([...secrets(one), ...secrets(two)]).size).toBe(2 * chosenSecrets().length);
  const filledIn = Object.fromEntries(
    Object.entries({ ...PRODUCTION, ...one }).map(([name, value]) => [
      name,
      value || PRODUCTION[name as keyof typeof PRODUCTION],
    ]),
  );
  expect(readConfig(filledIn)).toMatchObject({ NODE_ENV: 'production', JWT_SECRET: one.JWT_SECRET });
});

test('leaves a file that exists as it is', async () => {
  const file = path.join(folder, 'kept');
  await writeFile(file, 'mine');
  await expect(init(file)).rejects.toThrow(/exists already.*--file/);
  expect(await readFile(file, 'utf8')).toBe('mine');
});
