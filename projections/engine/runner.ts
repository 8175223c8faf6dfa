/**
 * The projector: follows the log and keeps the groups of read models that this process holds at it. Rows, changes and
 * checkpoints are one transaction, guarded by the fencing tokens of the leases: exactly once by construction.
 */
import type { Position } from '../../domain/core/decider.ts';
import { formatPosition } from '../../eventstore/checkpoints.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import type { Codec, Decoded } from '../../eventstore/codec.ts';
import { assertSameLog } from '../../eventstore/identity.ts';
import { type Batch, isAfter, subscribe } from '../../eventstore/subscribe.ts';
import { tracksOf } from '../../eventstore/tracks.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { shareLeases } from '../../infra/leases.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { inOpened, type Pool, type PoolClient } from '../../infra/postgres.ts';
import { createBackoff, linkSignals, sleep } from '../../infra/retry.ts';
import { decodeFor, isEventsFault, shareOut } from './applyEvents.ts';
import { appendChanges, type Change, deleteForgotten, forgetChanges } from './changes.ts';
import { groupPositions } from './checkpoint.ts';
import { type CountErased, certified, forget } from './forgetting.ts';
import { adoptTables, type Group } from './groups.ts';
import { closeBatch, type HeldGroup, type Opened, openBatch, WentBack } from './liveBatch.ts';
import { applyOrPark, applyTogether, liveTable, type ParkedAmong, retryUnreadable, streamsOf } from './parked.ts';
import { erasedBy } from './personalRows.ts';
import type { ReadModel } from './readModel.ts';
import { rebuildOutdated } from './rebuild.ts';
import { inTurn } from './statementsInTurn.ts';
import { BY_KEY } from './tables.ts';
import { ensureTables, lockingGroups } from './tableVersions.ts';
import { changesOfAll } from './tellings.ts';

export interface ProjectorDeps {
  /** For batches. */
  readonly pool: Pool;
  /** For what takes longer, such as rebuilds. By default the same. */
  readonly patientPool?: Pool;
  readonly store: EventStore;
  readonly codec: Codec;
  readonly countErased: CountErased;
  readonly groups: readonly Group[];
  readonly log: Logger;
}

const BATCHES = {
  /** While it catches up. A batch writes each table once, whatever its size, and takes far less time than a statement may. */
  maxBatch: 4_000,
  /** A batch costs about as much as four of its events, in this process and in PostgreSQL. */
  paceMs: 8,
} as const;

/**
 * Runs until `signal` fires. Processes share the groups: each projects its part, takes over the groups of one that ended,
 * and rebuilds models of another version. Only the holder of its lease rebuilds a group: an older release that projects
 * would pass over the new table.
 * @throws IncompatibleData when the log is not the one that this database follows
 */
export const runProjector = async (deps: ProjectorDeps, signal: AbortSignal): Promise<void> => {
  const { groups, log } = deps;
  const options = { group: 'projector', names: groups.map(({ name }) => name), signal, log };
  const backoff = createBackoff();
  await shareLeases(deps.pool, options, async (leases, untilChange) => {
    const held = groups.flatMap((group): HeldGroup[] => {
      const lease = leases.find(({ name }) => name === group.name);
      return lease ? [{ ...group, lease }] : [];
    });
    for (const { name } of held) metrics.projectionActive.set({ group: name }, 1);
    try {
      await runTerm(deps, held, untilChange, backoff.reset);
    } catch (err) {
      if (err instanceof IncompatibleData) throw err;
      log.error({ err, groups: held.map(({ name }) => name) }, 'the projector stopped and restarts');
      await sleep(backoff.next(), untilChange);
    } finally {
      for (const { name } of held) metrics.projectionActive.set({ group: name }, 0);
    }
  });
};

/** Works until the leases change. Everything has ended when it returns, or throws the first failure. */
const runTerm = async (
  deps: ProjectorDeps,
  held: readonly HeldGroup[],
  stopping: AbortSignal,
  onBatch: () => void,
): Promise<void> => {
  const { groups, log } = deps;
  const { signal, end } = linkSignals(stopping);
  const patient = { ...deps, pool: deps.patientPool ?? deps.pool };
  const moved = await adoptTables(patient.pool, groups);
  if (moved.length > 0) log.info({ models: moved }, 'read models moved to their groups');
  await ensureTables(patient.pool, groups); // also tells everybody that they have moved
  const models = held.flatMap((group) => group.models);
  const work = [
    project(deps, held, signal, onBatch),
    rebuildOutdated(patient, models, signal),
    retryUnreadable(patient, models, signal),
    deleteWhatIsForgotten(patient, signal),
  ];
  try {
    await Promise.all(work);
  } finally {
    end();
    await Promise.allSettled(work);
  }
};

/** How soon after an erasure the changes of before are deleted. */
const FORGET_MS = 1_000;

/** What nobody reads any more, also of erasures whose process has ended. */
const deleteWhatIsForgotten = async ({ pool, log }: ProjectorDeps, signal: AbortSignal): Promise<void> => {
  for (; !signal.aborted; await sleep(FORGET_MS, signal))
    await deleteForgotten(pool).catch((err: unknown) =>
      log.warn({ err }, 'forgotten changes could not be deleted: it is tried again in a second'),
    );
};

/** A table or the whole schema `read` was dropped. */
const isDropped = (error: unknown): boolean => ['42P01', '3F000'].includes((error as { code?: string }).code ?? '');

/**
 * Groups that are near each other follow the log together: one subscription, and one transaction a batch. After a batch
 * that failed each goes on alone until it has caught up, so that one that is stuck leaves the others going.
 * @throws what shows that tables are missing, or that the database went back in time: the next term makes them and has them
 * rebuilt, and goes on from the checkpoints
 */
const project = async (
  deps: ProjectorDeps,
  held: readonly HeldGroup[],
  stopping: AbortSignal,
  onBatch: () => void,
): Promise<void> => {
  const alone = new Set<string>();
  while (!stopping.aborted) {
    const positions = await groupPositions(deps.pool);
    const placed = held.map((group) => ({ ...group, after: positions.get(group.name) ?? null }));
    const together = tracksOf(placed.filter(({ name }) => !alone.has(name)));
    const apart = placed.filter(({ name }) => alone.has(name)).map((group) => [group]);
    const { signal, end } = linkSignals(stopping);
    const following = [...together, ...apart].map((track, n) => {
      const names = track.map(({ name }) => name);
      const onFailure = (err: unknown): void => {
        if (names.length === 1) return;
        deps.log.warn({ err, groups: names }, 'groups of read models continue apart: they failed together');
        for (const name of names) alone.add(name);
        end();
      };
      const onCaughtUp = (): void => {
        if (n === 0 && names.every((name) => !alone.has(name))) return;
        for (const name of names) alone.delete(name);
        end();
      };
      return follow(deps, track, signal, { onBatch, onFailure, onCaughtUp }).finally(end);
    });
    await Promise.allSettled(following);
    await Promise.all(following);
  }
};

/** What happens to groups that follow the log together. */
interface Told {
  onBatch(): void;
  /** Their batch could not be written. It is repeated. */
  onFailure(error: unknown): void;
  onCaughtUp(): void;
}

/** Follows the log with groups, foremost first, until `stopping` fires. */
const follow = async (
  deps: ProjectorDeps,
  track: readonly (HeldGroup & { readonly after: Position | null })[],
  stopping: AbortSignal,
  { onBatch, onFailure, onCaughtUp }: Told,
): Promise<void> => {
  const names = track.map(({ name }) => name);
  const after = track.at(-1)?.after ?? null;
  deps.log.info({ groups: names, after: after && formatPosition(after) }, 'projecting');
  const { signal, end } = linkSignals(stopping);
  let restart: unknown;
  let written: Position | null = null;
  const handle = async (batch: Batch) => {
    try {
      await projectBatch(deps, track, batch, written);
    } catch (error) {
      if (!isDropped(error) && !(error instanceof WentBack)) {
        onFailure(error);
        throw error;
      }
      restart = error;
      return end();
    }
    written = batch.position;
    onBatch();
    if (batch.caughtUp) onCaughtUp();
  };
  const verify = () => assertSameLog(deps.pool, deps.store, { consumers: names });
  const { store, log } = deps;
  await subscribe({ store, name: 'projector', after, log, signal, verify, handle, ...BATCHES });
  end();
  if (restart !== undefined) throw restart;
};

/** Projects one batch in one transaction. If it throws, the batch is delivered again. @throws LeaseLost, WentBack */
const projectBatch = async (
  deps: ProjectorDeps,
  groups: readonly HeldGroup[],
  batch: Batch,
  written: Position | null,
): Promise<void> => {
  const { pool, codec, countErased, log } = deps;
  const done = metrics.projectionBatchSeconds.startTimer();
  const models = groups.flatMap((group) => group.models);
  const decoded = await decodeFor(codec, models, batch.events);
  for (const { event, reason } of decoded.unreadable)
    log.error({ stream: event.stream, type: event.type, revision: event.revision, reason }, 'event unreadable');
  const writeIn = async (client: PoolClient, { parts, parked }: Opened, apply: Apply): Promise<void> => {
    const erased = erasedBy(decoded.events);
    const { told, gaps, counts } = await forget(
      client,
      parts.flatMap(({ models }) => models),
      erased,
    );
    const changes = [...told];
    for (const { at, models } of parts) {
      // A commit that seemed to fail may have succeeded: skip what is projected already.
      const fresh: Decoded = {
        events: decoded.events.filter((event) => isAfter(event.position, at)),
        unreadable: decoded.unreadable.filter(({ event }) => isAfter(event.position, at)),
      };
      changes.push(...(await apply(client, { models, parked }, fresh, log)));
    }
    // What is told now shows nothing of them any more.
    if (erased.size > 0) {
      await appendChanges(client, gaps);
      await forgetChanges(client, [...erased.keys()]);
      await countErased(client, certified(erased, counts));
    }
    await closeBatch(client, groups, batch, changes);
  };
  const first = [...BY_KEY, ...lockingGroups(groups.map(({ name }) => name))];
  const streams = streamsOf(decoded);
  const ask = (client: PoolClient) => openBatch(client, groups, streams, written);
  const write = (apply: Apply) => inOpened(pool, { first, ask }, (client, opened) => writeIn(client, opened, apply));
  await write(applyToAll).catch((error: unknown) => {
    if (!isEventsFault(error)) throw error;
    return write(applyToEach);
  });
  for (const { name: group } of groups) {
    done({ group });
    metrics.projectionPosition.set({ group }, Number(batch.position.commit));
    metrics.projectionBatch.observe({ group }, batch.events.length);
  }
};

interface Into {
  readonly models: readonly ReadModel[];
  readonly parked: ParkedAmong;
}

/** Applies a batch to the models, and returns what the hubs send. */
type Apply = (client: PoolClient, to: Into, decoded: Decoded, log: Logger) => Promise<readonly Change[]>;

/** All models together. Fails with the first event that some model cannot apply. */
const applyToAll: Apply = async (client, { models, parked }, { events, unreadable }) => {
  const shareOf = shareOut(models, events);
  const concerned = models.filter((model) => shareOf(model).events.length + unreadable.length > 0);
  const moved = await inTurn(client, concerned, async (model, db) => ({
    model,
    moves: await applyTogether(db, liveTable(model), shareOf(model), unreadable, parked(model.name)),
  }));
  return changesOfAll(client, moved);
};

/** One model after the other, with savepoints: parks the streams of events that a model cannot apply. */
const applyToEach: Apply = async (client, { models, parked }, decoded, log) => {
  const changes: Change[] = [];
  for (const model of models) changes.push(...(await applyOrPark(client, model, decoded, parked(model.name), log)));
  return changes;
};
