/**
 * Aggregates that wait for a command, many at the same time, long after they were made: when the gates open, each pass is
 * scanned once. A process that follows their events has their states when the commands come, and reads nothing for them.
 */
import type { EventStore } from '../../eventstore/client/index.ts';
import { subscribeFromNow } from '../../eventstore/subscribe.ts';
import { groupBy } from '../../infra/groupBy.ts';
import type { Logger } from '../../infra/log.ts';
import type { Foldable } from './aggregateCache.ts';
import type { CachedAggregates } from './handle.ts';

/** An aggregate whose states are kept ready. */
export interface Ready extends Foldable {
  readonly category: string;
  readonly events: object;
}

interface ReadyDeps {
  readonly store: EventStore;
  readonly log: Logger;
  readonly aggregates: CachedAggregates;
}

/** Events that come within this time are taken together: nobody waits for them. */
const PACE_MS = 50;

/**
 * Takes the events of these aggregates into the cache until the signal fires. It is no fault when the event store is away, or
 * when events come late: commands are decided by the log.
 */
export const keepReady = async (
  { store, log, aggregates }: ReadyDeps,
  kept: readonly Ready[],
  signal: AbortSignal,
): Promise<void> => {
  const byCategory = new Map(kept.map((aggregate) => [aggregate.category, aggregate]));
  await subscribeFromNow({
    store,
    name: 'ready',
    log,
    signal,
    types: new Set(kept.flatMap(({ events }) => Object.keys(events))),
    paceMs: PACE_MS,
    handle: async ({ events }) => {
      for (const [stream, next] of groupBy(events, (event) => event.stream)) {
        const aggregate = byCategory.get(stream.slice(0, stream.indexOf('-')));
        if (!aggregate) continue;
        try {
          await aggregates.advance(aggregate, stream, next);
        } catch (err) {
          log.warn({ err, stream }, 'a state is not kept ready: its events cannot be decoded');
        }
      }
    },
  });
};
