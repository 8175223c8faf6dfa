/**
 * One channel of one socket. What decides is the offset: a subscription takes only the change that comes next, so there
 * is no gap and no double whatever happens around it. While it is not up with the feed's reader it reads its channel
 * itself, from its own place; nothing is buffered meanwhile, the reader only tells it how far there is to go.
 */
import { type Change, type ChangeLog, continues, PAGE } from './changeLog.ts';
import { encode, type Place } from './protocol.ts';
import type { Outbox } from './sendQueue.ts';

export interface SubscriptionOptions {
  /** The channel as the client wrote it: what its frames say. */
  readonly name: string;
  readonly canonical: string;
  /** Where the client says it stands. */
  readonly since: Place | undefined;
  /** Id of the `subscribe` frame, echoed in the first `subscribed`. */
  readonly id: string | undefined;
  readonly log: ChangeLog;
  readonly outbox: Outbox;
  /** The channel could not be read: nothing more will be sent. */
  readonly onFailure: (error: unknown) => void;
}

export interface Subscription {
  readonly name: string;
  readonly canonical: string;
  readonly outbox: Outbox;
  /**
   * Sends `subscribed`, what was missed, then lets changes pass. Where the place is not to be had any more (another
   * epoch, pruned) it goes on from the present and says so. Called again, it starts over from the present place.
   */
  start(): void;
  /** The reader has come to this change. Queues it when it is next; the caller flushes. */
  offer(change: Change): void;
  stop(): void;
}

export const createSubscription = (options: SubscriptionOptions): Subscription => {
  const { name, canonical, outbox, log } = options;
  let place = options.since && { ...options.since };
  let { id } = options;
  let live = false;
  /** The change the reader has come to while not live. */
  let passed: Change | undefined;
  /** Counts starts and stops, so that a reading under way knows that it was called off. */
  let run = 0;

  const announce = (at: Place, recovered: boolean): void => {
    outbox.queue(encode({ type: 'subscribed', channel: name, ...at, recovered, id }));
    id = undefined;
  };

  /** Queues changes no faster than the socket takes them. */
  const replay = async (changes: readonly Change[], at: Place, calledOff: () => boolean): Promise<void> => {
    for (const change of changes) {
      outbox.queue(change.frame(name));
      at.offset = change.offset;
      if (outbox.hasRoom()) continue;
      outbox.flush();
      await outbox.emptied();
      if (calledOff()) return;
    }
    outbox.flush();
  };

  const catchUp = async (calledOff: () => boolean): Promise<void> => {
    let page = await log.page(canonical, place?.offset);
    if (calledOff()) return;
    const known = place && continues(page, place) ? place : undefined;
    const at = known ?? { epoch: page.epoch, offset: page.last };
    place = at;
    announce(at, known !== undefined);
    await replay(known ? page.changes : [], at, calledOff);
    while (!calledOff()) {
      const isBehind = passed?.epoch === at.epoch && passed.offset > at.offset;
      if (page.changes.length < PAGE && !isBehind) {
        live = true;
        return;
      }
      page = await log.page(canonical, at.offset);
      if (calledOff()) return;
      if (!continues(page, at)) return start();
      await replay(page.changes, at, calledOff);
    }
  };

  const start = (): void => {
    run += 1;
    const mine = run;
    const calledOff = () => run !== mine;
    live = false;
    passed = undefined;
    catchUp(calledOff).catch((error: unknown) => {
      if (!calledOff()) options.onFailure(error);
    });
  };

  return {
    name,
    canonical,
    outbox,
    start,
    offer: (change) => {
      if (!live || !place) {
        passed = change;
      } else if (change.epoch !== place.epoch) {
        return; // read before the epoch that this place is of had begun
      } else if (change.offset === place.offset + 1) {
        place.offset = change.offset;
        outbox.queue(change.frame(name));
      } else if (change.offset > place.offset) {
        start();
      }
    },
    stop: () => {
      run += 1;
      live = false;
    },
  };
};
