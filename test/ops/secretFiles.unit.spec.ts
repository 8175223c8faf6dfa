/** Secrets as files, and passwords apart from addresses. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig, secretSettings } from '../../ops/config.ts';
import { takeSecretFiles } from '../../ops/secretFiles.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'resort-secrets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const written = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};

describe('a secret as a file', () => {
  test('is read for every setting that is secret, without the line end of an editor', async () => {
    const file = await written('any', 'esdb://of-the-file:2113?tls=true\r\n');
    for (const name of secretSettings()) {
      const env: NodeJS.ProcessEnv = { [`${name}_FILE`]: file };
      const { ESDB_PASSWORD_FILE, DATABASE_PASSWORD_FILE } = env;
      if (ESDB_PASSWORD_FILE || DATABASE_PASSWORD_FILE) continue;
      expect(takeSecretFiles(env)).toEqual([]);
      expect(env).toEqual({ [name]: 'esdb://of-the-file:2113?tls=true' });
    }
  });

  test('is refused in one line that names the setting, the file and the reason, with all others', async () => {
    const empty = await written('empty', ' \n');
    const kept = await written('kept', 'a-secret-that-nobody-guesses-0123456789');
    await chmod(kept, 0o000);
    const missing = path.join(folder, 'missing');
    const env: NodeJS.ProcessEnv = {
      JWT_SECRET_FILE: missing,
      SMS_PEPPER_FILE: empty,
      PASS_SECRET: 'x',
      PASS_SECRET_FILE: kept,
      PORT_FILE: kept,
      ADMIN_TOKEN_FILE: '',
    };
    const problems = takeSecretFiles(env);
    expect(problems.toSorted()).toEqual([
      `JWT_SECRET_FILE: ${missing} is not there`,
      'PASS_SECRET and PASS_SECRET_FILE are both set: remove one of them',
      'PORT_FILE is no setting: only secrets are read from files',
      `SMS_PEPPER_FILE: ${empty} is empty`,
    ]);
    expect(env).toEqual({ PASS_SECRET: 'x' });
    expect(() => readConfig({ ...env, PORT: 'x' }, problems)).toThrow(/JWT_SECRET_FILE.*\nPORT must be integer/s);
  });

  test.skipIf(process.getuid?.() === 0)('that may not be read says who has tried (skipped for root)', async () => {
    const file = await written('closed', 'text');
    await chmod(file, 0o000);
    expect(takeSecretFiles({ JWT_SECRET_FILE: file })[0]).toMatch(/may not be read by this process \(.+, uid \d+\)/);
  });
});

describe('a password apart from its address', () => {
  test('is put into it, whatever characters it has', async () => {
    const file = await written('password', "p@ss/w:rd?#%'\n");
    const env: NodeJS.ProcessEnv = {
      DATABASE_URL: 'postgresql://resort@db:5432/resort?sslmode=verify-full',
      DATABASE_PASSWORD_FILE: file,
      ESDB_CONNECTION_STRING: 'esdb://resort@a:2113,b:2113?tls=true',
      ESDB_PASSWORD: 'example:of/it',
    };
    expect(takeSecretFiles(env)).toEqual([]);
    const { DATABASE_URL, ESDB_CONNECTION_STRING } = readConfig(env);
    expect(decodeURIComponent(new URL(DATABASE_URL ?? '').password)).toBe("p@ss/w:rd?#%'");
    expect(ESDB_CONNECTION_STRING).toBe('esdb://resort:example%3Aof%2Fit@a:2113,b:2113?tls=true');
    expect(Object.keys(env).toSorted()).toEqual(['DATABASE_URL', 'ESDB_CONNECTION_STRING']);
  });

  test.each([undefined, 'postgresql://db/resort', 'postgresql://resort:other@db/resort'])(
    'is refused for the address %s',
    (DATABASE_URL) => {
      const env: NodeJS.ProcessEnv = { DATABASE_PASSWORD: 'not to be shown', ...(DATABASE_URL && { DATABASE_URL }) };
      expect(takeSecretFiles(env)).toEqual([
        'DATABASE_PASSWORD is set, so DATABASE_URL must name a user and no password, as in postgresql://resort@host/database',
      ]);
    },
  );
});
