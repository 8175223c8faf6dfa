/**
 * Parking: when a model cannot apply an event, its stream is parked for that model. Other streams continue. Later events
 * of the parked stream wait, so that a retry keeps their order.
 */
import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';
import { isAfter } from '../../eventstore/subscribe.ts';
import type { Logger } from '../../infra/log.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction, type Pool, type PoolClient, type Queryable } from '../../infra/postgres.ts';
import { applyBatch, type SetAside } from './apply.ts';
import { appendChanges, type Change } from './changes.ts';
import { livePosition } from './checkpoint.ts';
import type { ReadModel } from './readModel.ts';
import { lockModel } from './tableVersions.ts';

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
});

export interface Parked {
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

export const listParked = async (db: Queryable, model?: string): Promise<Parked[]> => {
  const { rows } = await db.query<Parked>(
    'select * from ops.parked where $1::text is null or model = $1 order by parked_at, model, stream',
    [model ?? null],
  );
  return rows;
};

export const setAside = (parked: readonly Parked[], model: ReadModel): SetAside =>
  new Map(
    parked.filter((entry) => entry.model === model.name).map(({ stream, revision }) => [stream, BigInt(revision)]),
  );

const park = async (db: Queryable, model: ReadModel, event: Recorded, reason: string): Promise<void> => {
  await db.query(
    'insert into ops.parked (model, stream, revision, event_id, type, reason) values ($1, $2, $3, $4, $5, $6)',
    [model.name, event.stream, event.revision.toString(), event.id, event.type, reason.slice(0, MAX_REASON)],
  );
};

/** Applies events to a model's live table and parks what it cannot apply. Streams that are parked stay parked. */
export const applyOrPark = async (
  client: PoolClient,
  model: ReadModel,
  events: readonly Recorded[],
  aside: SetAside,
  log: Logger,
): Promise<Change[]> => {
  const skip = new Map(aside);
  return applyBatch(client, { model, table: model.name, publishes: true }, events, skip, async (event, reason) => {
    skip.set(event.stream, event.revision);
    log.error({ model: model.name, stream: event.stream, type: event.type, reason }, 'event parked');
    await park(client, model, event, reason);
  });
};

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
    const removed = await client.query<{ revision: number }>(
      'delete from ops.parked where model = $1 and stream = $2 returning revision',
      [model.name, stream],
    );
    const [parked] = removed.rows;
    const live = await livePosition(client);
    if (!parked || !live) return undefined;
    const stored = await store.read(stream, { from: BigInt(parked.revision) });
    const due = stored.filter((event) => !isAfter(event.position, live)); // the projector applies later ones
    const events = await codec.decode(due, new Set(model.handlers.keys()));
    await appendChanges(client, await applyOrPark(client, model, events, new Map(), log));
    return (await listParked(client, model.name)).find((entry) => entry.stream === stream)?.reason;
  });
