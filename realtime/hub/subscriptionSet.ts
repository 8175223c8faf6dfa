/** The subscriptions of one socket, by channel. */
import type { Access } from '../../infra/tokens.ts';
import { explain } from '../../infra/validation.ts';
import type { Ephemeral } from '../../projections/engine/ephemeral.ts';
import type { ChangeLog } from './changeLog.ts';
import type { FindChannel } from './channels.ts';
import type { Feed } from './feed.ts';
import type { Limits } from './limits.ts';
import type { Presence } from './presence.ts';
import { type ClientFrame, errorCodes, Refused, type ServerFrame } from './protocol.ts';
import type { SendQueue } from './sendQueue.ts';
import { Subscription, type SubscriptionOwner } from './subscription.ts';

/** What the token of a socket says of its account. When it expires is the socket's deadline. */
export type Rights = Omit<Access, 'expiresAt'>;

/** What all sockets of a hub share. */
export interface SubscriptionHub {
  readonly findChannel: FindChannel;
  readonly feed: Feed;
  readonly changeLog: ChangeLog;
  readonly presence: Presence;
  readonly limits: Pick<Limits, 'subscriptions'>;
  /** Sends a message to the subscribers of its channel at all hubs. */
  readonly send: (message: Ephemeral) => void;
}

export interface SubscriptionSocket {
  readonly sendQueue: SendQueue;
  reply(frame: ServerFrame): void;
  /** A channel cannot be read: nothing more will be sent on it. */
  onFailure(error: unknown): void;
}

export class SubscriptionSet implements SubscriptionOwner {
  readonly #hub: SubscriptionHub;
  readonly #socket: SubscriptionSocket;
  readonly #subscriptions = new Map<string, Subscription>();
  #access: Rights;

  constructor(hub: SubscriptionHub, socket: SubscriptionSocket, access: Rights) {
    this.#hub = hub;
    this.#socket = socket;
    this.#access = access;
  }

  get accountId(): string {
    return this.#access.accountId;
  }

  get sendQueue(): SendQueue {
    return this.#socket.sendQueue;
  }

  /**
   * Whether the account may read the channel shows once its state was read: see `onForbidden`.
   * @throws Refused when there is no such channel, or the socket may not add it
   */
  add({ channel: name, since, id }: Extract<ClientFrame, { type: 'subscribe' }>): void {
    const { findChannel, limits, changeLog, feed } = this.#hub;
    const channel = findChannel(name);
    if (!channel) throw new Refused('unknown_channel');
    const { canonical } = channel;
    if (this.#subscriptions.has(canonical)) throw new Refused('already_subscribed');
    if (this.#subscriptions.size >= limits.subscriptions) throw new Refused('too_many_subscriptions');
    const subscription = new Subscription({ name, canonical, since, id, log: changeLog, owner: this });
    this.#subscriptions.set(canonical, subscription);
    feed.add(subscription);
  }

  /** @throws Refused when the socket has not subscribed to the channel, or clients cannot publish this on it */
  publish({ channel: name, event, data }: Extract<ClientFrame, { type: 'publish' }>): void {
    const channel = this.#hub.findChannel(name);
    const subscription = this.#subscriptions.get(channel?.canonical ?? '');
    if (!channel || !subscription || subscription.unanswered()) throw new Refused('not_subscribed');
    const publishable = channel.publishable.get(event);
    if (!publishable) throw new Refused('not_publishable');
    if (!publishable.fits(data)) throw new Refused('bad_frame', explain(publishable.fits.errors));
    const now = Date.now();
    if (!subscription.mayPublish(event, publishable.everyMs, now)) return;
    const message = { channel: channel.canonical, type: event, from: this.accountId, ts: new Date(now).toISOString() };
    this.#hub.send({ ...message, data });
  }

  /** @throws Refused when the socket has not subscribed to the channel */
  remove(name: string, id: string | undefined): void {
    const subscription = this.#subscriptions.get(this.#hub.findChannel(name)?.canonical ?? '');
    if (!subscription) throw new Refused('not_subscribed');
    this.#drop(subscription, 'asked', id);
  }

  /** The account has these rights now. Ends the subscriptions that they do not allow. */
  enter(access: Rights): void {
    this.#access = access;
    for (const subscription of this.#subscriptions.values())
      this.#recheck(subscription).catch((error: unknown) => this.onFailure(error));
  }

  mayRead(canonical: string): boolean | Promise<boolean> {
    return this.#hub.findChannel(canonical)?.allows(this.#access) ?? false;
  }

  onForbidden(subscription: Subscription): void {
    const unanswered = subscription.unanswered();
    if (!unanswered) this.#drop(subscription, 'forbidden');
    else {
      this.#forget(subscription);
      this.#socket.reply({ type: 'error', code: 'forbidden', detail: errorCodes.forbidden, id: unanswered.id });
    }
  }

  onLive(subscription: Subscription): void {
    const { findChannel, presence } = this.#hub;
    if (findChannel(subscription.canonical)?.showsPresence) presence.enter(subscription);
  }

  onFailure(error: unknown): void {
    this.#socket.onFailure(error);
  }

  /** Ends all subscriptions without a frame, because the socket is gone. */
  stop(): void {
    for (const subscription of this.#subscriptions.values()) this.#release(subscription);
  }

  async #recheck(subscription: Subscription): Promise<void> {
    const isAllowed = await this.mayRead(subscription.canonical);
    if (!isAllowed && this.#subscriptions.get(subscription.canonical) === subscription) this.onForbidden(subscription);
  }

  #forget(subscription: Subscription): void {
    this.#subscriptions.delete(subscription.canonical);
    this.#release(subscription);
  }

  #release(subscription: Subscription): void {
    this.#hub.feed.remove(subscription);
    this.#hub.presence.leave(subscription);
  }

  #drop(subscription: Subscription, reason: 'asked' | 'forbidden', id?: string): void {
    this.#forget(subscription);
    this.#socket.reply({ type: 'unsubscribed', channel: subscription.name, reason, id });
  }
}
