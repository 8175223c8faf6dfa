/**
 * The projector: follows the log and keeps all read models at one position. Rows, changes and checkpoint are one
 * transaction, guarded by the lease's fencing token: exactly once by construction.
 */
import { formatPosition, saveCheckpoint } from '../../eventstore/checkpoints.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import type { Codec, Decoded } from '../../eventstore/codec.ts';
import { assertSameLog } from '../../eventstore/identity.ts';
import { type Batch, isAfter, subscribe } from '../../eventstore/subscribe.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { acquireLease, assertLease, type Lease } from '../../infra/leases.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import { createBackoff, linkSignals, sleep } from '../../infra/retry.ts';
import { appendChanges, type Change, purgeChanges } from './changes.ts';
import { livePosition, PROJECTED_CHANNEL, PROJECTOR } from './checkpoint.ts';
import { applyOrPark, parkedAmong, retryUnreadable, streamsOf } from './parked.ts';
import { erasedBy } from './personal.ts';
import type { ReadModel } from './readModel.ts';
import { rebuildOutdated } from './rebuild.ts';
import { ensureTables, lockCurrent } from './tableVersions.ts';

export interface ProjectorDeps {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly codec: Codec;
  readonly models: readonly ReadModel[];
  readonly log: Logger;
}

const group = PROJECTOR;

/**
 * Runs until `signal` fires. It waits for the lease; while it has the lease it projects, and rebuilds models of another
 * version. Only the holder of the lease rebuilds: an older release that projects would pass over the new table.
 * @throws IncompatibleData when the log is not the one that this database follows
 */
export const runProjector = async (deps: ProjectorDeps, signal: AbortSignal): Promise<void> => {
  const backoff = createBackoff();
  while (!signal.aborted) {
    const lease = await acquireLease(deps.pool, { name: PROJECTOR, signal, log: deps.log });
    if (!lease) return;
    metrics.projectionActive.set({ group }, 1);
    try {
      await runTerm(deps, lease, signal, backoff.reset);
    } catch (err) {
      if (err instanceof IncompatibleData) throw err;
      deps.log.error({ err }, 'the projector stopped and restarts');
      await sleep(backoff.next(), signal);
    } finally {
      metrics.projectionActive.set({ group }, 0);
      await lease.release();
    }
  }
};

/** Works until the lease is lost. Everything has ended when it returns, or throws the first failure. */
const runTerm = async (deps: ProjectorDeps, lease: Lease, stopping: AbortSignal, onBatch: () => void) => {
  const { signal, end } = linkSignals(stopping, lease.lost);
  await ensureTables(deps.pool, deps.models);
  const work = [
    project(deps, lease, signal, onBatch),
    rebuildOutdated(deps, deps.models, signal),
    retryUnreadable(deps, deps.models, signal),
  ];
  try {
    await Promise.all(work);
  } finally {
    end();
    await Promise.allSettled(work);
  }
};

/** A table or the whole schema `read` was dropped. */
const isDropped = (error: unknown): boolean => ['42P01', '3F000'].includes((error as { code?: string }).code ?? '');

/** @throws what shows that tables are missing: the next term makes them, and has them rebuilt */
const project = async (
  deps: ProjectorDeps,
  lease: Lease,
  stopping: AbortSignal,
  onBatch: () => void,
): Promise<void> => {
  const after = await livePosition(deps.pool);
  deps.log.info({ after: after && formatPosition(after) }, 'projecting');
  const { signal, end } = linkSignals(stopping);
  let dropped: unknown;
  const handle = async (batch: Batch) => {
    try {
      await projectBatch(deps, lease, batch);
      onBatch();
    } catch (error) {
      if (!isDropped(error)) throw error;
      dropped = error;
      end();
    }
  };
  const verify = () => assertSameLog(deps.pool, deps.store, PROJECTOR);
  await subscribe({ store: deps.store, name: PROJECTOR, after, log: deps.log, signal, verify, handle });
  end();
  if (dropped !== undefined) throw dropped;
};

/** Projects one batch in one transaction. If it throws, the batch is delivered again. @throws LeaseLost */
const projectBatch = async (deps: ProjectorDeps, lease: Lease, batch: Batch): Promise<void> => {
  const done = metrics.projectionBatchSeconds.startTimer({ group });
  const decoded = await deps.codec.decodeEach(batch.events);
  await inTransaction(deps.pool, async (client) => {
    const models = await lockCurrent(client, deps.models);
    await assertLease(client, PROJECTOR, lease.token);
    const at = await livePosition(client);
    // A commit that seemed to fail may have succeeded: skip what is projected already.
    const fresh: Decoded = {
      events: decoded.events.filter((event) => isAfter(event.position, at)),
      unreadable: decoded.unreadable.filter(({ event }) => isAfter(event.position, at)),
    };
    await applyToModels(client, models, fresh, deps.log);
    await saveCheckpoint(client, PROJECTOR, batch.position, batch.events.at(-1));
    await client.query(`select pg_notify('${PROJECTED_CHANNEL}', $1)`, [formatPosition(batch.position)]);
  });
  done();
  observe(batch);
};

const applyToModels = async (
  client: PoolClient,
  models: readonly ReadModel[],
  decoded: Decoded,
  log: Logger,
): Promise<void> => {
  const streams = streamsOf(decoded);
  if (streams.length === 0) return;
  for (const { event, reason } of decoded.unreadable)
    log.error({ stream: event.stream, type: event.type, revision: event.revision, reason }, 'event unreadable');
  const parked = await parkedAmong(client, streams);
  const changes: Change[][] = [];
  for (const model of models) changes.push(await applyOrPark(client, model, decoded, parked(model.name), log));
  await appendChanges(client, changes.flat());
  if (erasedBy(decoded.events).length > 0) await purgeChanges(client);
};

const observe = ({ position, events }: Batch): void => {
  metrics.projectionPosition.set({ group }, Number(position.commit));
  metrics.projectionBatch.observe({ group }, events.length);
};
