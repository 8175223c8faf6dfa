/** Personal data keys in a real database: one per person, and permanently gone once erased. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertMasterKeys, rewrapKeys } from '../../eventstore/keyRotation.ts';
import type { MasterKeys } from '../../eventstore/masterKeys.ts';
import { createVault, type Vault, VaultError } from '../../eventstore/vault.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

const masterKey = (byte: number) => Buffer.alloc(32, byte).toString('base64');

let stores: Stores;
const pools: Pool[] = [];
/** A vault as in another process: only the database is shared. */
const process = (master = masterKey(7)): Vault => {
  const pool = createPool(stores.databaseUrl, { max: 4, applicationName: 'test', log: stores.log });
  pools.push(pool);
  return createVault(pool, master);
};
beforeAll(async () => {
  stores = await freshStores();
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
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

  it('stays erased when another process erases while the key is being read', async () => {
    const id = randomUUID();
    await process().keyToWrite(id);
    const pool = createPool(stores.databaseUrl, { max: 1, applicationName: 'test', log: stores.log });
    pools.push(pool);
    const vault = createVault(pool, masterKey(7));
    const reading = vault.keysToRead([id]);
    vault.forget(id); // heard from the other process before the answer of the database
    expect(await reading).toEqual(new Map([[id, 'erased']]));
    expect(await vault.keysToRead([id])).toEqual(new Map([[id, 'erased']]));
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
    expect(await process().keysToRead([b])).toEqual(new Map());
    await expect(process().keyToWrite(b)).rejects.toThrow(VaultError);
  });

  it('is rotated: the former one still decrypts until every key is encrypted again', async () => {
    const fresh = await freshStores();
    const [old, next] = [masterKey(21), masterKey(22)];
    const vault = (keys: MasterKeys | string) => createVault(fresh.pool, keys);
    const people = Array.from({ length: 3 }, () => randomUUID());
    const [first = '', second = '', erased = ''] = people;
    const before = await Promise.all(people.map((id) => vault(old).keyToWrite(id)));
    await vault(old).erase(erased);
    await fresh.pool.query('update ops.vault_keys set master_key_id = null where person_id = $1', [first]); // as 0.1.0
    const rotating = { master: next, previous: old, fingerprint: old };
    expect((await vault(rotating).keysToRead(people)).get(second)).toEqual(before[1]);
    expect(await rewrapKeys(fresh.pool, rotating)).toEqual({ rewrapped: 2, damaged: [] });
    expect(await rewrapKeys(fresh.pool, rotating)).toEqual({ rewrapped: 0, damaged: [] });
    const after = await vault({ master: next, fingerprint: old }).keysToRead(people);
    expect(people.map((id) => after.get(id))).toEqual([before[0], before[1], 'erased']);
    await expect(vault(old).keysToRead([first])).rejects.toThrow('VAULT_MASTER_KEY is not the key');
    expect(vault(rotating).fingerprint('email', 'a@b.c')).toBe(vault(old).fingerprint('email', 'a@b.c'));
    await fresh.stop();
  });

  it('is compared with the database at the start, and so is the fingerprint key', async () => {
    const { pool, stop } = await freshStores();
    const [old, next] = [masterKey(23), masterKey(24)];
    await assertMasterKeys(pool, { master: old });
    await createVault(pool, old).keyToWrite(randomUUID());
    const rotated = { master: next, fingerprint: old };
    await expect(assertMasterKeys(pool, { master: next })).rejects.toThrow('set VAULT_FINGERPRINT_KEY');
    await expect(assertMasterKeys(pool, rotated)).rejects.toThrow('set VAULT_MASTER_KEY to it');
    await assertMasterKeys(pool, { ...rotated, previous: old });
    await rewrapKeys(pool, { ...rotated, previous: old });
    await assertMasterKeys(pool, rotated);
    await pool.query('update ops.vault_keys set master_key_id = null');
    await expect(assertMasterKeys(pool, { master: old })).rejects.toThrow('set VAULT_MASTER_KEY to it');
    await stop();
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
