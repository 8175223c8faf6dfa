/** The record of rebuilds and verifications. Any process can show, cancel and resume them. */
import { type Position, Rejected } from '../../domain/core/decider.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool, Queryable } from '../../infra/postgres.ts';

export const rebuildMigrations = migrations('projections', {
  '0001_rebuilds': `
    create table ops.rebuilds (
      model text not null,
      mode text not null check (mode in ('rebuild', 'verify')),
      version integer not null,
      status text not null check (status in ('running', 'cancelling', 'cancelled', 'failed', 'done')),
      commit numeric,
      prepare numeric,
      events bigint not null,
      target numeric not null,
      started_at timestamptz not null,
      updated_at timestamptz not null,
      detail text,
      primary key (model, mode)
    );
  `,
  holds: { 'ops.rebuilds': { nothing: 'progress' } },
});

export type Mode = 'rebuild' | 'verify';
/** `interrupted`: its process has ended. Starting it again continues from there. */
export type RunStatus = 'running' | 'cancelling' | 'cancelled' | 'failed' | 'done' | 'interrupted';

export interface Run {
  readonly model: string;
  readonly mode: Mode;
  readonly version: number;
  readonly status: RunStatus;
  readonly position: Position | null;
  /** The number of events read so far. */
  readonly events: number;
  /** The commit position of the log's head at the start. The progress is `position.commit / target`. */
  readonly target: bigint;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly detail: string | null;
}

interface Row {
  model: string;
  mode: Mode;
  version: number;
  status: RunStatus;
  commit: string | null;
  prepare: string | null;
  events: number;
  target: string;
  started_at: string;
  updated_at: string;
  detail: string | null;
}

const toRun = ({ commit, prepare, target, started_at, updated_at, ...row }: Row): Run => ({
  ...row,
  position: commit === null || prepare === null ? null : { commit: BigInt(commit), prepare: BigInt(prepare) },
  target: BigInt(target),
  startedAt: started_at,
  updatedAt: updated_at,
});

const positionValues = ({ position }: Pick<Run, 'position'>) => [
  position?.commit.toString() ?? null,
  position?.prepare.toString() ?? null,
];

/** The advisory lock of a run: held while it runs, released by a crash. */
const LOCK = `hashtextextended('rebuild:' || run.mode || ':' || run.model, 0)`;
const LOCKED = `exists (select 1 from pg_locks as held where held.locktype = 'advisory' and held.objsubid = 1 and held.granted
  and held.database = (select oid from pg_database where datname = current_database())
  and (held.classid::bigint << 32) | held.objid::bigint = ${LOCK})`;
const SELECT = `
  select model, mode, version, commit, prepare, events, target, started_at, updated_at, detail,
    case when status in ('running', 'cancelling') and not ${LOCKED} then 'interrupted' else status end as status
  from ops.rebuilds as run`;

/**
 * Holds the run's lock while `work` runs. `lost` fires when the connection that holds it is lost: another process may then
 * start the same run.
 * @throws Rejected `conflict` when another process holds the lock
 */
export const exclusively = async <T>(
  pool: Pool,
  model: string,
  mode: Mode,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  const lost = new AbortController();
  const onLost = () => lost.abort();
  client.on('error', onLost);
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(${LOCK}) as mine from (values ($1::text, $2::text)) as run(model, mode)`,
      [model, mode],
    );
    if (!rows[0]?.mine)
      throw new Rejected(
        'conflict',
        `The ${mode} of ${model} is already running. Wait until it is done, or cancel it.`,
      );
    return await work(lost.signal);
  } finally {
    client.off('error', onLost);
    const broken = await client.query('select pg_advisory_unlock_all()').then(
      () => undefined,
      (err: Error) => err, // the lock ended with the connection
    );
    client.release(broken);
  }
};

export const loadRun = async (db: Queryable, model: string, mode: Mode): Promise<Run | undefined> => {
  const { rows } = await db.query<Row>(`${SELECT} where model = $1 and mode = $2`, [model, mode]);
  return rows[0] && toRun(rows[0]);
};

export const listRuns = async (db: Queryable): Promise<Run[]> => {
  const { rows } = await db.query<Row>(`${SELECT} order by started_at desc, model`);
  return rows.map(toRun);
};

/** Records a new run, or (with a position) the continuation of an earlier one. */
export const startRun = async (
  db: Queryable,
  run: Pick<Run, 'model' | 'mode' | 'version' | 'position' | 'events' | 'target'>,
): Promise<Run> => {
  const { rows } = await db.query<Row>(
    `insert into ops.rebuilds (model, mode, version, status, commit, prepare, events, target, started_at, updated_at)
     values ($1, $2, $3, 'running', $4, $5, $6, $7, now(), now())
     on conflict (model, mode) do update set version = excluded.version, status = 'running', commit = excluded.commit,
       prepare = excluded.prepare, events = excluded.events, target = excluded.target, started_at = now(),
       updated_at = now(), detail = null
     returning *`,
    [run.model, run.mode, run.version, ...positionValues(run), run.events, run.target.toString()],
  );
  return toRun(rows[0] as Row);
};

/** Records progress in the transaction that did the work. @throws Error if another process has moved the run */
export const saveProgress = async (db: Queryable, from: Run, to: Run): Promise<void> => {
  const { rowCount } = await db.query(
    `update ops.rebuilds set commit = $3, prepare = $4, events = $5, updated_at = now()
     where model = $1 and mode = $2 and (commit, prepare) is not distinct from ($6::numeric, $7::numeric)`,
    [from.model, from.mode, ...positionValues(to), to.events, ...positionValues(from)],
  );
  if (rowCount !== 1) throw new Error(`the ${from.mode} of ${from.model} was taken over by another process`);
};

export const finishRun = async (db: Queryable, run: Run, status: RunStatus, detail: string | null): Promise<void> => {
  await db.query(
    'update ops.rebuilds set status = $3, detail = $4, updated_at = now() where model = $1 and mode = $2',
    [run.model, run.mode, status, detail],
  );
};

/** Asks a run to stop, whichever process runs it. Returns false if it is not running. */
export const cancelRun = async (db: Queryable, model: string, mode: Mode): Promise<boolean> => {
  const { rowCount } = await db.query(
    `update ops.rebuilds as run set status = 'cancelling'
     where model = $1 and mode = $2 and status = 'running' and ${LOCKED}`,
    [model, mode],
  );
  return rowCount === 1;
};

export const isCancelled = async (db: Queryable, run: Run): Promise<boolean> =>
  (await loadRun(db, run.model, run.mode))?.status === 'cancelling';
