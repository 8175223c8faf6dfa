/**
 * One channel: its place in the history, and what waits for its handlers. A change is handed over once and in order, or
 * the handlers are told to read the state again.
 */
import type { ClientFrame, ServerFrame } from '../generated/types.ts';
import { createDelivery } from './delivery.ts';
import type { Change, Cursor, Ephemeral, Publish } from './types.ts';

/** Why a subscription has ended: the account may not (or no longer) read the channel, it does not exist, … */
export class SubscriptionEnded extends Error {
  override readonly name = 'SubscriptionEnded';
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Where the changes go on after a reset. */
export interface Reset {
  /** Of the last change before those that follow. */
  readonly cursor: Cursor;
  /** Fires when this reset is obsolete: there is a newer one, or the subscription has ended. */
  readonly signal: AbortSignal;
}

/** Changes and resets come one after the other: the next one waits for the promise that a handler returns. */
export interface Handlers<A extends string = string> {
  /** Called with each change, once and in order. */
  readonly onChange?: (change: Change<A>) => unknown;
  /**
   * Read the state now: changes that came before are not sent. Called at the start, unless `since` is given, and when the
   * hub no longer has the changes that were missed.
   */
  readonly onReset?: (reset: Reset) => unknown;
  /**
   * It has begun, or goes on after a gap; `recovered`: no change was missed for good. Who is online is told again after it:
   * clear the list of them here, because who left during the gap is not mentioned. Called at once, not in turn with the changes.
   */
  readonly onSubscribed?: (answer: { readonly recovered: boolean }) => void;
  /** Called at once, not in turn with the changes. */
  readonly onEphemeral?: (message: Ephemeral<A>) => void;
  /** It has ended and is not resumed. */
  readonly onEnd?: (reason: SubscriptionEnded) => void;
  /** A handler has thrown, or a message was not accepted. Logged by default. */
  readonly onError?: (error: unknown) => void;
}

export interface SubscribeOptions<A extends string = string> extends Handlers<A> {
  /** Resume from here: the `cursor` of an earlier subscription. */
  readonly since?: Cursor;
}

export interface Subscription<A extends string = string> {
  readonly channel: A;
  /**
   * Up to where changes were handled; stored, it can be the `since` of a later subscription. Undefined from a reset on, until
   * `onReset` has read the state.
   */
  readonly cursor: Cursor | undefined;
  /** Sends an ephemeral message. False when it was dropped: not connected, or too many. */
  readonly publish: Publish<A>;
  close(): void;
}

type Item = { readonly change: Change } | { readonly reset: Reset };

/** More changes than this do not wait for a slow handler: the channel is left, and resumed when it has caught up. */
const MOST_WAITING = 1_000;

/** Where an application that gives no `onError` finds it. */
export const report = (error: unknown): void => {
  // biome-ignore lint/suspicious/noConsole: the client has no other way to tell
  console.error(error);
};

const follows = (change: Cursor, cursor: Cursor): boolean =>
  change.epoch === cursor.epoch && change.offset === cursor.offset + 1;
const isRepeated = (change: Cursor, cursor: Cursor): boolean =>
  change.epoch === cursor.epoch && change.offset <= cursor.offset;

export class ChannelState {
  readonly channel: string;
  /** What the ids of its frames begin with. */
  readonly key: string;
  readonly #handlers: Handlers;
  readonly #send: (frame: ClientFrame) => void;
  readonly #mostWaiting: number;
  readonly #delivery = createDelivery<Item>({
    handle: (item) => this.#handle(item),
    onError: (error) => this.fail(error),
    onHandled: (item, hasFailed) => this.#handled(item, hasFailed),
  });
  /** `left`: not subscribed, until the handlers have caught up. */
  #state: 'offline' | 'left' | 'asked' | 'on' | 'ended' = 'offline';
  /** Id of the `subscribe` frame whose answer is awaited. */
  #asked: string | undefined;
  #frames = 0;
  /** Up to where changes were taken from the hub. */
  #received: Cursor | undefined;
  #cursor: Cursor | undefined;
  #reset: AbortController | undefined;

  /** @param send drops the frame while there is no socket */
  constructor(
    channel: string,
    key: string,
    { since, ...handlers }: SubscribeOptions,
    send: (frame: ClientFrame) => void,
    mostWaiting = MOST_WAITING,
  ) {
    this.channel = channel;
    this.key = key;
    this.#handlers = handlers;
    this.#send = send;
    this.#mostWaiting = mostWaiting;
    this.#received = since;
    this.#cursor = since;
  }

  get cursor(): Cursor | undefined {
    return this.#cursor;
  }

  /** There is a socket: subscribes from where it stopped. */
  connected(): void {
    if (this.#state === 'ended') return;
    this.#state = 'left';
    this.#resumeWhenCaughtUp();
  }

  disconnected(): void {
    if (this.#state !== 'ended') this.#state = 'offline';
  }

  isOn(): boolean {
    return this.#state === 'on';
  }

  /** Whether the frame with this id is the `subscribe` that awaits its answer. */
  isAsking(id: string | undefined): boolean {
    return id !== undefined && id === this.#asked;
  }

  /** The hub has started the subscription, or started it again in a new epoch. */
  subscribed({ epoch, offset, recovered, id }: Extract<ServerFrame, { type: 'subscribed' }>): void {
    // Behind an `unsubscribe`, what is on the way belongs to the subscription of before.
    if (this.#state === 'asked' ? !this.isAsking(id) : this.#state !== 'on') return;
    const isAnswer = this.#state === 'asked';
    this.#state = 'on';
    this.#asked = undefined;
    const isComplete = recovered && this.#received?.epoch === epoch && this.#received.offset === offset;
    if (isAnswer) this.#tell(() => this.#handlers.onSubscribed?.({ recovered: isComplete }));
    if (isComplete || !this.isOn()) return;
    const cursor = { epoch, offset };
    this.#received = cursor;
    this.#cursor = undefined;
    this.#delivery.clear();
    this.#reset?.abort();
    this.#reset = new AbortController();
    this.#delivery.add({ reset: { cursor, signal: this.#reset.signal } });
  }

  changed(change: Change) {
    const received = this.#received;
    if (this.#state !== 'on' || !received || isRepeated(change, received)) return;
    if (!follows(change, received)) return this.#again();
    if (this.#delivery.waiting >= this.#mostWaiting) return this.#leave();
    this.#received = { epoch: change.epoch, offset: change.offset };
    this.#delivery.add({ change });
  }

  told(message: Ephemeral): void {
    if (this.#state === 'on') this.#tell(() => this.#handlers.onEphemeral?.(message));
  }

  /** Sends an ephemeral message. */
  publish(event: string, data: object): void {
    this.#send({
      type: 'publish',
      channel: this.channel,
      event,
      data: data as Record<string, never>,
      id: this.#nextId(),
    });
  }

  /** It is over. The handlers get nothing more. */
  end(reason?: SubscriptionEnded): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#delivery.clear();
    this.#reset?.abort();
    if (reason) this.#tell(() => this.#handlers.onEnd?.(reason));
  }

  fail(error: unknown): void {
    const { onError = report } = this.#handlers;
    try {
      onError(error);
    } catch (another) {
      report(another);
    }
  }

  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.fail(error);
    }
  }

  #handle(item: Item): unknown {
    return 'reset' in item ? this.#handlers.onReset?.(item.reset) : this.#handlers.onChange?.(item.change);
  }

  #handled(item: Item, hasFailed: boolean): void {
    if ('change' in item) {
      const { epoch, offset } = item.change;
      if (this.#cursor) this.#cursor = { epoch, offset };
    } else if (!hasFailed && !item.reset.signal.aborted) this.#cursor = item.reset.cursor;
    this.#resumeWhenCaughtUp();
  }

  #nextId(): string {
    this.#frames += 1;
    return `${this.key}.${this.#frames}`;
  }

  #ask(): void {
    this.#state = 'asked';
    this.#asked = this.#nextId();
    const since = this.#received;
    this.#send({ type: 'subscribe', channel: this.channel, id: this.#asked, ...(since && { since }) });
  }

  /** A change is missing: resumes from the last one before. */
  #again(): void {
    this.#send({ type: 'unsubscribe', channel: this.channel });
    this.#ask();
  }

  #leave(): void {
    this.#state = 'left';
    this.#send({ type: 'unsubscribe', channel: this.channel });
  }

  #resumeWhenCaughtUp(): void {
    if (this.#state === 'left' && this.#delivery.waiting <= this.#mostWaiting / 2) this.#ask();
  }
}
