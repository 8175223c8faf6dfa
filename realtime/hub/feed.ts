/** The only reader of the changes table: follows it by id, woken by NOTIFY, and offers each change to its subscriptions. */
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { sleep } from '../../infra/retry.ts';
import { type Change, type ChangeLog, PAGE } from './changeLog.ts';
import type { SendQueue } from './sendQueue.ts';
import type { Subscription } from './subscription.ts';

export interface Feed {
  add(subscription: Subscription): void;
  remove(subscription: Subscription): void;
  /** Reads now: there may be new changes. */
  wake(): void;
  /** Whether the table was read within the last seconds. */
  healthy(): boolean;
  stop(): Promise<void>;
}

/** NOTIFY wakes the reader. This interval covers a notification that got lost. */
const POLL_MS = 2_000;
const STALE_MS = 3 * POLL_MS;

/** Starts at the current end of the table. @throws when the table cannot be read */
export const createFeed = async (log: ChangeLog, logger: Logger): Promise<Feed> => {
  const channels = new Map<string, Set<Subscription>>();
  const stopping = new AbortController();
  let { epoch, id: lastChangeId } = await log.head();
  let woken = new AbortController();
  let readAt = performance.now();

  const fanOut = (changes: readonly Change[]): void => {
    const touched = new Set<SendQueue>();
    for (const change of changes) {
      lastChangeId = change.id;
      for (const subscription of channels.get(change.channel) ?? []) {
        subscription.offer(change);
        touched.add(subscription.sendQueue);
      }
    }
    for (const sendQueue of touched) sendQueue.flush();
    metrics.hubOffset.set(lastChangeId);
  };

  /** A new epoch: offsets of the old one mean nothing any more. Every subscription restarts at the current end. */
  const startOver = async (): Promise<void> => {
    ({ epoch, id: lastChangeId } = await log.head());
    logger.info({ epoch }, 'new epoch');
    for (const subscriptions of channels.values()) for (const subscription of subscriptions) subscription.start();
  };

  const read = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const page = await log.after(lastChangeId);
      readAt = performance.now();
      if (page.epoch !== epoch) {
        await startOver();
        continue;
      }
      fanOut(page.changes);
      if (page.changes.length < PAGE) return;
    }
  };

  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(POLL_MS, woken.signal, stopping.signal);
      woken = new AbortController();
      await read().catch((err: unknown) => logger.warn({ err }, 'cannot read the changes, trying again'));
    }
  };
  const following = follow();

  return {
    add: (subscription) => {
      const subscriptions = channels.get(subscription.canonical) ?? new Set();
      channels.set(subscription.canonical, subscriptions.add(subscription));
      metrics.hubSubscriptions.inc();
      subscription.start();
    },
    remove: (subscription) => {
      const subscriptions = channels.get(subscription.canonical);
      if (!subscriptions?.delete(subscription)) return;
      if (subscriptions.size === 0) channels.delete(subscription.canonical);
      metrics.hubSubscriptions.dec();
      subscription.stop();
    },
    wake: () => woken.abort(),
    healthy: () => performance.now() - readAt < STALE_MS,
    stop: async () => {
      stopping.abort();
      await following;
    },
  };
};
