/** Archives of exports: who asked for one, how far it is, and until when it can be downloaded. */
import { isClaimed } from '../../infra/claims.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction, type Pool, type Queryable } from '../../infra/postgres.ts';

/** Why this module holds personal data. */
export const privacyPurpose = {
  purpose: 'give people what is held about them, and erase it',
  basis: 'law',
  seenBy: ['self'],
} as const;

export const archiveMigrations = migrations('privacy', {
  '0002_export_archives': `
    create table ops.export_archives (
      id uuid primary key,
      person_id uuid not null,
      -- removed: its bytes are being deleted, or will be
      status text not null check (status in ('waiting', 'ready', 'removed')),
      requested_at timestamptz not null,
      -- by a worker that is alive
      claimed_until timestamptz,
      entries integer not null default 0,
      entries_done integer not null default 0,
      size bigint,
      expires_at timestamptz
    );
    create index export_archives_person on ops.export_archives (person_id);
    create unique index export_archives_waiting on ops.export_archives (person_id) where status = 'waiting';
  `,
  '0003_made_by_jobs': `
    comment on column ops.export_archives.claimed_until is
      'the job that makes an archive has the claim. Written by the former release, dropped by the next one';
  `,
  personalData: {
    'ops.export_archives': {
      whose: 'person_id',
      exported: ['requested_at', 'status', 'size', 'expires_at'],
      erased: 'deleted',
      why: privacyPurpose,
      retention: { until: 'two days after it is ready, when a job deletes the archive' },
      seenBy: ['self'],
    },
  },
});

export interface Archive {
  readonly id: string;
  readonly person_id: string;
  readonly status: 'waiting' | 'ready' | 'removed';
  /** RFC 3339. */
  readonly requested_at: string;
  readonly entries: number;
  readonly entries_done: number;
  /** In bytes; null until it is ready. */
  readonly size: number | null;
  readonly expires_at: string | null;
}

const COLUMNS = 'id, person_id, status, requested_at, entries, entries_done, size::float8 as size, expires_at';

export const archiveById = async (db: Queryable, id: string): Promise<Archive | undefined> => {
  const { rows } = await db.query<Archive>(`select ${COLUMNS} from ops.export_archives where id = $1`, [id]);
  return rows[0];
};

/** The newest that was not removed. */
export const archiveOf = async (db: Queryable, person: string): Promise<Archive | undefined> => {
  const { rows } = await db.query<Archive>(
    `select ${COLUMNS} from ops.export_archives where person_id = $1 and status <> 'removed' order by requested_at desc limit 1`,
    [person],
  );
  return rows[0];
};

/** An erasure that destroys the key afterwards waits for the transaction. @returns whether there is a key */
const keepKey = async (db: Queryable, person: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    'select 1 from ops.vault_keys where person_id = $1 and wrapped_key is not null for share',
    [person],
  );
  return rowCount === 1;
};

/**
 * A new archive, or the one that is being made. Older ones are to be removed: their ids. It is decided with the erasure, on
 * the row of the person's key: the erasure finds the archive and ends it, or has begun, and there is none.
 * @returns undefined when the erasure has begun
 */
export const requestArchive = (
  pool: Pool,
  { id, person, at }: { readonly id: string; readonly person: string; readonly at: string },
): Promise<{ readonly id: string; readonly former: readonly string[] } | undefined> =>
  inTransaction(pool, async (client) => {
    if (!(await keepKey(client, person))) return undefined;
    await client.query(
      `insert into ops.export_archives (id, person_id, status, requested_at) values ($1, $2, 'waiting', $3)
       on conflict do nothing`,
      [id, person, at],
    );
    const former = await client.query<{ id: string }>(
      `update ops.export_archives set status = 'removed' where person_id = $1 and status = 'ready' returning id`,
      [person],
    );
    const { rows } = await client.query<{ id: string }>(
      `select id from ops.export_archives where person_id = $1 and status = 'waiting'`,
      [person],
    );
    return { id: rows[0]?.id ?? id, former: former.rows.map((row) => row.id) };
  });

/** Whether a process of the former release makes it, which keeps a claim beside that of its job for a minute. */
export const isMadeByFormerRelease = async (db: Queryable, id: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select 1 from ops.export_archives
     where id = $1 and status = 'waiting' and ${isClaimed('claimed_until', `interval '1 minute'`)}`,
    [id],
  );
  return rowCount === 1;
};

/** Says how far it is. @returns whether it is still wanted */
export const reportProgress = async (db: Queryable, id: string, done: number, all: number): Promise<boolean> => {
  const { rowCount } = await db.query(
    `update ops.export_archives set entries_done = $2, entries = $3 where id = $1 and status = 'waiting'`,
    [id, done, all],
  );
  return rowCount === 1;
};

/** Its bytes are stored. @returns false when it is not wanted any more */
export const archiveReady = async (
  db: Queryable,
  id: string,
  { size, expiresAt }: { readonly size: number; readonly expiresAt: string },
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `update ops.export_archives set status = 'ready', size = $2, expires_at = $3, entries_done = entries
     where id = $1 and status = 'waiting'`,
    [id, size, expiresAt],
  );
  return rowCount === 1;
};

/** From now on nobody downloads them, and what is still being made is thrown away. @returns the ids of all that there are */
export const endArchivesOf = async (db: Queryable, person: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `update ops.export_archives set status = 'removed' where person_id = $1 returning id`,
    [person],
  );
  return rows.map(({ id }) => id);
};

export const deleteArchiveRow = async (db: Queryable, id: string): Promise<void> => {
  await db.query('delete from ops.export_archives where id = $1', [id]);
};
