/** The jobs that a request has led to, for whoever looks into it: they carry the correlation id of its events. */
import type { Queryable } from '../../infra/postgres.ts';
import type { JobDefinition } from './jobs.ts';

export interface JobOfRequest {
  readonly kind: string;
  readonly id: string;
  /** `failing`: it is tried again; `parked`: it waits for an operator. Jobs that are done are known for three days. */
  readonly state: 'done' | 'waiting' | 'failing' | 'parked';
  /** When it was done, or is tried next; null: it is parked. */
  readonly at: string | null;
  readonly attempts: number;
  readonly last_error: string | null;
  /** What became of what it has handed over, such as an e-mail; null: nothing is known. */
  readonly outcome: string | null;
}

/** Oldest first; those that are not done come last. */
export const jobsOfRequest = async (
  db: Queryable,
  definitions: readonly Pick<JobDefinition<never, never>, 'kind' | 'outcomes'>[],
  correlationIds: readonly string[],
): Promise<JobOfRequest[]> => {
  const { rows } = await db.query<Omit<JobOfRequest, 'outcome'>>(
    `select kind, id, 'done' as state, done_at as at, attempts, last_error, 0 as rank
     from ops.done_jobs where correlation_id = any ($1)
     union all
     select kind, id, case when run_at = 'infinity' then 'parked' when last_error is null then 'waiting' else 'failing' end,
       nullif(run_at, 'infinity'), attempts, last_error, 1
     from ops.jobs where correlation_id = any ($1)
     order by rank, at, kind, id`,
    [correlationIds],
  );
  const outcomes = await Promise.all(
    definitions.map(async ({ kind, outcomes: read }) => {
      const ids = rows.filter((row) => row.kind === kind).map(({ id }) => id);
      return [kind, read && ids.length > 0 ? await read(db, ids) : undefined] as const;
    }),
  );
  const byKind = new Map(outcomes);
  return rows.map(({ kind, id, state, at, attempts, last_error }) => ({
    ...{ kind, id, state, at, attempts, last_error },
    outcome: byKind.get(kind)?.get(id) ?? null,
  }));
};
