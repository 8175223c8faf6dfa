/**
 * Personal data keys. Each person has one random AES-256-GCM key, itself encrypted ("wrapped") by the master key from
 * configuration and kept in `ops.vault_keys`. Destroying the key erases the person from a log that stays whole.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ERASED } from '../domain/core/schema.ts';
import { derivedId } from '../infra/ids.ts';
import { migrations } from '../infra/migrations.ts';
import type { Queryable } from '../infra/postgres.ts';

export const vaultMigrations = migrations('eventstore', {
  '0001_vault_keys': `
    create table ops.vault_keys (
      person_id uuid primary key,
      wrapped_key bytea,
      created_at timestamptz not null default now(),
      erased_at timestamptz,
      check ((wrapped_key is null) = (erased_at is not null))
    );
  `,
});

/** Personal data cannot be read or written: a key is lost or wrong, or the log was tampered with. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
}

const PREFIX = 'enc:1:';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const seal = (key: Buffer, plain: Buffer, context: string): Buffer => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

/** Decrypts; undefined when the data was encrypted with another key or for another context, or was altered. */
const open = (key: Buffer, sealed: Buffer, context: string): Buffer | undefined => {
  if (sealed.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined; // `final` throws only for a tag that does not match
  }
};

/** A person's key, or `erased` once it was destroyed. */
export type PersonKey = Buffer | 'erased';

/** Encrypts one text; `context` (the event's id) binds it to its event. For an erased person it returns `[erased]`. */
export const encryptText = (key: PersonKey, text: string, context: string): string =>
  key === 'erased' ? ERASED : PREFIX + seal(key, Buffer.from(text), context).toString('base64');

/** Decrypts one text; `[erased]` when the key was destroyed. Throws `VaultError` when the text was altered or moved. */
export const decryptText = (key: PersonKey, text: string, context: string): string => {
  if (key === 'erased' || text === ERASED) return ERASED;
  if (!text.startsWith(PREFIX)) throw new VaultError('personal data is not encrypted');
  const plain = open(key, Buffer.from(text.slice(PREFIX.length), 'base64'), context);
  if (!plain) throw new VaultError('personal data was altered or moved to another event');
  return plain.toString();
};

export interface Vault {
  /**
   * Returns the person's key, and creates it on first use. Later events about an erased person are recorded without
   * personal data.
   */
  keyToWrite(personId: string): Promise<PersonKey>;
  /**
   * Returns the keys of many people at once.
   * @throws VaultError when there is no row for a key: then the `ops` schema does not belong to this log
   */
  keysToRead(personIds: Iterable<string>): Promise<ReadonlyMap<string, PersonKey>>;
  /** Destroys the key; other processes notice within a minute. */
  erase(personId: string): Promise<void>;
  /** A keyed one-way hash as a UUID, to find a value (e-mail, phone) again without storing it. */
  fingerprint(kind: string, value: string): string;
}

/** @param masterKey 32 bytes, base64. Losing it loses all personal data; it is backed up apart from the database. */
export const createVault = (pool: Queryable, masterKey: string): Vault => {
  const master = Buffer.from(masterKey, 'base64');
  if (master.length !== 32) throw new Error('VAULT_MASTER_KEY must be 32 bytes in base64');
  const cache = new LRUCache<string, PersonKey>({ max: 20_000, ttl: 60_000 });

  const remember = (personId: string, wrapped: Buffer | null): PersonKey => {
    const key = wrapped === null ? 'erased' : open(master, wrapped, personId);
    if (!key) throw new VaultError('VAULT_MASTER_KEY is not the key that the personal data keys were encrypted with');
    cache.set(personId, key);
    return key;
  };

  /** Without those that have no row. */
  const findKeys = async (personIds: ReadonlySet<string> | readonly string[]): Promise<Map<string, PersonKey>> => {
    const keys = new Map<string, PersonKey>();
    const uncached: string[] = [];
    for (const id of personIds) {
      const cached = cache.get(id);
      if (cached === undefined) uncached.push(id);
      else keys.set(id, cached);
    }
    if (uncached.length === 0) return keys;
    const { rows } = await pool.query<{ person_id: string; wrapped_key: Buffer | null }>(
      'select person_id, wrapped_key from ops.vault_keys where person_id = any($1)',
      [uncached],
    );
    for (const row of rows) keys.set(row.person_id, remember(row.person_id, row.wrapped_key));
    return keys;
  };

  const keysToRead = async (personIds: Iterable<string>): Promise<ReadonlyMap<string, PersonKey>> => {
    const ids = new Set(personIds);
    const keys = await findKeys(ids);
    const lost = ids.size - keys.size;
    if (lost > 0)
      throw new VaultError(
        `the personal data keys of ${lost} people are missing: was ops.vault_keys restored from the backup?`,
      );
    return keys;
  };

  return {
    keysToRead,
    async keyToWrite(personId) {
      const known = (await findKeys([personId])).get(personId);
      if (known !== undefined) return known;
      await pool.query(
        'insert into ops.vault_keys (person_id, wrapped_key) values ($1, $2) on conflict (person_id) do nothing',
        [personId, seal(master, randomBytes(32), personId)],
      );
      return (await keysToRead([personId])).get(personId) ?? 'erased';
    },
    async erase(personId) {
      await pool.query(
        `insert into ops.vault_keys (person_id, wrapped_key, erased_at) values ($1, null, now())
         on conflict (person_id) do update set wrapped_key = null, erased_at = coalesce(ops.vault_keys.erased_at, now())`,
        [personId],
      );
      cache.set(personId, 'erased');
    },
    fingerprint: (kind, value) => derivedId(createHmac('sha256', master).update(`${kind}\u0000${value}`).digest('hex')),
  };
};
