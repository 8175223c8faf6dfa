/**
 * Parking: when a model cannot apply an event, or the event cannot be read, its stream is parked for that model. Other
 * streams continue. Later events of the parked stream wait, so that a retry keeps their order.
 */
import { type Recorded, Rejected, splitStream } from '../../domain/core/decider.ts';
import { beginningOf, storableText } from '../../domain/core/storable.ts';
import { aggregates } from '../../domain/modules.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import type { Codec, Decoded, Unreadable } from '../../eventstore/codec.ts';
import { isAfter } from '../../eventstore/subscribe.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction, type Pool, type PoolClient, type Queryable } from '../../infra/postgres.ts';
import { applyAtOnce, applyBatch, type OnPoison, type SetAside, type Share, type Target } from './applyEvents.ts';
import { appendChanges, type Change } from './changes.ts';
import { livePosition } from './checkpoint.ts';
import type { ReadModel } from './readModel.ts';
import type { Statements } from './statementsInTurn.ts';
import { lockModel } from './tableVersions.ts';
import type { Move } from './tellings.ts';

export const parkedMigrations = migrations('projections', {
  '0001_parked': `
    create table ops.parked (
      model text not null,
      stream text not null,
      revision bigint not null,
      event_id uuid not null,
      type text not null,
      reason text not null,
      parked_at timestamptz not null default now(),
      primary key (model, stream)
    );
  `,
  '0002_parked_unreadable': `
    alter table ops.parked add column unreadable boolean not null default false;
  `,
  personalData: { 'ops.parked': { nothing: 'names of streams, and errors of programs' } },
});

export interface Parked {
  /** Its table: a rebuild that has not ended yet parks streams under the name of its own table. */
  readonly model: string;
  readonly stream: string;
  /** The revision of the first event that was not applied. All later events of the stream wait. */
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  readonly reason: string;
  readonly parked_at: string;
}

const MAX_REASON = 2_000;
const COLUMNS = 'model, stream, revision, event_id, type, reason, parked_at';

/** Every parked stream of the live tables. */
export const listParked = async (db: Queryable, model?: string): Promise<Parked[]> => {
  const { rows } = await db.query<Parked>(
    `select ${COLUMNS} from ops.parked
     where case when $1::text is null then model not like '%\\_\\_rebuild' and model not like '%\\_\\_verify' else model = $1 end
     order by parked_at, model, stream`,
    [model ?? null],
  );
  return rows;
};

/** What is parked for a table: stream → revision. */
export type ParkedAmong = (table: string) => ReadonlyMap<string, bigint>;

export const byTable = (parked: readonly Pick<Parked, 'model' | 'stream' | 'revision'>[]): ParkedAmong => {
  const tables = new Map<string, Map<string, bigint>>();
  for (const { model, stream, revision } of parked)
    tables.set(model, (tables.get(model) ?? new Map()).set(stream, BigInt(revision)));
  return (table) => tables.get(table) ?? new Map();
};

/** Of these streams, those that are parked for some table. */
export const parkedAmong = async (db: Queryable, streams: Iterable<string>): Promise<ParkedAmong> => {
  const { rows } = await db.query<Pick<Parked, 'model' | 'stream' | 'revision'>>(
    'select model, stream, revision from ops.parked where stream = any($1)',
    [[...new Set(streams)]],
  );
  return byTable(rows);
};

/** The streams of a batch. */
export const streamsOf = ({ events, unreadable }: Decoded): string[] => [
  ...events.map(({ stream }) => stream),
  ...unreadable.map(({ event }) => event.stream),
];

const typesOf = new Map(aggregates.map(({ category, events }) => [category, Object.keys(events)]));

/**
 * Whether a model misses something without this event. Nobody knows what an undeclared type does, so it concerns every
 * model that handles some event of its kind of aggregate.
 */
const concerns = (model: ReadModel, { event, isDeclared }: Unreadable): boolean => {
  if (isDeclared) return model.handlers.has(event.type);
  const types = typesOf.get(splitStream(event.stream)[0]);
  return types === undefined || types.some((type) => model.handlers.has(type));
};

const park = async (
  db: Queryable,
  table: string,
  event: Pick<Recorded, 'id' | 'type' | 'stream' | 'revision'>,
  { reason, unreadable }: { reason: string; unreadable: boolean },
): Promise<void> => {
  await db.query(
    'insert into ops.parked (model, stream, revision, event_id, type, reason, unreadable) values ($1, $2, $3, $4, $5, $6, $7)',
    [
      table,
      event.stream,
      event.revision.toString(),
      event.id,
      event.type,
      storableText(beginningOf(reason, MAX_REASON)),
      unreadable,
    ],
  );
};

/**
 * Applies events to a table by `apply`, and parks the streams of those that cannot be read. `aside`: what is parked
 * already; it stays parked. `apply` gets the streams to leave out, and may add to them.
 */
const applyReadable = async <Result>(
  db: Statements,
  { model, table }: Target,
  unreadable: Decoded['unreadable'],
  aside: SetAside,
  apply: (skip: Map<string, bigint>) => Promise<Result>,
): Promise<Result> => {
  const concerning = unreadable.filter((each) => concerns(model, each));
  const skip = new Map(aside);
  for (const { event } of concerning)
    if (!(event.revision >= (skip.get(event.stream) ?? Infinity))) skip.set(event.stream, event.revision);
  const result = await apply(skip);
  for (const { event, reason } of concerning) {
    // Parked before, or by an earlier event of its stream that could not be applied.
    if (aside.has(event.stream) || skip.get(event.stream) !== event.revision) continue;
    metrics.eventsUnreadable.inc({ consumer: table });
    await park(db, table, event, { reason, unreadable: true });
  }
  return result;
};

/** Applies its share of a batch to a table. When it throws, the whole transaction is rolled back: see `applyAtOnce`. */
export const applyTogether = (
  db: Statements,
  target: Target,
  share: Share,
  unreadable: Decoded['unreadable'],
  aside: SetAside,
): Promise<readonly Move[]> =>
  applyReadable(db, target, unreadable, aside, (skip) => applyAtOnce(db, target, share, skip));

/** Applies events to a table. One that the model cannot apply goes to `onPoison`; the rest of its stream is left out. */
export const applyEach = (
  client: PoolClient,
  target: Target,
  { events, unreadable }: Decoded,
  aside: SetAside,
  onPoison: OnPoison,
): Promise<Change[]> =>
  applyReadable(client, target, unreadable, aside, (skip) =>
    applyBatch(client, target, events, skip, async (event, reason) => {
      skip.set(event.stream, event.revision);
      await onPoison(event, reason);
    }),
  );

export const liveTable = (model: ReadModel): Target => ({ model, table: model.name, publishes: true });

/** Applies events to a model's live table and parks what it cannot apply. Streams that are parked stay parked. */
export const applyOrPark = (
  client: PoolClient,
  model: ReadModel,
  decoded: Decoded,
  aside: SetAside,
  log: Logger,
): Promise<Change[]> =>
  applyEach(client, liveTable(model), decoded, aside, async (event, reason) => {
    log.error({ model: model.name, stream: event.stream, type: event.type, reason }, 'event parked');
    await park(client, model.name, event, { reason, unreadable: false });
  });

/**
 * Applies a parked stream from where it stopped. If an event fails again, the stream is parked there and the reason is
 * returned; undefined means that nothing of the stream is parked any more.
 * @throws Rejected `conflict` while the model waits for a rebuild, which will apply the events anyway
 */
export const retryParked = (
  { pool, store, codec, log }: { pool: Pool; store: EventStore; codec: Codec; log: Logger },
  model: ReadModel,
  stream: string,
): Promise<string | undefined> =>
  inTransaction(pool, async (client) => {
    if (!(await lockModel(client, model)))
      throw new Rejected(
        'conflict',
        `The read model ${model.name} waits for its rebuild, which will apply the parked events. Wait until it is done.`,
      );
    const found = await client.query<Pick<Parked, 'revision' | 'event_id' | 'reason'>>(
      'select revision, event_id, reason from ops.parked where model = $1 and stream = $2 for update',
      [model.name, stream],
    );
    const [parked] = found.rows;
    if (!parked) return undefined;
    const live = await livePosition(client, model);
    const stored = live ? await store.read(stream, { from: BigInt(parked.revision) }) : [];
    // A stream whose name cannot be stored is not found by the one that stands for it.
    if (live && stored[0]?.id !== parked.event_id) return parked.reason;
    await client.query('delete from ops.parked where model = $1 and stream = $2', [model.name, stream]);
    if (!live) return undefined;
    const due = stored.filter((event) => !isAfter(event.position, live)); // the projector applies later ones
    await appendChanges(client, await applyOrPark(client, model, await codec.decodeEach(due), new Map(), log));
    const left = await client.query<{ reason: string }>(
      'select reason from ops.parked where model = $1 and stream = $2',
      [model.name, stream],
    );
    return left.rows[0]?.reason;
  });

/**
 * Retries the streams that were parked because an event could not be read: this program, or the restored key, may be able
 * to. Runs whenever a projector starts.
 */
export const retryUnreadable = async (
  deps: { pool: Pool; store: EventStore; codec: Codec; log: Logger },
  models: readonly ReadModel[],
  signal: AbortSignal,
): Promise<void> => {
  const { rows } = await deps.pool.query<Pick<Parked, 'model' | 'stream'>>(
    'select model, stream from ops.parked where unreadable order by parked_at',
  );
  for (const { model: name, stream } of rows) {
    const model = models.find((each) => each.name === name);
    if (signal.aborted) return;
    if (model)
      await retryParked(deps, model, stream).catch((err: unknown) =>
        deps.log.warn({ err, model: name, stream }, 'a parked stream was not retried'),
      );
  }
};
