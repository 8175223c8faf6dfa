/** Rotating the master key: are the configured keys those of the database, and wrapping every key again. */
import { NIL_ID } from '../infra/ids.ts';
import { IncompatibleData } from '../infra/incompatible.ts';
import type { Pool } from '../infra/postgres.ts';
import { type MasterKeys, masterKeys } from './masterKeys.ts';
import { seal, unwrap } from './vault.ts';

interface Row {
  readonly person_id: string;
  readonly wrapped_key: Buffer;
  readonly master_key_id: string | null;
}

const WRONG_MASTER =
  'The personal data keys of this database are encrypted with another master key: set VAULT_MASTER_KEY to it, or VAULT_MASTER_KEY_PREVIOUS until npm run vault -- rewrap has encrypted all of them again.';
const WRONG_FINGERPRINT =
  'E-mail addresses and phone numbers of this database are found by another fingerprint key: set VAULT_FINGERPRINT_KEY to it; before it was set for the first time, the VAULT_MASTER_KEY of that time was used.';

/**
 * Checks that the configured keys are those of this database, and remembers the fingerprint key the first time.
 * @throws IncompatibleData when they are not
 */
export const assertMasterKeys = async (pool: Pool, keys: MasterKeys): Promise<void> => {
  const { fingerprint } = masterKeys(keys);
  await pool.query(
    `insert into ops.vault (name, value) values ('fingerprint_key_id', $1) on conflict (name) do nothing`,
    [fingerprint.id],
  );
  await compareMasterKeys(pool, keys);
};

/** Changes nothing. @throws IncompatibleData when the configured keys are not those of this database */
export const compareMasterKeys = async (pool: Pick<Pool, 'query'>, keys: MasterKeys): Promise<void> => {
  const { all, fingerprint } = masterKeys(keys);
  const { rows } = await pool.query<{ value: string }>(`select value from ops.vault where name = 'fingerprint_key_id'`);
  if (rows.some(({ value }) => value !== fingerprint.id)) throw new IncompatibleData(WRONG_FINGERPRINT);
  const other = await pool.query('select 1 from ops.vault_keys where master_key_id <> all($1) limit 1', [
    all.map(({ id }) => id),
  ]);
  if (other.rowCount !== 0) throw new IncompatibleData(WRONG_MASTER);
  const unnamed = await pool.query<Row>(
    'select person_id, wrapped_key, master_key_id from ops.vault_keys where master_key_id is null and wrapped_key is not null limit 1',
  );
  try {
    for (const row of unnamed.rows) unwrap(all, row);
  } catch {
    throw new IncompatibleData(WRONG_MASTER);
  }
};

export interface Rewrapped {
  /** The number of keys that the current master key wraps now. */
  readonly rewrapped: number;
  /** People whose key was altered and cannot be unwrapped. */
  readonly damaged: readonly string[];
}

const PAGE = 500;

/**
 * Wraps all keys with the current master key. Safe to interrupt and to repeat while the system runs.
 * @throws VaultError when a key was wrapped by neither master key
 */
export const rewrapKeys = async (
  pool: Pool,
  keys: MasterKeys,
  onProgress: (rewrapped: number) => void = () => undefined,
): Promise<Rewrapped> => {
  const { current, all } = masterKeys(keys);
  const damaged: string[] = [];
  let rewrapped = 0;
  for (let after = NIL_ID; ; ) {
    const { rows } = await pool.query<Row>(
      `select person_id, wrapped_key, master_key_id from ops.vault_keys
       where wrapped_key is not null and master_key_id is distinct from $1 and person_id > $2 order by person_id limit ${PAGE}`,
      [current.id, after],
    );
    for (const row of rows) {
      const key = unwrap(all, row);
      if (key === undefined || key === 'erased') damaged.push(row.person_id);
      else rewrapped += await replaceKey(pool, row, seal(current.key, key, row.person_id), current.id);
    }
    onProgress(rewrapped);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return { rewrapped, damaged };
    after = last.person_id;
  }
};

/** Unless the person was erased meanwhile. */
const replaceKey = async (
  pool: Pool,
  { person_id, wrapped_key }: Row,
  wrapped: Buffer,
  id: string,
): Promise<number> => {
  const { rowCount } = await pool.query(
    'update ops.vault_keys set wrapped_key = $3, master_key_id = $4 where person_id = $1 and wrapped_key = $2',
    [person_id, wrapped_key, wrapped, id],
  );
  return rowCount ?? 0;
};

/** The number of keys that each master key wraps; null: a key of release 0.1.0, which does not name it. */
export const keysByMaster = async (pool: Pool): Promise<readonly { master_key_id: string | null; keys: number }[]> => {
  const { rows } = await pool.query<{ master_key_id: string | null; keys: number }>(
    `select master_key_id, count(*) as keys from ops.vault_keys where wrapped_key is not null group by 1 order by 1`,
  );
  return rows;
};
