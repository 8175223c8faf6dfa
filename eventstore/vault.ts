/**
 * Personal data keys. Each person has one random AES-256-GCM key, itself encrypted ("wrapped") by the master key from
 * configuration and kept in `ops.vault_keys`, beside the id of the master key. Destroying the key erases the person from a
 * log that stays whole.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { ERASED } from '../domain/core/schema.ts';
import { growingCache } from '../infra/growingCache.ts';
import { derivedId } from '../infra/ids.ts';
import { metrics } from '../infra/metrics.ts';
import { migrations } from '../infra/migrations.ts';
import { anyNumberOf } from '../infra/postgres.ts';
import { type MasterKey, type MasterKeys, masterKeys } from './masterKeys.ts';

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
  '0003_vault_master_keys': `
    -- of the master key that wrapped it; null for keys of release 0.1.0 until they are wrapped again
    alter table ops.vault_keys add column master_key_id text;
    create table ops.vault (name text primary key, value text not null);
  `,
  '0005_erased_people': `
    -- read models ask with each batch which of its people are erased
    create index vault_keys_erased on ops.vault_keys (person_id) where wrapped_key is null;
  `,
  personalData: {
    'ops.vault_keys': {
      nothing: 'keys; destroying one is the erasure',
      retention: { always: 'without the key, once the person is erased: that it was destroyed' },
    },
    'ops.vault': { nothing: 'names of keys' },
  },
});

/** Personal data cannot be read or written: a key is lost or wrong, or the log was tampered with. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
}

const PREFIX = 'enc:1:';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts, bound to a context. */
export const seal = (key: Buffer, plain: Buffer, context: string): Buffer => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

/** Decrypts; undefined when the data was encrypted with another key or for another context, or was altered. */
export const unseal = (key: Buffer, sealed: Buffer, context: string): Buffer | undefined => {
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

export const TAG_OF_KEY_BYTES = 4;
const tags = new WeakMap<Buffer, Buffer>();
/** Tells a key apart from the one that replaced it after it was lost. */
export const keyTag = (key: Buffer): Buffer => {
  const tag = tags.get(key) ?? createHash('sha256').update(key).digest().subarray(0, TAG_OF_KEY_BYTES);
  tags.set(key, tag);
  return tag;
};

/** Encrypts one text; `context` binds it to where it belongs. For an erased person it returns `[erased]`. */
export const encryptText = (key: PersonKey, text: string, context: string): string =>
  key === 'erased' ? ERASED : PREFIX + seal(key, Buffer.from(text), context).toString('base64');

/** Decrypts one text; `[erased]` when the key was destroyed. Throws `VaultError` when the text was altered or moved. */
export const decryptText = (key: PersonKey, text: string, context: string): string => {
  if (key === 'erased' || text === ERASED) return ERASED;
  if (!text.startsWith(PREFIX)) throw new VaultError('personal data is not encrypted');
  const plain = unseal(key, Buffer.from(text.slice(PREFIX.length), 'base64'), context);
  if (!plain) throw new VaultError('personal data was altered or moved');
  return plain.toString();
};

/** NOTIFY channel; the payload is the id of an erased person. Caches must forget what they know of them. */
export const ERASED_CHANNEL = 'person_erased';

export interface Vault {
  /**
   * Returns the person's key, and creates it on first use. Later events about an erased person are recorded without
   * personal data.
   */
  keyToWrite(personId: string): Promise<PersonKey>;
  /**
   * Returns the keys of many people at once. A key is missing when `ops` was restored from a backup that is older than
   * the log.
   * @throws VaultError for a key that another master key has wrapped
   */
  keysToRead(personIds: Iterable<string>): Promise<ReadonlyMap<string, PersonKey>>;
  /**
   * Destroys the key and tells the other processes, which otherwise notice within a minute.
   * @returns whether there was a key to destroy
   */
  erase(personId: string): Promise<boolean>;
  /** Deletes a key that was made for something else than a person, and is not needed any more. */
  discard(id: string): Promise<void>;
  /** Another process has destroyed the key. Without an id: it may have destroyed any. */
  forget(personId?: string): void;
  /** The same vault, with what it remembers, over other connections. */
  through(pool: Pool): Vault;
  /** A keyed one-way hash as a UUID, to find a value (e-mail, phone) again without storing it. */
  fingerprint(kind: string, value: string): string;
}

interface WrappedKey {
  readonly person_id: string;
  readonly wrapped_key: Buffer | null;
  readonly master_key_id: string | null;
}

/** Unwraps a key with the master key that it names, or with any where it names none. Undefined: it was altered. */
export const unwrap = (
  masters: readonly MasterKey[],
  { person_id, wrapped_key, master_key_id }: WrappedKey,
): PersonKey | undefined => {
  if (wrapped_key === null) return 'erased';
  const named = masters.filter(({ id }) => master_key_id === null || id === master_key_id);
  for (const { key } of named) {
    const unwrapped = unseal(key, wrapped_key, person_id);
    if (unwrapped) return unwrapped;
  }
  if (master_key_id === null || named.length === 0)
    throw new VaultError('VAULT_MASTER_KEY is not the key that the personal data keys were encrypted with');
  return undefined;
};

/**
 * @param keys as configured; a text is the master key alone. Losing the master key loses all personal data: it is backed up
 * apart from the database.
 */
export const createVault = (pool: Pool, keys: MasterKeys | string): Vault => {
  const { current, all, fingerprint } = masterKeys(typeof keys === 'string' ? { master: keys } : keys);
  const emptyCache = () => growingCache<PersonKey>(20_000, 60_000);
  let cache = emptyCache();

  const open = (pool: Pool): Vault => {
    /** Without those that have no row, or a row that was altered. */
    const findKeys = async (personIds: ReadonlySet<string> | readonly string[]): Promise<Map<string, PersonKey>> => {
      const keys = new Map<string, PersonKey>();
      const uncached: string[] = [];
      const known = cache; // what was read before the cache is emptied does not fill the new one
      for (const id of personIds) {
        const cached = known.get(id);
        if (cached === undefined) uncached.push(id);
        else keys.set(id, cached);
      }
      if (uncached.length === 0) return keys;
      const { rows } = await pool.query<WrappedKey>(
        `select person_id, wrapped_key, master_key_id from ops.vault_keys where person_id = any(${anyNumberOf('$1', 'uuid')})`,
        [uncached],
      );
      for (const row of rows) {
        const key = unwrap(all, row);
        if (key === undefined) metrics.personalKeysDamaged.inc();
        if (key === undefined) continue;
        // The key may have been erased since it was read.
        const isErased = cache.get(row.person_id) === 'erased';
        if (!isErased) known.set(row.person_id, key);
        keys.set(row.person_id, isErased ? 'erased' : key);
      }
      return keys;
    };

    const keysToRead = (personIds: Iterable<string>): Promise<ReadonlyMap<string, PersonKey>> =>
      findKeys(new Set(personIds));

    return {
      keysToRead,
      async keyToWrite(personId) {
        const known = (await findKeys([personId])).get(personId);
        if (known !== undefined) return known;
        await pool.query(
          `insert into ops.vault_keys (person_id, wrapped_key, master_key_id) values ($1, $2, $3)
         on conflict (person_id) do nothing`,
          [personId, seal(current.key, randomBytes(32), personId), current.id],
        );
        const made = (await keysToRead([personId])).get(personId);
        if (made === undefined)
          throw new VaultError('the personal data key of this person was altered: restore its row');
        return made;
      },
      async erase(personId) {
        const { rows } = await pool.query<{ had_key: boolean }>(
          `with before as (
           select from ops.vault_keys where person_id = $1 and wrapped_key is not null
         ), erased as (
           insert into ops.vault_keys (person_id, wrapped_key, erased_at) values ($1, null, now())
           on conflict (person_id) do update
             set wrapped_key = null, master_key_id = null, erased_at = coalesce(ops.vault_keys.erased_at, now())
           returning person_id)
         select pg_notify('${ERASED_CHANNEL}', person_id::text), exists (select from before) as had_key from erased`,
          [personId],
        );
        cache.set(personId, 'erased');
        return rows[0]?.had_key ?? false;
      },
      async discard(id) {
        await pool.query('delete from ops.vault_keys where person_id = $1', [id]);
        cache.delete(id);
      },
      forget: (personId) => {
        if (personId === undefined) cache = emptyCache();
        else cache.set(personId, 'erased');
      },
      through: open,
      fingerprint: (kind, value) =>
        derivedId(createHmac('sha256', fingerprint.key).update(`${kind}\u0000${value}`).digest('hex')),
    };
  };
  return open(pool);
};

/**
 * The beginning and a condition of an insert about a person whose erasure may run beside it: the erasure comes either before,
 * and nothing is inserted, or after, and deletes it.
 * @param person the parameter with the person's id: `$1`
 */
export const unlessErased = (person: string): { readonly begin: string; readonly condition: string } => ({
  begin: `with key as materialized
    (select wrapped_key is null as is_gone from ops.vault_keys where person_id = ${person} for share)`,
  condition: 'not exists (select from key where is_gone)',
});
