/**
 * Has the policies follow the log. Each has its own checkpoint and lease, but a worker follows the log once for all
 * policies that it runs: every event is delivered and decoded once, and one statement saves their checkpoints.
 */
import type { Position, Recorded } from '../../domain/core/decider.ts';
import { listHandled } from '../../eventstore/checkpoints.ts';
import { assertSameLog } from '../../eventstore/identity.ts';
import { type Batch, isAfter, laterOf, subscribe } from '../../eventstore/subscribe.ts';
import { tracksOf } from '../../eventstore/tracks.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { type Lease, shareLeases } from '../../infra/leases.ts';
import { createBackoff, linkSignals, sleep, withTimeout } from '../../infra/retry.ts';
import type { CoreDeps } from './deps.ts';
import type { Policy, PolicyRetry } from './policy.ts';
import { createSaver, type Saver } from './policyCheckpoints.ts';
import { type PolicyPart, partsOf, startOf } from './policyParts.ts';
import { createPolicyQueue, type PolicyQueue } from './policyQueue.ts';

const MAX_BATCH = 500;
const GATHER_MS = 5;
/** Under load, so that events are decoded together, with one question for their keys. */
const PACE_MS = 20;

/** How long a handler may go on when its policy is let go: the other policies wait for it so long. */
const LET_GO_MS = 5_000;

/** A policy, or a part of one, that this process runs. */
interface Held<Deps> {
  readonly part: PolicyPart<Deps>;
  readonly lease: Lease;
  readonly queue: PolicyQueue;
  /** Where it continues. */
  readonly after: Position | null;
}

/** Policies whose checkpoints are near each other, foremost first. They follow the log together. */
type Track<Deps> = readonly Held<Deps>[];

/** Decodes a batch once, and gives each policy the events that are for it and that it has not been given before. */
const distribute = async <Deps extends CoreDeps>(
  { codec }: Deps,
  track: Track<Deps>,
  { events, position }: Batch,
): Promise<void> => {
  const isFor =
    ({ part, after }: Held<Deps>) =>
    (event: Pick<Recorded, 'type' | 'stream' | 'position'>): boolean =>
      part.takes(event) && isAfter(event.position, after);
  const isForAny = track.map(isFor);
  const wanted = events.filter((event) => isForAny.some((isForOne) => isForOne(event)));
  const decoded = await codec.decodeEach<Recorded>(wanted, { address: false });
  for (const held of track)
    held.queue.add({
      events: decoded.events.filter(isFor(held)),
      unreadable: decoded.unreadable.filter(({ event }) => isFor(held)(event)),
      position,
      last: events.at(-1),
    });
};

/**
 * Follows the log with some policies until the signal fires. What they were given then goes on being handled.
 * @param onMoved called when they were given events, or a position
 * @param apart called when one of several has so many events to handle that it must follow the log alone
 * @param onCaughtUp called when they were given all there is
 */
const follow = <Deps extends CoreDeps>(
  deps: Deps,
  track: Track<Deps>,
  signal: AbortSignal,
  { onMoved, apart, onCaughtUp }: { onMoved(): void; apart(): void; onCaughtUp: (() => void) | undefined },
): Promise<void> => {
  const names = track.map(({ lease }) => lease.name);
  return subscribe({
    store: deps.store,
    name: 'policies',
    after: track.at(-1)?.after ?? null,
    log: deps.log,
    signal,
    types: new Set(track.flatMap(({ part }) => [...part.policy.handlers.keys()])),
    maxBatch: MAX_BATCH,
    gatherMs: GATHER_MS,
    paceMs: PACE_MS,
    verify: () => assertSameLog(deps.pool, deps.store, { consumers: names }),
    handle: async (batch) => {
      await distribute(deps, track, batch);
      onMoved();
      if (track.length > 1 && track.some(({ queue }) => queue.isFull())) return apart();
      await Promise.all(track.map(({ queue }) => queue.hasRoom(signal)));
      if (batch.caughtUp) onCaughtUp?.();
    },
  });
};

/**
 * Follows the log with all policies until the signal fires: together, but for those that are far behind, and those that
 * have too much to handle. These follow it alone until they have caught up, so that no policy waits for another.
 */
const followAll = async <Deps extends CoreDeps>(
  deps: Deps,
  all: readonly Held<Deps>[],
  onMoved: () => void,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const placed = all.map((held) => ({ ...held, after: laterOf(held.after, held.queue.added() ?? null) }));
    const together = tracksOf(placed.filter(({ queue }) => !queue.isFull()));
    const alone = placed.filter(({ queue }) => queue.isFull()).map((held) => [held]);
    const { signal: untilChange, end } = linkSignals(signal);
    const following = [...together, ...alone].map((track, n) =>
      follow(deps, track, untilChange, { onMoved, apart: end, onCaughtUp: n > 0 ? end : undefined }).finally(end),
    );
    await Promise.allSettled(following);
    await Promise.all(following);
  }
};

/** Runs the policies whose leases are held, until the signal fires. What has begun has then ended, and is saved. */
const runHeld = async <Deps extends CoreDeps>(
  deps: Deps,
  parts: readonly PolicyPart<Deps>[],
  leases: readonly Lease[],
  retry: PolicyRetry<Deps>,
  stopping: AbortSignal,
): Promise<void> => {
  const handled = await listHandled(deps.pool);
  const { signal, end } = linkSignals(stopping);
  let saver: Saver | undefined;
  const onMoved = () => saver?.request();
  const all = parts.flatMap((part): Held<Deps>[] => {
    const lease = leases.find(({ name }) => name === part.consumer);
    if (!lease) return [];
    const queue = createPolicyQueue(deps, part.policy, retry, signal, onMoved);
    return [{ part, lease, queue, after: startOf(part, handled) }];
  });
  saver = createSaver(deps, new Map(all.map(({ lease, queue }) => [lease, queue])));
  try {
    await followAll(deps, all, onMoved, signal);
  } finally {
    end();
    await withTimeout(Promise.all(all.map(({ queue }) => queue.idle())), LET_GO_MS, 'handlers go on').catch(() => {
      const policies = all.filter(({ queue }) => queue.isBusy()).map(({ lease }) => lease.name);
      deps.log.warn({ policies }, 'handlers of policies do not end: their events are handled again');
    });
    await saver.end();
  }
};

/**
 * Runs policies until `signal` fires. Workers share them: each runs its part, and takes over those of one that ended.
 * @throws IncompatibleData when the log is not the one that this database follows
 */
export const runPolicies = async <Deps extends CoreDeps>(
  deps: Deps,
  policies: readonly Policy<Deps>[],
  retry: PolicyRetry<Deps>,
  signal: AbortSignal,
): Promise<void> => {
  const parts = partsOf(policies, deps.settings.policyParts);
  const names = parts.map(({ consumer }) => consumer);
  const options = { group: 'policies', names, signal, log: deps.log };
  const backoff = createBackoff();
  await shareLeases(deps.pool, options, async (leases, untilChange) => {
    try {
      await runHeld(deps, parts, leases, retry, untilChange);
      backoff.reset();
    } catch (err) {
      if (err instanceof IncompatibleData) throw err;
      deps.log.error({ err, policies: leases.map(({ name }) => name) }, 'policies stopped and restart');
      await sleep(backoff.next(), untilChange);
    }
  });
};
