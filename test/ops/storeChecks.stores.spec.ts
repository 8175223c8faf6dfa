/** What `resort check` says of PostgreSQL and of the keys of the vault. */
import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { assertMasterKeys } from '../../eventstore/keyRotation.ts';
import { createLogger } from '../../infra/log.ts';
import { parts } from '../../ops/checks/parts.ts';
import { tryParts } from '../../ops/checks/watch.ts';
import { readConfig } from '../../ops/config.ts';
import { freshStores, MASTER_KEY, type Stores } from '../kit/stores.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
  await assertMasterKeys(stores.pool, { master: MASTER_KEY });
});

const said = async (name: string, env: NodeJS.ProcessEnv): Promise<string[]> => {
  const check = parts.find((one) => one.name === name);
  if (!check) throw new Error(`there is no check ${name}`);
  const config = readConfig({ VAULT_MASTER_KEY: MASTER_KEY, DATABASE_URL: stores.databaseUrl, ...env });
  const tried = await tryParts(check, config, createLogger({ level: 'silent' }));
  expect(tried).toHaveLength(1);
  return tried.flatMap(({ line }) => line ?? []);
};

it('a wrong password, and a database that does not exist', async () => {
  const change = (part: 'password' | 'pathname', value: string): string => {
    const url = new URL(stores.databaseUrl);
    url[part] = value;
    return url.href;
  };
  const [password] = await said('database', { DATABASE_URL: change('password', 'another') });
  expect(password).toMatch(/^PostgreSQL cannot be used: it refuses our user or password \(28P01.*DATABASE_PASSWORD/);
  const [name] = await said('database', { DATABASE_URL: change('pathname', '/of_nobody') });
  expect(name).toMatch(/^PostgreSQL cannot be used: it has no database of this name \(3D000/);
  expect(await said('database', {})).toEqual([]);
});

it('keys of another vault; a database that is away is not told twice', async () => {
  expect(await said('vault_keys', {})).toEqual([]);
  const [line] = await said('vault_keys', { VAULT_MASTER_KEY: randomBytes(32).toString('base64') });
  expect(line).toMatch(/^the vault cannot be used: E-mail addresses .* set VAULT_FINGERPRINT_KEY to it/);
  expect(await said('vault_keys', { DATABASE_URL: 'postgresql://nobody@127.0.0.1:2/none' })).toEqual([]);
});
