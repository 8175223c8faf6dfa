/**
 * Some states are asked for all the time, or by many commands at once: in an API process what prices are quoted from and the
 * passes that gates scan, in a worker up to where people have read their chats. The process follows their events and takes
 * them into its cache. While it is up to date, a cached state that has them all is as good as one that is read, and nothing
 * is read. Commands are decided by the log all the same: an append is refused when the state was not the newest one.
 */
import { splitStream } from '../../domain/core/decider.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import { subscribeFromNow } from '../../eventstore/subscribe.ts';
import { groupBy } from '../../infra/groupBy.ts';
import type { Logger } from '../../infra/log.ts';
import type { AggregateCache, Foldable, Followed } from './aggregateCache.ts';

/** An aggregate that may be followed. */
export interface Followable extends Foldable {
  readonly category: string;
  readonly events: object;
}

interface FollowDeps {
  readonly store: EventStore;
  readonly log: Logger;
  /** The cache that the events are taken into. */
  readonly aggregates: Pick<AggregateCache, 'advance'>;
}

export interface FollowedStates extends Followed {
  /** Follows the events of these aggregates until the signal fires. It is no fault when the event store is away. */
  follow(deps: FollowDeps, followed: readonly Followable[], signal: AbortSignal): Promise<void>;
}

/**
 * A state is read again after this long, whatever is known. A subscription that is silent looks for missed events after
 * seconds: this is for faults that nobody has thought of.
 */
const LONGEST_MS = 5 * MINUTE_MS;
/** Streams whose last events are known. At more, all states are read again. */
const MOST_STREAMS = 20_000;
/** Events that come within this time are taken together. */
const PACE_MS = 50;

export const createFollowedStates = (): FollowedStates => {
  const revisions = new Map<string, bigint>();
  let byCategory: ReadonlyMap<string, Followable> = new Map();
  let isLive = false;
  /** Since when each event was delivered (`performance.now()`). */
  let since = Number.POSITIVE_INFINITY;

  return {
    isNewest: (category, stream, { asOf, loaded }) =>
      byCategory.has(category) &&
      asOf >= since &&
      performance.now() - asOf <= LONGEST_MS &&
      (loaded.revision ?? -1n) >= (revisions.get(stream) ?? -1n),
    follow: async ({ store, log, aggregates }, followed, signal) => {
      byCategory = new Map(followed.map((aggregate) => [aggregate.category, aggregate]));
      const remember = (stream: string, revision: bigint): void => {
        revisions.set(stream, revision);
        if (revisions.size <= MOST_STREAMS) return;
        revisions.clear();
        if (isLive) since = performance.now();
      };
      await subscribeFromNow({
        store,
        name: 'followed',
        log,
        signal,
        types: new Set(followed.flatMap(({ events }) => Object.keys(events))),
        paceMs: PACE_MS,
        onLive: (becomesLive) => {
          isLive = becomesLive;
          since = isLive ? performance.now() : Number.POSITIVE_INFINITY;
        },
        handle: async ({ events }) => {
          for (const { stream, revision } of events) remember(stream, revision);
          for (const [stream, next] of groupBy(events, (event) => event.stream)) {
            const aggregate = byCategory.get(splitStream(stream)[0]);
            if (!aggregate) continue;
            try {
              await aggregates.advance(aggregate, stream, next);
            } catch (err) {
              log.warn({ err, stream }, 'a state is read when it is asked for: its events cannot be decoded');
            }
          }
        },
      });
    },
  };
};
