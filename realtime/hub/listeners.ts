/**
 * The subscriptions of one channel. Those whose sockets keep up are joined to a topic of the transport, and a change is
 * published once for all of them. The others, which catch up or read slowly, are offered each change one by one, and
 * join once they have everything.
 */
import { metrics } from '../../infra/metrics.ts';
import type { Change } from './changeLog.ts';
import type { Cursor } from './protocol.ts';
import type { Subscription } from './subscription.ts';
import type { Transport } from './transport.ts';

export type Publish = Transport['publish'];

export interface Listeners {
  readonly size: number;
  add(subscription: Subscription): void;
  /** Whether it was there. */
  remove(subscription: Subscription): boolean;
  /** Sends the next change of the channel. Whoever reads too slowly to be published to is served one by one from then on. */
  send(change: Change): void;
  /** Sends what is not stored to those who have everything else and keep up. `frame` makes it for a name of the channel. */
  tell(frame: (name: string) => Uint8Array): void;
  /** After the changes of a page: flushes, and joins whoever has all of them and keeps up. */
  settle(): void;
  /** Starts every subscription again. */
  restart(): void;
}

/** After this many bytes, it is checked who still keeps up: that is a call for each socket. */
const SIFT_BYTES = 16 * 1024;

export const createListeners = (publish: Publish): Listeners => {
  const subscriptions = new Set<Subscription>();
  /** How many subscriptions have joined, by the name that their clients gave to the channel. It is their topic, too. */
  const joined = new Map<string, number>();
  let members = 0;
  /** The newest change that was sent: the cursor of all that have joined. */
  let newest: Cursor | undefined;
  /** Bytes that were published to each since the last check. */
  let unchecked = 0;

  const count = (name: string, more: number): void => {
    members += more;
    const left = (joined.get(name) ?? 0) + more;
    if (left > 0) joined.set(name, left);
    else joined.delete(name);
  };
  const part = (subscription: Subscription): void => {
    if (!newest || !subscription.part(newest)) return;
    count(subscription.name, -1);
  };
  const partAll = (): void => {
    if (members > 0) for (const subscription of subscriptions) part(subscription);
  };
  const sift = (): void => {
    unchecked = 0;
    for (const subscription of subscriptions) if (!subscription.sendQueue.isClear()) part(subscription);
  };

  return {
    get size() {
      return subscriptions.size;
    },
    add: (subscription) => void subscriptions.add(subscription),
    remove: (subscription) => {
      part(subscription);
      return subscriptions.delete(subscription);
    },
    send: (change) => {
      if (change.epoch !== newest?.epoch || change.offset !== newest.offset + 1) partAll();
      else if (unchecked > SIFT_BYTES) sift();
      newest = { epoch: change.epoch, offset: change.offset };
      for (const name of joined.keys()) {
        const frame = change.frame(name);
        publish(name, frame);
        unchecked += frame.byteLength;
      }
      if (members > 0) metrics.hubDelivered.inc(members);
      if (members < subscriptions.size) for (const subscription of subscriptions) subscription.offer(change);
      if (change.endsFor !== null)
        for (const subscription of subscriptions) if (subscription.hasJoined()) subscription.endAfter(change);
    },
    tell: (frame) => {
      if (unchecked > SIFT_BYTES) sift();
      const frames = new Map<string, Uint8Array>();
      const frameFor = (name: string): Uint8Array => {
        const made = frames.get(name) ?? frame(name);
        frames.set(name, made);
        return made;
      };
      for (const name of joined.keys()) {
        publish(name, frameFor(name));
        unchecked += frameFor(name).byteLength;
      }
      if (members > 0) metrics.hubDelivered.inc(members);
      if (members === subscriptions.size) return;
      for (const subscription of subscriptions) {
        if (subscription.hasJoined() || !subscription.takesEphemeral()) continue;
        subscription.sendQueue.queue(frameFor(subscription.name));
        subscription.sendQueue.flush();
      }
    },
    settle: () => {
      if (members === subscriptions.size) return;
      for (const subscription of subscriptions) {
        if (subscription.hasJoined()) continue;
        subscription.sendQueue.flush();
        if (newest && subscription.join(newest)) count(subscription.name, 1);
      }
    },
    restart: () => {
      partAll();
      for (const subscription of subscriptions) subscription.start();
    },
  };
};
