/**
 * One channel of one socket. A subscription sends only the change with the next offset, so that no change is lost or
 * sent twice. While it is behind the feed it reads the changes of its channel itself, from its own cursor. It buffers
 * nothing meanwhile: it only remembers the newest change that the feed has offered.
 */
import { type Change, type ChangeLog, continues, PAGE } from './changeLog.ts';
import { type Cursor, encode } from './protocol.ts';
import type { SendQueue } from './sendQueue.ts';

export interface SubscriptionOptions {
  /** The channel as the client wrote it; frames carry this name. */
  readonly name: string;
  readonly canonical: string;
  /** The cursor that the client sent. */
  readonly since: Cursor | undefined;
  /** Id of the `subscribe` frame, echoed in the first `subscribed`. */
  readonly id: string | undefined;
  readonly log: ChangeLog;
  readonly sendQueue: SendQueue;
  /** The channel cannot be read: nothing more will be sent. */
  readonly onFailure: (error: unknown) => void;
}

export interface Subscription {
  readonly name: string;
  readonly canonical: string;
  readonly sendQueue: SendQueue;
  /**
   * Sends `subscribed`, then the changes after the cursor, then each new change. When the changes after the cursor are
   * gone (another epoch, pruned), it starts at the current end and says `recovered: false`. Called again, it restarts
   * from its cursor.
   */
  start(): void;
  /** The feed has read this change. Queues it when its offset is the next one; the caller flushes. */
  offer(change: Change): void;
  stop(): void;
}

export const createSubscription = (options: SubscriptionOptions): Subscription => {
  const { name, canonical, sendQueue, log } = options;
  let cursor = options.since && { ...options.since };
  let { id } = options;
  let live = false;
  /** The newest change that was offered while this subscription was not live. */
  let newest: Change | undefined;
  /** Counts starts and stops, so that a catch-up that is under way notices that it is obsolete. */
  let run = 0;

  const announce = (at: Cursor, recovered: boolean): void => {
    sendQueue.queue(encode({ type: 'subscribed', channel: name, ...at, recovered, id }));
    id = undefined;
  };

  /** Queues changes as fast as the socket takes them. */
  const replay = async (changes: readonly Change[], at: Cursor, calledOff: () => boolean): Promise<void> => {
    for (const change of changes) {
      sendQueue.queue(change.frame(name));
      at.offset = change.offset;
      if (sendQueue.hasRoom()) continue;
      sendQueue.flush();
      await sendQueue.emptied();
      if (calledOff()) return;
    }
    sendQueue.flush();
  };

  const catchUp = async (calledOff: () => boolean): Promise<void> => {
    let page = await log.page(canonical, cursor?.offset);
    if (calledOff()) return;
    const known = cursor && continues(page, cursor) ? cursor : undefined;
    const at = known ?? { epoch: page.epoch, offset: page.last };
    cursor = at;
    announce(at, known !== undefined);
    await replay(known ? page.changes : [], at, calledOff);
    while (!calledOff()) {
      const isBehind = newest?.epoch === at.epoch && newest.offset > at.offset;
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
    newest = undefined;
    catchUp(calledOff).catch((error: unknown) => {
      if (!calledOff()) options.onFailure(error);
    });
  };

  return {
    name,
    canonical,
    sendQueue,
    start,
    offer: (change) => {
      if (!live || !cursor) {
        newest = change;
      } else if (change.epoch !== cursor.epoch) {
        return; // read before the epoch of this cursor began
      } else if (change.offset === cursor.offset + 1) {
        cursor.offset = change.offset;
        sendQueue.queue(change.frame(name));
      } else if (change.offset > cursor.offset) {
        start();
      }
    },
    stop: () => {
      run += 1;
      live = false;
    },
  };
};
