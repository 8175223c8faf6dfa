/**
 * One who listens to a channel: the place in its history, and what waits for the handlers. A change is handed over once
 * and in order, or the handlers are told to read the state again.
 */
import type { ServerFrame } from '../generated/types.ts';
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
   * It has begun, or goes on after a gap, such as when another subscription to the channel begins; `recovered`: no change
   * was missed for good. Who is online is told again after it: clear the list of them here, because who left during the
   * gap is not mentioned. Called at once, not in turn with the changes.
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

/** More changes than this do not wait for a slow handler: what follows is asked for again when it has caught up. */
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

export class Consumer {
  /** What the ids of its messages end with. */
  readonly key: string;
  readonly #handlers: Handlers;
  readonly #onCaughtUp: () => void;
  readonly #delivery = createDelivery<Item>({
    handle: (item) => this.#handle(item),
    onError: (error) => this.fail(error),
    onHandled: (item, hasFailed) => this.#handled(item, hasFailed),
  });
  #isBehind = false;
  #isEnded = false;
  #received: Cursor | undefined;
  #cursor: Cursor | undefined;
  #reset: AbortController | undefined;

  /** @param onCaughtUp called when it is no longer behind */
  constructor(key: string, { since, ...handlers }: SubscribeOptions, onCaughtUp: () => void) {
    this.key = key;
    this.#handlers = handlers;
    this.#onCaughtUp = onCaughtUp;
    this.#received = since;
    this.#cursor = since;
  }

  get cursor(): Cursor | undefined {
    return this.#cursor;
  }

  /** Up to where changes were taken. */
  get received(): Cursor | undefined {
    return this.#received;
  }

  /** It takes no changes until its handlers have caught up. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** The changes behind `offset` follow. @param isAnswer false: the same subscription goes on in a new epoch */
  subscribed({ epoch, offset, recovered }: Extract<ServerFrame, { type: 'subscribed' }>, isAnswer: boolean): void {
    const received = this.#received;
    const isComplete = received?.epoch === epoch && (this.#isBehind || (recovered && received.offset >= offset));
    if (isAnswer && !this.#isEnded) this.#tell(() => this.#handlers.onSubscribed?.({ recovered: isComplete }));
    if (isComplete || this.#isEnded) return;
    const cursor = { epoch, offset };
    this.#received = cursor;
    this.#cursor = undefined;
    this.#isBehind = false;
    this.#delivery.clear();
    this.#reset?.abort();
    this.#reset = new AbortController();
    this.#delivery.add({ reset: { cursor, signal: this.#reset.signal } });
  }

  /** False: changes before it are missing. */
  changed(change: Change): boolean {
    const received = this.#received;
    if (this.#isEnded || this.#isBehind || !received || isRepeated(change, received)) return true;
    if (!follows(change, received)) return false;
    this.#isBehind = this.#delivery.waiting >= MOST_WAITING;
    if (this.#isBehind) return true;
    this.#received = { epoch: change.epoch, offset: change.offset };
    this.#delivery.add({ change });
    return true;
  }

  told(message: Ephemeral): void {
    if (!this.#isEnded) this.#tell(() => this.#handlers.onEphemeral?.(message));
  }

  /** It is over. The handlers get nothing more. */
  end(reason?: SubscriptionEnded): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
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
    if (this.#isEnded || !this.#isBehind || this.#delivery.waiting > MOST_WAITING / 2) return;
    this.#isBehind = false;
    this.#onCaughtUp();
  }
}
