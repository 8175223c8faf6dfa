/**
 * One channel: a subscription of the hub that all who listen to the channel share. It is asked for from the earliest place
 * where one of them stopped, and asked for again when one joins; each drops what it has.
 */
import type { ClientFrame, ServerFrame } from '../generated/types.ts';
import { backoffMs, wait } from '../wait.ts';
import { Consumer, type SubscribeOptions, type SubscriptionEnded } from './subscription.ts';
import type { Change, Cursor, Ephemeral } from './types.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

export class ChannelState {
  readonly channel: string;
  /** What the ids of its frames begin with. */
  readonly key: string;
  readonly #send: (frame: ClientFrame) => void;
  readonly #consumers = new Set<Consumer>();
  /** `left`: not subscribed, until a consumer has caught up. */
  #state: 'offline' | 'left' | 'asked' | 'on' | 'ended' = 'offline';
  /** Id of the `subscribe` frame whose answer is awaited. */
  #asked: string | undefined;
  #frames = 0;
  #joined = 0;
  /** How often in a row it was asked for too early. */
  #early = 0;
  readonly #ending = new AbortController();

  /** @param send drops the frame while there is no socket */
  constructor(channel: string, key: string, send: (frame: ClientFrame) => void) {
    this.channel = channel;
    this.key = key;
    this.#send = send;
  }

  /** The hub answers all again, so that the new one begins as if it were alone: with its place, and who is online. */
  join(options: SubscribeOptions): Consumer {
    this.#joined += 1;
    const consumer = new Consumer(String(this.#joined), options, () => this.#ask());
    this.#consumers.add(consumer);
    if (this.#state !== 'asked' || options.since) this.#ask();
    return consumer;
  }

  /** Whether it was the last one. */
  leave(consumer: Consumer): boolean {
    consumer.end();
    this.#consumers.delete(consumer);
    return this.#consumers.size === 0;
  }

  /** There is a socket: subscribes from where the consumers stopped. */
  connected(): void {
    if (this.#state === 'ended') return;
    this.#state = 'left';
    this.#ask();
  }

  disconnected(): void {
    if (this.#state !== 'ended') this.#state = 'offline';
  }

  /** The hub may not have seen yet what gives access to it. */
  askLater(): void {
    this.#state = 'left';
    this.#asked = undefined;
    const again = (): void => {
      if (this.#state === 'left') this.#ask();
    };
    wait(backoffMs(this.#early, FIRST_WAIT_MS, LONGEST_WAIT_MS), this.#ending.signal).then(again, () => undefined);
    this.#early += 1;
  }

  canPublish(consumer: Consumer): boolean {
    return this.#isOn() && this.#consumers.has(consumer);
  }

  /** Whether the frame with this id is the `subscribe` that awaits its answer. */
  isAsking(id: string | undefined): boolean {
    return id !== undefined && id === this.#asked;
  }

  /** The hub has started the subscription, or started it again in a new epoch. */
  subscribed(frame: Extract<ServerFrame, { type: 'subscribed' }>): void {
    // Behind an `unsubscribe`, what is on the way belongs to the subscription of before.
    if (this.#state === 'asked' ? !this.isAsking(frame.id) : this.#state !== 'on') return;
    const isAnswer = this.#state === 'asked';
    this.#state = 'on';
    this.#asked = undefined;
    this.#early = 0;
    for (const consumer of this.#all()) consumer.subscribed(frame, isAnswer);
  }

  changed(change: Change): void {
    if (!this.#isOn()) return;
    const isComplete = this.#all().map((consumer) => consumer.changed(change));
    if (!this.#isOn()) return;
    if (isComplete.includes(false)) this.#ask();
    else if (this.#all().every(({ isBehind }) => isBehind)) this.#leave();
  }

  told(message: Ephemeral): void {
    if (this.#isOn()) for (const consumer of this.#all()) consumer.told(message);
  }

  /** Sends an ephemeral message of one of them. */
  publish(consumer: Consumer, event: string, data: object): void {
    const id = `${this.#nextId()}.${consumer.key}`;
    this.#send({ type: 'publish', channel: this.channel, event, data: data as Record<string, never>, id });
  }

  /** The hub has refused the frame with this id: a message, or something of before. */
  refused(id: string, error: SubscriptionEnded): void {
    const [, , by] = id.split('.');
    for (const consumer of this.#all()) if (by === undefined || by === consumer.key) consumer.fail(error);
  }

  /** It is over, for all of them. */
  end(reason?: SubscriptionEnded): void {
    this.#state = 'ended';
    this.#ending.abort();
    for (const consumer of this.#all()) consumer.end(reason);
  }

  #isOn(): boolean {
    return this.#state === 'on';
  }

  /** A copy: a handler may end one, or add one. */
  #all(): Consumer[] {
    return [...this.#consumers];
  }

  #nextId(): string {
    this.#frames += 1;
    return `${this.key}.${this.#frames}`;
  }

  /** Subscribes, or subscribes again, for those whose handlers keep up. */
  #ask(): void {
    const consumers = this.#all().filter(({ isBehind }) => !isBehind);
    if (this.#state === 'offline' || this.#state === 'ended' || consumers.length === 0) return;
    if (this.#state !== 'left') this.#leave();
    this.#state = 'asked';
    this.#asked = this.#nextId();
    const since = earliest(consumers.flatMap(({ received }) => received ?? []));
    this.#send({ type: 'subscribe', channel: this.channel, id: this.#asked, ...(since && { since }) });
  }

  #leave(): void {
    this.#state = 'left';
    this.#send({ type: 'unsubscribe', channel: this.channel });
  }
}

/** In the epoch of the first: who joined later may come from one that is over. */
const earliest = ([first, ...others]: readonly Cursor[]): Cursor | undefined =>
  first &&
  others.reduce((least, each) => (each.epoch === least.epoch && each.offset < least.offset ? each : least), first);
