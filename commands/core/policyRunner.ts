/**
 * Has the policies follow the log. Each has its own checkpoint and lease, but a worker follows the log once for all
 * policies that it runs: every event is delivered and decoded once, and one statement saves their checkpoints.
 */
import type { Position, Recorded } from '../../domain/core/decider.ts';
import { listHandled } from '../../eventstore/checkpoints.ts';
import { assertSameLog } from '../../eventstore/identity.ts';
import { type Batch, isAfter, subscribe } from '../../eventstore/subscribe.ts';
import { tracksOf } from '../../eventstore/tracks.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { type GroupLease, shareLeases } from '../../infra/leaseGroup.ts';
import { createBackoff, linkSignals, sleep } from '../../infra/retry.ts';
import type { CoreDeps } from './deps.ts';
import type { Policy, PolicyRetry } from './policy.ts';
import { createSaver, type Saver } from './policyCheckpoints.ts';
import { type PolicyPart, partsOf, startOf } from './policyParts.ts';
import { createPolicyQueue, type PolicyQueue } from './policyQueue.ts';

const MAX_BATCH = 500;
const GATHER_MS = 5;
/** Under load, so that events are decoded together, with one question for their keys. */
const PACE_MS = 20;

/** A policy, or a part of one, that this process runs. */
interface Held<Deps> {
  readonly part: PolicyPart<Deps>;
  readonly lease: GroupLease;
  /** Where it continues. */
  readonly after: Position | null;
}

/** Policies whose checkpoints are near each other, foremost first. They follow the log together. */
type Track<Deps> = readonly Held<Deps>[];

/** Decodes a batch once, and gives each policy the events that are for it and that it has not handled before. */
const distribute = async <Deps extends CoreDeps>(
  { codec }: Deps,
  queues: ReadonlyMap<Held<Deps>, PolicyQueue>,
  { events, position }: Batch,
): Promise<void> => {
  const isFor =
    ({ part, after }: Held<Deps>) =>
    (event: Pick<Recorded, 'type' | 'stream' | 'position'>): boolean =>
      part.takes(event) && isAfter(event.position, after);
  const isForAny = [...queues.keys()].map(isFor);
  const wanted = events.filter((event) => isForAny.some((isForOne) => isForOne(event)));
  const decoded = await codec.decodeEach<Recorded>(wanted, { address: false });
  for (const [held, queue] of queues)
    queue.add({
      events: decoded.events.filter(isFor(held)),
      unreadable: decoded.unreadable.filter(({ event }) => isFor(held)(event)),
      position,
      last: events.at(-1),
    });
};

/**
 * Follows the log with some policies until the signal fires. What has begun has then ended, and is saved.
 * @param onCaughtUp called when they have handled all there is
 */
const follow = async <Deps extends CoreDeps>(
  deps: Deps,
  track: Track<Deps>,
  retry: PolicyRetry<Deps>,
  signal: AbortSignal,
  onCaughtUp?: () => void,
): Promise<void> => {
  let saver: Saver | undefined;
  const queues = new Map(
    track.map((held) => [held, createPolicyQueue(deps, held.part.policy, retry, signal, () => saver?.request())]),
  );
  saver = createSaver(deps, new Map([...queues].map(([{ lease }, queue]) => [lease, queue])));
  const names = track.map(({ lease }) => lease.name);
  try {
    await subscribe({
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
        await distribute(deps, queues, batch);
        const all = [...queues.values()];
        if (!all.some((queue) => queue.isBusy())) saver.request();
        await Promise.all(all.map((queue) => queue.hasRoom()));
        if (!batch.caughtUp || !onCaughtUp) return;
        await Promise.all(all.map((queue) => queue.idle()));
        onCaughtUp();
      },
    });
  } finally {
    await Promise.all([...queues.values()].map((queue) => queue.idle()));
    await saver.end();
  }
};

/** Follows the log with all policies that are held, until the signal fires or one that was behind has caught up. */
const followAll = async <Deps extends CoreDeps>(
  deps: Deps,
  parts: readonly PolicyPart<Deps>[],
  leases: readonly GroupLease[],
  retry: PolicyRetry<Deps>,
  signal: AbortSignal,
): Promise<void> => {
  const handled = await listHandled(deps.pool);
  const held = parts.flatMap((part): Held<Deps>[] => {
    const lease = leases.find(({ name }) => name === part.consumer);
    return lease ? [{ part, lease, after: startOf(part, handled) }] : [];
  });
  const { signal: untilChange, end } = linkSignals(signal);
  const following = tracksOf(held).map((track, n) =>
    follow(deps, track, retry, untilChange, n > 0 ? end : undefined).finally(end),
  );
  await Promise.allSettled(following);
  await Promise.all(following);
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
      await followAll(deps, parts, leases, retry, untilChange);
      backoff.reset();
    } catch (err) {
      if (err instanceof IncompatibleData) throw err;
      deps.log.error({ err, policies: leases.map(({ name }) => name) }, 'policies stopped and restart');
      await sleep(backoff.next(), untilChange);
    }
  });
};
