/** The subscriptions of one socket, by channel. */
import type { Access } from '../../infra/tokens.ts';
import type { ChangeLog } from './changeLog.ts';
import type { FindChannel } from './channels.ts';
import type { Feed } from './feed.ts';
import type { Limits } from './limits.ts';
import { type ClientFrame, Refused, type ServerFrame } from './protocol.ts';
import type { SendQueue } from './sendQueue.ts';
import { createSubscription, type Subscription } from './subscription.ts';

/** What all sockets of a hub share. */
export interface SubscriptionHub {
  readonly findChannel: FindChannel;
  readonly feed: Feed;
  readonly changeLog: ChangeLog;
  readonly limits: Pick<Limits, 'subscriptions'>;
}

export interface SubscriptionSocket {
  readonly sendQueue: SendQueue;
  readonly reply: (frame: ServerFrame) => void;
  /** A channel cannot be read: nothing more will be sent on it. */
  readonly onFailure: (error: unknown) => void;
}

export interface SubscriptionSet {
  /** @throws Refused when there is no such channel, `access` does not allow it, or the socket may not add it */
  add(frame: Extract<ClientFrame, { type: 'subscribe' }>, access: Access): void;
  /** @throws Refused when the socket has not subscribed to the channel */
  remove(name: string, id: string | undefined): void;
  /** Ends the subscriptions that `access` does not allow. */
  keepAllowed(access: Access): void;
  /** Ends all subscriptions without a frame, because the socket is gone. */
  stop(): void;
}

export const createSubscriptionSet = (
  { findChannel, feed, changeLog, limits }: SubscriptionHub,
  { sendQueue, reply, onFailure }: SubscriptionSocket,
): SubscriptionSet => {
  const subscriptions = new Map<string, Subscription>();

  const drop = (subscription: Subscription, reason: 'asked' | 'forbidden', id?: string): void => {
    subscriptions.delete(subscription.canonical);
    feed.remove(subscription);
    reply({ type: 'unsubscribed', channel: subscription.name, reason, id });
  };

  return {
    add: ({ channel: name, since, id }, access) => {
      const channel = findChannel(name);
      if (!channel) throw new Refused('unknown_channel');
      if (!channel.allows(access)) throw new Refused('forbidden');
      const { canonical } = channel;
      if (subscriptions.has(canonical)) throw new Refused('already_subscribed');
      if (subscriptions.size >= limits.subscriptions) throw new Refused('too_many_subscriptions');
      const subscription = createSubscription({ name, canonical, since, id, log: changeLog, sendQueue, onFailure });
      subscriptions.set(canonical, subscription);
      feed.add(subscription);
    },
    remove: (name, id) => {
      const subscription = subscriptions.get(findChannel(name)?.canonical ?? '');
      if (!subscription) throw new Refused('not_subscribed');
      drop(subscription, 'asked', id);
    },
    keepAllowed: (access) => {
      for (const subscription of subscriptions.values())
        if (!findChannel(subscription.canonical)?.allows(access)) drop(subscription, 'forbidden');
    },
    stop: () => {
      for (const subscription of subscriptions.values()) feed.remove(subscription);
    },
  };
};
