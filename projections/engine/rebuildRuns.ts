/** The record of rebuilds and verifications. Any process can show, cancel and resume them. */
import type { Position } from '../../domain/core/decider.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool, PoolClient, Queryable } from '../../infra/postgres.ts';

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
  personalData: { 'ops.rebuilds': { nothing: 'progress' } },
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

/** The runs that this process may work on. */
export interface Claim {
  /** Those of the models whose run no other process holds. */
  readonly models: readonly string[];
  /** Fires when the connection that holds the locks is lost: another process may then start the same runs. */
  readonly lost: AbortSignal;
  /** Gives up one run, before all others have ended. */
  release(model: string): Promise<void>;
}

/** Holds the locks of runs while `work` runs: of each model that no other process has locked. */
export const exclusively = async <T>(
  pool: Pool,
  models: readonly string[],
  mode: Mode,
  work: (claim: Claim) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  const lost = new AbortController();
  const onLost = () => lost.abort();
  client.on('error', onLost);
  const lockOrUnlock = async (call: string, names: readonly string[]): Promise<string[]> => {
    const { rows } = await client.query<{ model: string; done: boolean }>(
      `select model, ${call}(${LOCK}) as done from (select unnest($1::text[]), $2::text) as run(model, mode)`,
      [names, mode],
    );
    return rows.filter(({ done }) => done).map(({ model }) => model);
  };
  try {
    return await work({
      models: await lockOrUnlock('pg_try_advisory_lock', models),
      lost: lost.signal,
      release: async (model) => void (await lockOrUnlock('pg_advisory_unlock', [model]).catch(onLost)),
    });
  } finally {
    client.off('error', onLost);
    const broken = await client.query('select pg_advisory_unlock_all()').then(
      () => undefined,
      (err: Error) => err, // the locks ended with the connection
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

/** The run has another position than this process left it at. */
export class TakenOver extends Error {
  readonly model: string;
  constructor({ mode, model }: Pick<Run, 'mode' | 'model'>) {
    super(`the ${mode} of ${model} was taken over by another process`);
    this.model = model;
  }
}

/**
 * Records the progress of runs in the transaction that did the work.
 * @param before the runs as this process left them
 * @param after the same runs, in the same order
 * @throws TakenOver if another process has moved a run
 */
export const saveProgress = async (
  db: Pick<PoolClient, 'query'>,
  before: readonly { readonly run: Run }[],
  after: readonly { readonly run: Run }[],
): Promise<void> => {
  const columnsOf = (steps: readonly { readonly run: Run }[]) => {
    const positions = steps.map(({ run }) => positionValues(run));
    return [positions.map(([commit]) => commit), positions.map(([, prepare]) => prepare)];
  };
  const { rows } = await db.query<{ model: string }>(
    `update ops.rebuilds as run set commit = step.commit, prepare = step.prepare, events = step.events, updated_at = now()
     from unnest($1::text[], $2::text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::bigint[])
       as step(model, mode, old_commit, old_prepare, commit, prepare, events)
     where run.model = step.model and run.mode = step.mode
       and (run.commit, run.prepare) is not distinct from (step.old_commit, step.old_prepare)
     returning run.model`,
    [
      before.map(({ run }) => run.model),
      before.map(({ run }) => run.mode),
      ...columnsOf(before),
      ...columnsOf(after),
      after.map(({ run }) => run.events),
    ],
  );
  const saved = new Set(rows.map(({ model }) => model));
  const missing = before.find(({ run }) => !saved.has(run.model));
  if (missing) throw new TakenOver(missing.run);
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

/** Of these models, those whose run someone has asked to stop. */
export const cancelledAmong = async (db: Queryable, models: readonly string[], mode: Mode): Promise<Set<string>> => {
  const { rows } = await db.query<{ model: string }>(
    `select model from ops.rebuilds where model = any($1) and mode = $2 and status = 'cancelling'`,
    [models, mode],
  );
  return new Set(rows.map(({ model }) => model));
};
