/** Personal data keys in a real database: one per person, and permanently gone once erased. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVault, type Vault, VaultError } from '../../eventstore/vault.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';

const masterKey = (byte: number) => Buffer.alloc(32, byte).toString('base64');

let servers: StoreServers;
let stores: Stores;
const pools: Pool[] = [];
/** A vault as in another process: only the database is shared. */
const process = (master = masterKey(7)): Vault => {
  const pool = createPool(stores.databaseUrl, { max: 4, applicationName: 'test', log: stores.log });
  pools.push(pool);
  return createVault(pool, master);
};
beforeAll(async () => {
  servers = await startStoreServers();
  stores = await servers.fresh();
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await stores.stop();
  await servers.stop();
});

describe('a person', () => {
  it('has one key, also when several processes create it at once', async () => {
    const processes = [process(), process(), process()];
    const people = Array.from({ length: 100 }, () => randomUUID());
    const keys = await Promise.all(processes.map((vault) => Promise.all(people.map((id) => vault.keyToWrite(id)))));
    const [first] = keys;
    for (const each of keys)
      expect(each.map((key) => key.toString('hex'))).toEqual(first?.map((key) => key.toString('hex')));
    expect(new Set(first?.map((key) => key.toString('hex'))).size).toBe(people.length);
    const read = await process().keysToRead(people);
    expect(people.map((id) => read.get(id))).toEqual(first);
  });

  it('has a key that is not readable in the database', async () => {
    const id = randomUUID();
    const key = await process().keyToWrite(id);
    const { rows } = await stores.pool.query<{ wrapped_key: Buffer }>(
      'select wrapped_key from ops.vault_keys where person_id = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.wrapped_key.includes(key)).toBe(false);
  });

  it('stays erased in every process', async () => {
    const id = randomUUID();
    const vault = process();
    await vault.keyToWrite(id);
    await vault.erase(id);
    await vault.erase(id);
    for (const each of [vault, process()]) {
      expect(await each.keysToRead([id])).toEqual(new Map([[id, 'erased']]));
      expect(await each.keyToWrite(id)).toBe('erased');
    }
    const { rows } = await stores.pool.query('select wrapped_key from ops.vault_keys where person_id = $1', [id]);
    expect(rows).toEqual([{ wrapped_key: null }]);
  });

  it('can be erased before or while data is written', async () => {
    const unknown = randomUUID();
    await process().erase(unknown);
    expect(await process().keyToWrite(unknown)).toBe('erased');
    const raced = Array.from({ length: 30 }, () => randomUUID());
    const [writing, erasing] = [process(), process()];
    await Promise.all(raced.flatMap((id) => [writing.keyToWrite(id), erasing.erase(id)]));
    const keys = await process().keysToRead(raced);
    expect([...keys.values()]).toEqual(raced.map(() => 'erased'));
  });

  it('without a key is missing, not an erased person', async () => {
    expect(await process().keysToRead([randomUUID()])).toEqual(new Map());
  });
});

describe('the master key', () => {
  it('must be 32 bytes', () => {
    expect(() => process('c2hvcnQ=')).toThrow('VAULT_MASTER_KEY must be 32 bytes');
  });

  it('must be the key that the keys were encrypted with', async () => {
    const id = randomUUID();
    await process().keyToWrite(id);
    const other = process(masterKey(9));
    await expect(other.keysToRead([id])).rejects.toThrow('VAULT_MASTER_KEY is not the key');
    await expect(other.keyToWrite(id)).rejects.toThrow('VAULT_MASTER_KEY is not the key');
  });

  it('binds a key to its person: a key in the row of another person is rejected', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const vault = process();
    await Promise.all([vault.keyToWrite(a), vault.keyToWrite(b)]);
    await stores.pool.query(
      'update ops.vault_keys set wrapped_key = (select wrapped_key from ops.vault_keys where person_id = $1) where person_id = $2',
      [a, b],
    );
    await expect(process().keysToRead([b])).rejects.toThrow(VaultError);
  });
});

describe('a fingerprint', () => {
  it('is the same in every process, and cannot be computed without the master key', () => {
    const [one, two, other] = [process(), process(), process(masterKey(9))];
    const print = one.fingerprint('email', 'anna@example.org');
    expect(print).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect(two.fingerprint('email', 'anna@example.org')).toBe(print);
    for (const different of [
      other.fingerprint('email', 'anna@example.org'),
      one.fingerprint('phone', 'anna@example.org'),
      one.fingerprint('email', 'anna@example.com'),
    ])
      expect(different).not.toBe(print);
  });
});
