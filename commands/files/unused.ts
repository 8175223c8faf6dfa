/**
 * The bytes that an account has here, and the job that deletes what is not used. Both are written before the first byte
 * arrives, so that a crash at any point leaves nothing behind for longer than a day.
 */

import { type Recorded, streamName } from '../../domain/core/decider.ts';
import { addMs, DAY_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { EVIDENCE_DAYS } from '../../domain/files/evidence.ts';
import { file, isThere, type StoredFile, type Usage } from '../../domain/files/file.ts';
import { filesPurpose } from '../../domain/files/index.ts';
import type { EventOf } from '../../domain/modules.ts';
import { derivedId } from '../../infra/ids.ts';
import { migrations } from '../../infra/migrations.ts';
import type { ExternalPersonalData, Retention } from '../../infra/personalData.ts';
import { inTransaction, type Queryable } from '../../infra/postgres.ts';
import type { JobSink } from '../core/jobChanges.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import type { FileDeps } from './deps.ts';
import { removeBytes } from './fileStore.ts';

/** How long files are kept. */
const untilDeleted: Retention = {
  until: `the file is deleted: with what shows it, ${EVIDENCE_DAYS} days after that if a report of it was open then, or a day after the upload if nothing does`,
};

export const storedFiles: ExternalPersonalData = {
  what: 'uploaded files and their thumbnails: the folder `files`, or the bucket',
  where: 'files',
  why: filesPurpose,
  retention: untilDeleted,
  seenBy: [...filesPurpose.seenBy, 'admins'],
  exported:
    'listed in the section `files`, each with its operation to download it; the archive has them, also those that only admins still see',
  erased:
    'nobody can read them at once; the bytes are deleted with all versions that a bucket keeps of them, as soon as the file store answers; those that a listing of somebody else, a post or a story of the resort shows stay; those that others have uploaded for a listing or room of the person are deleted soon after',
};

export const fileMigrations = migrations('files', {
  '0001_files': `
    create table ops.files (
      id uuid primary key,
      owner_id uuid not null,
      -- in bytes; the most that may come, until the upload has ended
      size bigint not null,
      started_at timestamptz not null,
      is_used boolean not null default false
    );
    create index files_owner on ops.files (owner_id);
  `,
  personalData: {
    'ops.files': {
      whose: 'owner_id',
      exported: ['id', 'size', 'started_at'],
      erased: 'deleted',
      why: filesPurpose,
      retention: untilDeleted,
      seenBy: ['self'],
    },
  },
});

const aDayAfter = (at: string): string => addMs(at, DAY_MS);

/** Deletes the bytes of a file and forgets that they were there. Safe to repeat. @throws FileStoreAway */
export const forgetFile = async (deps: Pick<FileDeps, 'fileStore' | 'pool' | 'jobs'>, id: string): Promise<void> => {
  await removeBytes(deps.fileStore, id);
  await unusedFile.cancel(deps.jobs, id);
  await deps.pool.query('delete from ops.files where id = $1', [id]);
};

/** When the newest event of a file was recorded, RFC 3339. */
const changedAt = async ({ store, codec }: FileDeps, id: string): Promise<string> => {
  const newest = await store.read(streamName(file.category, id), { direction: 'backwards', max: 1 });
  const [event] = await codec.decodeWithoutAddress(newest);
  if (!event) throw new Error('the stream of a file that exists is empty');
  return event.at;
};

/**
 * A file that was attached, and whose usage may never have been recorded because the process died in between. No request
 * lasts a day: what was not recorded by then is only recorded by a new attempt, which attaches the file again.
 */
const removeAbandoned = async (
  { deps, context }: PolicyContext<FileDeps>,
  id: string,
  { usage, attached }: Pick<StoredFile, 'attached'> & { readonly usage: Usage },
): Promise<{ readonly againAt: string } | undefined> => {
  const attachedAt = await changedAt(deps, id);
  const dueAt = aDayAfter(attachedAt);
  if (context.at < dueAt) return { againAt: dueAt };
  const use = deps.fileUses[usage.kind];
  if (!use) throw new Error(`no module says whether files are used by a ${usage.kind}`);
  if (!(await use.isUsed(deps, { ...usage, fileId: id, attachedAt })))
    await deps.aggregates.handle(file, id, { type: 'RemoveAbandoned', attached }, context);
  return undefined;
};

/** A day after the upload began, after the file was attached, or after what was to use it did not come about. */
export const unusedFile = defineJob<object, FileDeps>('unused_file', async ({ id }, ctx) => {
  const { deps, context } = ctx;
  const { state } = await deps.aggregates.load(file, id);
  if (state.status === 'none') await forgetFile(deps, id);
  else if (state.status === 'stored' && state.usage) return removeAbandoned(ctx, id, { ...state, usage: state.usage });
  else await deps.aggregates.handle(file, id, { type: 'RemoveUnused' }, context);
  return undefined;
});

/** Deletes the file a day after `at`, unless it is used then. */
export const deleteIfUnused = (
  jobs: JobSink,
  id: string,
  { correlationId, at }: { correlationId: string; at: string },
) => unusedFile.schedule(jobs, { correlationId }, { id, dueAt: aDayAfter(at), data: {} });

/** A store that did not answer may still store what it was sent: by then it has, or never will. */
const SOON_MS = 10 * MINUTE_MS;

/** Deletes the file of an upload that has failed, some minutes later. */
export const deleteSoon = (jobs: JobSink, id: string, { correlationId, at }: { correlationId: string; at: string }) =>
  unusedFile.schedule(jobs, { correlationId }, { id, dueAt: addMs(at, SOON_MS), data: {} });

export interface Reservation {
  readonly id: string;
  readonly ownerId: string;
  /** The most that may come. */
  readonly bytes: number;
  readonly at: string;
}

/** Reserves room for an upload. @returns whether there was room: all unused files of the owner may have `most` bytes */
export const reserve = ({ pool }: Pick<FileDeps, 'pool'>, { id, ownerId, bytes, at }: Reservation, most: number) =>
  inTransaction(pool, async (client) => {
    // Uploads of one account take their turns, so that they do not all find the same room.
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [derivedId('files of', ownerId)]);
    const { rowCount } = await client.query(
      `insert into ops.files (id, owner_id, size, started_at)
       select $1::uuid, $2::uuid, $3::bigint, $4::timestamptz
       where $3::bigint + (select coalesce(sum(size), 0) from ops.files where owner_id = $2::uuid and not is_used) <= $5::bigint`,
      [id, ownerId, bytes, at, most],
    );
    return rowCount === 1;
  });

/**
 * Writes what the upload has written before its event, if it is gone: after a restore, the log is newer than the tables.
 * @returns whether it was gone
 */
export const restoreRow = async (
  { aggregates, pool, jobs }: Pick<FileDeps, 'aggregates' | 'pool' | 'jobs'>,
  { streamId: id, at, meta, data: { ownerId, size } }: Recorded<EventOf<'FileUploaded'>>,
): Promise<boolean> => {
  const there = await pool.query('select 1 from ops.files where id = $1', [id]);
  if (there.rowCount !== 0) return false;
  const { state } = await aggregates.load(file, id);
  if (!isThere(state)) return false;
  await pool.query(
    `insert into ops.files (id, owner_id, size, started_at, is_used) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [id, ownerId, size, at, state.usage !== null],
  );
  await unusedFile.scheduleOnce(jobs, meta, { id, dueAt: aDayAfter(at), data: {} });
  return true;
};

/** Forgets which files an erased account had: some stay, because they show something of others. */
export const forgetRows = async (pool: Queryable, ownerId: string): Promise<void> => {
  await pool.query('delete from ops.files where owner_id = $1', [ownerId]);
};

/** What the upload has come to. */
export const setSize = async (pool: Queryable, id: string, size: number): Promise<void> => {
  await pool.query('update ops.files set size = $2 where id = $1', [id, size]);
};

export const setUsed = async (pool: Queryable, id: string, isUsed: boolean): Promise<void> => {
  await pool.query('update ops.files set is_used = $2 where id = $1', [id, isUsed]);
};

/** The ids of all files that an account has here. */
export const filesOf = async (pool: Queryable, ownerId: string): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>('select id from ops.files where owner_id = $1', [ownerId]);
  return rows.map(({ id }) => id);
};
