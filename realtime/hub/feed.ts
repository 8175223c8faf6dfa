/** The only reader of the changes table: follows it by id, woken by NOTIFY, and sends each change to its listeners. */
import { createBell } from '../../infra/bell.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { isLocked } from '../../infra/storeFaults.ts';
import type { Ephemeral } from '../../projections/engine/ephemeral.ts';
import { type Change, type ChangeLog, type FeedPage, PAGE } from './changeLog.ts';
import { createListeners, type Listeners, type Publish } from './listeners.ts';
import type { Subscription } from './subscription.ts';

export interface Feed {
  add(subscription: Subscription): void;
  remove(subscription: Subscription): void;
  isListenedTo(channel: string): boolean;
  /** Sends a message that is not stored. */
  tell(message: Ephemeral): void;
  /** There may be new changes, of these channels or of any: reads now, unless nobody listens to them. */
  wake(changed?: readonly string[]): void;
  /** Whether the table was read within the last seconds. */
  healthy(): boolean;
  stop(): Promise<void>;
}

/** NOTIFY wakes the reader. This interval covers a notification that got lost. */
const POLL_MS = 2_000;
const STALE_MS = 3 * POLL_MS;
/**
 * Up to this many channels are named in the query. With more, all changes are read, and most of them are listened to.
 */
const NAMED_CHANNELS = 100;

/** A lock of whoever puts new tables in place ends soon: after this long, in milliseconds, something else is wrong. */
const LONGEST_LOCK_MS = 60_000;

const firstHead = async (log: ChangeLog): ReturnType<ChangeLog['head']> => {
  const until = performance.now() + LONGEST_LOCK_MS;
  for (const backoff = createBackoff(); ; )
    try {
      return await log.head();
    } catch (error) {
      if (!isLocked(error) || performance.now() > until) throw error;
      await sleep(backoff.next());
    }
};

/** Starts at the current end of the table. @throws when the table cannot be read */
export const createFeed = async (log: ChangeLog, publish: Publish, logger: Logger): Promise<Feed> => {
  const channels = new Map<string, Listeners>();
  const bell = createBell();
  let stopping = false;
  let { epoch, id: lastChangeId } = await firstHead(log);
  let readAt = performance.now();
  /** Counts the channels that somebody began to listen to. */
  let beginnings = 0;

  const fanOut = (changes: readonly Change[]): void => {
    const touched = new Set<Listeners>();
    for (const change of changes) {
      const listeners = channels.get(change.channel);
      if (!listeners) continue;
      touched.add(listeners);
      listeners.send(change);
      logger.debug({ channel: change.channel, offset: change.offset, subscriptions: listeners.size }, 'change sent');
    }
    for (const listeners of touched) listeners.settle();
  };

  /** A new epoch: offsets of the old one mean nothing any more. Every subscription restarts at the current end. */
  const startOver = async (): Promise<void> => {
    ({ epoch, id: lastChangeId } = await log.head());
    logger.info({ epoch }, 'new epoch');
    for (const listeners of channels.values()) listeners.restart();
  };

  /** Reads only what somebody listens to, unless those channels are many. */
  const next = async (): Promise<FeedPage> => {
    if (channels.size > NAMED_CHANNELS) return log.after(lastChangeId);
    const before = beginnings;
    const page = await log.after(lastChangeId, [...channels.keys()]);
    // It left out the channels that somebody began to listen to meanwhile.
    return before === beginnings ? page : log.after(lastChangeId);
  };

  const read = async (): Promise<void> => {
    while (!stopping) {
      const page = await next();
      readAt = performance.now();
      if (page.epoch !== epoch) {
        await startOver();
        continue;
      }
      // Each subscription looks whether something of its channel is missing.
      if (page.misses) for (const listeners of channels.values()) listeners.restart();
      fanOut(page.changes);
      lastChangeId = page.upTo;
      metrics.hubOffset.set(lastChangeId);
      if (page.changes.length < PAGE) return;
    }
  };

  const follow = async (): Promise<void> => {
    while (!stopping) {
      await bell.heard(POLL_MS);
      await read().catch((err: unknown) => logger.warn({ err }, 'cannot read the changes, trying again'));
    }
  };
  const following = follow();

  return {
    add: (subscription) => {
      const listeners = channels.get(subscription.canonical) ?? createListeners(publish);
      if (listeners.size === 0) beginnings += 1;
      channels.set(subscription.canonical, listeners);
      listeners.add(subscription);
      metrics.hubSubscriptions.inc();
      subscription.start();
    },
    remove: (subscription) => {
      const listeners = channels.get(subscription.canonical);
      if (!listeners?.remove(subscription)) return;
      if (listeners.size === 0) channels.delete(subscription.canonical);
      metrics.hubSubscriptions.dec();
      subscription.stop();
    },
    isListenedTo: (channel) => channels.has(channel),
    tell: ({ channel, ...message }) =>
      channels.get(channel)?.tell((name) => Buffer.from(JSON.stringify({ channel: name, ...message }))),
    wake: (changed) => {
      if (!changed || changed.some((channel) => channels.has(channel))) bell.ring();
    },
    healthy: () => performance.now() - readAt < STALE_MS,
    stop: async () => {
      stopping = true;
      bell.ring();
      await following;
    },
  };
};
