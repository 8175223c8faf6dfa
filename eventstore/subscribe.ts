/**
 * A subscription that never stops silently. It delivers bounded batches in order, one at a time. After a drop it
 * subscribes again behind the last handled position, and when no events arrive, it checks the log for missed ones.
 */
import type { Position } from '../domain/core/decider.ts';
import { createBell } from '../infra/bell.ts';
import { IncompatibleData } from '../infra/incompatible.ts';
import type { Logger } from '../infra/log.ts';
import { metrics } from '../infra/metrics.ts';
import { createBackoff, orAborted, sleep } from '../infra/retry.ts';
import type { EventStore, StoredEvent, SubscriptionHandlers } from './client/index.ts';

export interface Batch {
  /** Empty when only the position moved, past events that the subscription excludes. */
  readonly events: readonly StoredEvent[];
  /** Everything up to here is in this batch or an earlier one. */
  readonly position: Position;
  /** No further event was known when the batch was formed. */
  readonly caughtUp: boolean;
}

export interface SubscribeOptions {
  readonly store: EventStore;
  readonly name: string;
  readonly after: Position | null;
  readonly log: Logger;
  /** Ends the subscription; `subscribe` then resolves. */
  readonly signal: AbortSignal;
  readonly maxBatch?: number;
  /** Only events of these types are delivered; the server leaves out the others. */
  readonly types?: ReadonlySet<string>;
  /** How long further events are waited for when one has arrived, so that they are handled together. */
  readonly gatherMs?: number;
  /**
   * Once it has caught up and is busy, a batch begins at least this long after the one before: under load, events are handled
   * together. A single event does not wait, nor does one that follows it, such as a booking its hold.
   */
  readonly paceMs?: number;
  /** After this long without any message, the log is checked for missed events. */
  readonly silenceMs?: number;
  /** Told when every event that the log has was handled, and when the connection ends after that. */
  readonly onLive?: (isLive: boolean) => void;
  /** Runs before each connection. When it throws `IncompatibleData`, the subscription ends with it. */
  readonly verify?: () => Promise<void>;
  /** When it throws, the same events are delivered again after a backoff. */
  readonly handle: (batch: Batch) => Promise<void>;
}

const MAX_BATCH = 1_000;
const SILENCE_MS = 5_000;
/** Time for events that are in the log already and still on their way. */
const GRACE_MS = 1_000;
const PROBE = 500;

export const isAfter = (a: Position, b: Position | null): boolean =>
  b === null || a.commit > b.commit || (a.commit === b.commit && a.prepare > b.prepare);
export const laterOf = (a: Position | null, b: Position | null): Position | null => {
  if (a === null || b === null) return a ?? b;
  return isAfter(b, a) ? b : a;
};

/** A server ended the subscription because it fell behind. That is no fault: nothing was lost, and it can be resumed. */
class FellBehind extends Error {}

/**
 * Follows the log until `signal` aborts, then resolves.
 * @throws IncompatibleData what `verify` throws; anything else is repeated
 */
export const subscribe = async (options: SubscribeOptions): Promise<void> => {
  const { log, signal, name: subscription } = options;
  const backoff = createBackoff();
  let handled = options.after;
  let isFirst = true;
  while (!signal.aborted) {
    let hasMoved = false;
    try {
      await options.verify?.();
      await follow(options, handled, (position) => {
        handled = position;
        hasMoved = true;
        backoff.reset();
      });
    } catch (err) {
      if (signal.aborted) return;
      if (err instanceof IncompatibleData) throw err;
      if (err instanceof FellBehind && hasMoved) {
        metrics.eventstoreFellBehind.inc({ subscription });
        continue;
      }
      const waitMs = backoff.next();
      // An outage is one line; the client of the event store says when it ends.
      log[isFirst || hasMoved ? 'warn' : 'debug']({ err, subscription, waitMs }, 'subscription dropped, resuming');
      isFirst = false;
      metrics.eventstoreReconnects.inc({ subscription });
      await sleep(waitMs, signal);
    }
  }
};

/** The end of the log, as soon as the event store says it. */
const headOf = async (store: EventStore, signal: AbortSignal): Promise<Position | null> => {
  for (const backoff = createBackoff(); !signal.aborted; )
    try {
      return await store.head();
    } catch {
      await sleep(backoff.next(), signal);
    }
  return null;
};

/** Follows what is appended from now on. It is no fault when the event store is away. */
export const subscribeFromNow = async (options: Omit<SubscribeOptions, 'after'>): Promise<void> => {
  const after = await headOf(options.store, options.signal);
  if (!options.signal.aborted) await subscribe({ ...options, after });
};

/** Follows the log over one connection. Rejects when it drops or a batch fails. */
const follow = async (
  options: SubscribeOptions,
  from: Position | null,
  moved: (to: Position) => void,
): Promise<void> => {
  const {
    store,
    signal,
    handle,
    types,
    maxBatch = MAX_BATCH,
    silenceMs = SILENCE_MS,
    gatherMs = 0,
    paceMs = 0,
    onLive,
  } = options;
  const bell = createBell();
  let queue: StoredEvent[] = [];
  /** A later position without events for us. It counts once all queued events are handled. */
  let reached: Position | null = null;
  let handled = from;
  let caughtUp = false;
  let isLive = false;
  let begunAt = Number.NEGATIVE_INFINITY;
  let isBusy = false;
  let dropped: Error | undefined;

  const on: SubscriptionHandlers = {
    event(event) {
      queue.push(event);
      if (queue.length >= 2 * maxBatch) subscription.pause();
      bell.ring();
    },
    checkpoint(position) {
      reached = position;
      bell.ring();
    },
    caughtUp() {
      caughtUp = true;
      bell.ring();
    },
    dropped(reason, tooSlow = false) {
      dropped = tooSlow ? new FellBehind(reason) : new Error(reason);
      bell.ring();
    },
  };
  const subscription = store.subscribe(from, on, types);
  signal.addEventListener('abort', bell.ring);

  const nextBatch = (): Batch | undefined => {
    const events = queue.slice(0, maxBatch);
    queue = queue.slice(maxBatch);
    if (queue.length < maxBatch) subscription.resume();
    const last = events.at(-1)?.position ?? null;
    const position = queue.length === 0 ? laterOf(last, reached) : last;
    if (position === null || !isAfter(position, handled)) return undefined;
    return { events, position, caughtUp: caughtUp && queue.length === 0 };
  };

  /**
   * Only an event for us after `handled` proves that something was missed: the subscription excludes all others.
   */
  const probe = async () => {
    const { events, last } = await store.readAll({ ...(handled && { after: handled }), max: PROBE });
    if (!events.some(({ type }) => types?.has(type) ?? true)) reached = laterOf(reached, last);
    else if (!(await bell.heard(GRACE_MS))) throw new Error('no events arrived although the log has new ones');
    else bell.ring();
  };

  const tellIfLive = (): void => {
    if (!caughtUp || queue.length > 0 || isLive) return;
    isLive = true;
    onLive?.(true);
  };

  /** How long the next batch must still wait for more events: see `paceMs`. */
  const paceLeftMs = (): number => (caughtUp && isBusy && queue.length > 0 ? begunAt + paceMs - performance.now() : 0);

  const deliver = async (batch: Batch): Promise<void> => {
    const now = performance.now();
    isBusy = now - begunAt < 2 * paceMs;
    begunAt = now;
    await handle(batch);
    handled = batch.position;
    moved(handled);
  };

  try {
    while (!signal.aborted) {
      tellIfLive();
      const waitMs = paceLeftMs();
      if (waitMs > 0) await sleep(waitMs, signal);
      const batch = nextBatch();
      if (batch) await deliver(batch);
      else if (dropped) throw dropped;
      else if (!(await bell.heard(silenceMs))) await orAborted(probe(), signal);
      else if (gatherMs > 0) await sleep(gatherMs, signal);
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    if (isLive) onLive?.(false);
    await subscription.stop();
  }
};
