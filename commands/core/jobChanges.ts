/**
 * Changes to the table of jobs. One change is written at once; those of a batch of events are collected and written
 * together.
 */
import type { Queryable } from '../../infra/postgres.ts';

/** NOTIFY channel: a job was set. The payload says in how many milliseconds it is due; empty: now. */
export const JOBS_CHANNEL = 'jobs';
/** The table is read at least this often, because a notification may get lost. */
export const IDLE_MS = 30_000;
/** Only a job that is due before the table is read anyway is notified. */
const SOON = `interval '${IDLE_MS + 5_000} milliseconds'`;

interface Key {
  readonly kind: string;
  readonly id: string;
}
interface Setting extends Key {
  readonly how: 'set' | 'set once';
  readonly dueAt: string;
  /** JSON. */
  readonly data: string;
  readonly correlationId: string;
}
export type JobChange = Setting | (Key & { readonly how: 'run now' | 'cancel' });

/** Where changes go: to the table at once, or to what collects them. */
export type JobSink = Queryable | { add(change: JobChange): void };

/** What tells jobs apart. */
export const keyOf = ({ kind, id }: Key): string => `${kind} ${id}`;

/** No two changes may be of the same job: PostgreSQL changes a row once in a statement. */
const write = async (db: Queryable, changes: readonly JobChange[]): Promise<void> => {
  // In one order everywhere, so that statements that change the same jobs wait for each other and never deadlock.
  const sorted = changes.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const settings = sorted.map((change) => ('dueAt' in change ? change : undefined));
  await db.query(
    `with change as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::jsonb[], $6::text[])
         as change (how, kind, id, due_at, data, correlation_id)
     ), cancelled as (
       delete from ops.jobs as job using change
       where change.how = 'cancel' and job.kind = change.kind and job.id = change.id
     ), moved as (
       insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id)
       select kind, id, due_at, due_at, data, correlation_id from change where how = 'set'
       on conflict (kind, id) do update set due_at = excluded.due_at, run_at = excluded.due_at, data = excluded.data,
         correlation_id = excluded.correlation_id, attempts = 0, last_error = null
       returning run_at
     ), added as (
       insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id)
       select kind, id, due_at, due_at, data, correlation_id from change where how = 'set once'
       on conflict (kind, id) do nothing
       returning run_at
     ), hurried as (
       update ops.jobs as job set run_at = now(), due_at = least(job.due_at, now()) from change
       where change.how = 'run now' and job.kind = change.kind and job.id = change.id and job.run_at > now()
       returning job.run_at
     )
     select pg_notify('${JOBS_CHANNEL}', ceil(greatest(0, extract(epoch from min(run_at) - now())) * 1000)::text)
     from (select run_at from moved union all select run_at from added union all select run_at from hurried) as due
     having min(run_at) < now() + ${SOON}`,
    [
      sorted.map(({ how }) => how),
      sorted.map(({ kind }) => kind),
      sorted.map(({ id }) => id),
      settings.map((job) => job?.dueAt ?? null),
      settings.map((job) => job?.data ?? null),
      settings.map((job) => job?.correlationId ?? null),
    ],
  );
};

/** Collects changes, and writes them when it is told to. Until then they are not in the table. */
export class JobBatch {
  /** One statement each. */
  #statements: Map<string, JobChange>[] = [];

  add(change: JobChange): void {
    const key = keyOf(change);
    const last = this.#statements.at(-1);
    // These two replace whatever comes before. The others depend on it, and so come in a statement of their own.
    const replaces = change.how === 'set' || change.how === 'cancel';
    if (last && (replaces || !last.has(key))) last.set(key, change);
    else this.#statements.push(new Map([[key, change]]));
  }

  async write(db: Queryable): Promise<void> {
    for (const changes of this.#statements) await write(db, [...changes.values()]);
    this.#statements = [];
  }
}

export const changeJob = async (to: JobSink, change: JobChange): Promise<void> => {
  if ('add' in to) to.add(change);
  else await write(to, [change]);
};
