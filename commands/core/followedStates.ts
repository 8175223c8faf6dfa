/**
 * Some states are asked for all the time and seldom change: in an API process what prices are quoted from, in a worker up
 * to where people have read their chats. The process follows their events: while it is up to date, a cached state that no
 * event came after is as good as one that is read, and nothing is read.
 */
import { MINUTE_MS } from '../../domain/core/instants.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import { subscribeFromNow } from '../../eventstore/subscribe.ts';
import type { Logger } from '../../infra/log.ts';

/** An aggregate that may be followed. */
export interface Followable {
  readonly category: string;
  readonly events: object;
}

/** A cached state, as far as it matters here. */
interface Cached {
  /** When the read began that showed it to be the newest (`performance.now()`). */
  readonly asOf: number;
  readonly loaded: { readonly revision: bigint | null };
}

export interface FollowedStates {
  /** Whether nothing was appended since the state was read, as far as this process knows. */
  isUnchanged(category: string, stream: string, cached: Cached): boolean;
  /** Follows the events of these aggregates until the signal fires. It is no fault when the event store is away. */
  follow(
    deps: { readonly store: EventStore; readonly log: Logger },
    aggregates: readonly Followable[],
    signal: AbortSignal,
  ): Promise<void>;
}

/**
 * A state is read again after this long, whatever is known. A subscription that is silent looks for missed events after
 * seconds: this is for faults that nobody has thought of.
 */
const LONGEST_MS = 5 * MINUTE_MS;
/** Streams whose last events are known. At more, all states are read again. */
const MOST_STREAMS = 20_000;

export const createFollowedStates = (): FollowedStates => {
  const revisions = new Map<string, bigint>();
  let categories: ReadonlySet<string> = new Set();
  let isLive = false;
  /** Since when each event was delivered (`performance.now()`). */
  let since = Number.POSITIVE_INFINITY;

  return {
    isUnchanged: (category, stream, { asOf, loaded }) =>
      categories.has(category) &&
      asOf >= since &&
      performance.now() - asOf <= LONGEST_MS &&
      (loaded.revision ?? -1n) >= (revisions.get(stream) ?? -1n),
    follow: async ({ store, log }, aggregates, signal) => {
      categories = new Set(aggregates.map(({ category }) => category));
      await subscribeFromNow({
        store,
        name: 'followed',
        log,
        signal,
        types: new Set(aggregates.flatMap(({ events }) => Object.keys(events))),
        onLive: (becomesLive) => {
          isLive = becomesLive;
          since = isLive ? performance.now() : Number.POSITIVE_INFINITY;
        },
        handle: async ({ events }) => {
          for (const { stream, revision } of events) revisions.set(stream, revision);
          if (revisions.size <= MOST_STREAMS) return;
          revisions.clear();
          if (isLive) since = performance.now();
        },
      });
    },
  };
};
