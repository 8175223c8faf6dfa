/** One catch-up subscription of the client, with all its messages in order. */
import { type AllStreamResolvedEvent, eventTypeFilter, START } from '@eventstore/db-client';
import type { Position } from '../../domain/core/decider.ts';
import { withTimeout } from '../../infra/retry.ts';
import type { RawSubscription, SubscriptionHandlers } from '../store.ts';
import { isTooSlow } from './errors.ts';
import type { GuardedClient } from './guardedClient.ts';
import { toStored } from './stored.ts';

/** EventStoreDB 24.6 can report 2^64−1 for "nowhere". */
const NOWHERE = 2n ** 64n - 1n;

/**
 * The client emits checkpoints and "caught up" before events that it still buffers. Pushed into its queue as callbacks,
 * they are called in their order.
 */
type Delivery = AllStreamResolvedEvent | (() => void);

/** System events begin with `$`. Names of types are words, so none means anything else in the expression. */
const patternOf = (types: ReadonlySet<string> | undefined): string =>
  types === undefined ? '^[^$].*' : `^(?:${[...types].join('|')})$`;

export const subscribeToAll = (
  client: GuardedClient,
  after: Position | null,
  on: SubscriptionHandlers,
  types?: ReadonlySet<string>,
): RawSubscription => {
  const subscription = client.subscribeToAll({
    fromPosition: after ?? START,
    requiresLeader: true,
    filter: eventTypeFilter({
      regex: patternOf(types),
      checkpointInterval: 32,
      checkpointReached: (_, position) => {
        if (position.commit !== NOWHERE) subscription.push(() => on.checkpoint(position));
      },
    }),
  });
  let live = true;
  const drop = (reason: string, tooSlow = false) => {
    if (live) on.dropped(reason, tooSlow);
    live = false;
  };
  const deliver = (delivery: Delivery) => {
    if (!live) return;
    if (typeof delivery === 'function') delivery();
    else for (const event of toStored(delivery)) on.event(event);
  };
  subscription
    .on('caughtUp', () => void subscription.push(() => on.caughtUp()))
    .on('data', deliver)
    .on('error', (error: Error) => drop(error.message, isTooSlow(error)))
    .on('end', () => drop('ended by the server'))
    .on('close', () => drop('closed'));
  return {
    pause: () => void subscription.pause(),
    resume: () => void subscription.resume(),
    stop: async () => {
      live = false;
      await withTimeout(subscription.unsubscribe(), 1_000, 'unsubscribe').catch(() => subscription.destroy());
    },
  };
};
