/** The state of the read models, for operators. */
import type { Position } from '../../domain/core/decider.ts';
import { rounded } from '../../domain/core/numbers.ts';
import { formatPosition } from '../../eventstore/checkpoints.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import { type ConsumerLag, consumerLags } from '../../eventstore/lag.ts';
import { isAfter } from '../../eventstore/subscribe.ts';
import { IS_HELD } from '../../infra/leases.ts';
import type { Pool } from '../../infra/postgres.ts';
import type { Group } from './groups.ts';
import { listParked } from './parked.ts';
import type { ReadModel } from './readModel.ts';
import { listRuns, type Run } from './rebuildRuns.ts';
import { tableVersions } from './tableVersions.ts';

/** The count stops here. */
const MAX_COUNTED = 1_000;

export interface Lag {
  /** The position that all read models show, that of the group that is furthest behind; null: nothing was projected yet. */
  readonly position: string | null;
  /** The head of the log; null: the log is empty. */
  readonly head: string | null;
  /** The number of events not projected by that group yet, counted up to 1,000. */
  readonly events: number;
  /** The age of the oldest of them; 0 if there is none. */
  readonly seconds: number;
  /** The process that projects that group; null: none does. */
  readonly projector: string | null;
  /** Every consumer of the log: each group of read models and each policy. */
  readonly consumers: readonly ConsumerLine[];
}

interface ConsumerLine {
  readonly name: string;
  readonly position: string | null;
  readonly events: number;
  readonly seconds: number;
  /** The process that runs it; null: none does. */
  readonly holder: string | null;
}

const text = (position: Position | null): string | null => position && formatPosition(position);

const NONE = { position: null, events: 0, seconds: 0, holder: null };

/** The one that is furthest behind. */
const least = (groups: readonly ConsumerLag[]): ConsumerLag | undefined =>
  groups.reduce<ConsumerLag | undefined>(
    (a, b) =>
      a === undefined || (a.position !== null && (b.position === null || isAfter(a.position, b.position))) ? b : a,
    undefined,
  );

/** @param others the consumers besides the read models */
export const lag = async (
  { pool, store }: { pool: Pool; store: EventStore },
  groups: readonly Pick<Group, 'name'>[],
  others: readonly string[] = [],
): Promise<Lag> => {
  const names = groups.map(({ name }) => name);
  const [head, lags, held] = await Promise.all([
    store.head(),
    consumerLags({ pool, store }, [...names, ...others], MAX_COUNTED),
    pool.query<{ name: string; holder: string }>(`select name, holder from ops.leases where ${IS_HELD}`),
  ]);
  const holders = new Map(held.rows.map(({ name, holder }) => [name, holder]));
  const consumers = lags.map(({ position, ...one }) => ({
    ...one,
    position: text(position),
    holder: holders.get(one.name) ?? null,
  }));
  const last = least(lags.slice(0, names.length));
  const { position, events, seconds, holder } = consumers.find(({ name }) => name === last?.name) ?? NONE;
  return { position, head: text(head), events, seconds, projector: holder, consumers };
};

export interface RunStatusLine {
  readonly mode: Run['mode'];
  readonly status: Run['status'];
  readonly events: number;
  /** 0 to 1. */
  readonly progress: number;
  readonly started_at: string;
  readonly updated_at: string;
  readonly detail: string | null;
}

/** Positions grow with the bytes of the log, so the share of positions that was read is the share of the work. */
export const progressOf = ({ status, position, target }: Pick<Run, 'status' | 'position' | 'target'>): number => {
  if (status === 'done') return 1;
  return target === 0n ? 0 : Math.min(1, Number(position?.commit ?? 0n) / Number(target));
};

const runLine = (run: Run): RunStatusLine => ({
  mode: run.mode,
  status: run.status,
  events: run.events,
  progress: rounded(progressOf(run), 3),
  started_at: run.startedAt,
  updated_at: run.updatedAt,
  detail: run.detail,
});

export interface ModelStatus {
  readonly name: string;
  /** The group whose batches go into its table. */
  readonly group: string;
  /** The version that this program declares. */
  readonly version: number;
  /** The version that is served; 0: a table that is behind. If it differs from `version`, the projector rebuilds it. */
  readonly live_version: number;
  readonly epoch: number;
  readonly rebuilt_at: string | null;
  /** The number of parked streams. */
  readonly parked: number;
  /** The last rebuild and the last verification. */
  readonly runs: readonly RunStatusLine[];
}

export const modelStatus = async (pool: Pool, models: readonly ReadModel[]): Promise<ModelStatus[]> => {
  const [live, parked, runs] = await Promise.all([tableVersions(pool), listParked(pool), listRuns(pool)]);
  return models.map(({ name, version }) => ({
    name,
    group: live.get(name)?.consumer ?? '',
    version,
    live_version: live.get(name)?.version ?? 0,
    epoch: live.get(name)?.epoch ?? 0,
    rebuilt_at: live.get(name)?.rebuilt_at ?? null,
    parked: parked.filter((entry) => entry.model === name).length,
    runs: runs.filter((run) => run.model === name).map(runLine),
  }));
};

/** The number of parked streams by model. Counted apart from the projector, which loads those of its batch only. */
export const countParked = async (pool: Pool, models: readonly ReadModel[]): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await pool.query<{ model: string; count: number }>(
    'select model, count(*) as count from ops.parked group by model',
  );
  const counted = new Map(rows.map(({ model, count }) => [model, count]));
  return new Map(models.map(({ name }) => [name, counted.get(name) ?? 0]));
};
