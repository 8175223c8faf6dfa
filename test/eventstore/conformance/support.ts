/** Helpers of the cases: event builders, error checks, and waiting for the events of a subscription. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  type AllStreamSubscription,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  type Filter,
  type JSONEventData,
  jsonEvent,
  type Position,
  type ResolvedEvent,
  START,
  type StreamSubscription,
} from '@eventstore/db-client';

/** One conformance case. */
export interface Case {
  readonly name: string;
  readonly run: (client: EventStoreDBClient) => Promise<void>;
}

/** The client, with every read answered by the leader: a follower shows an acknowledged event a little later. */
export const leaderOnly = (client: EventStoreDBClient): EventStoreDBClient =>
  new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name === 'readAll' || name === 'subscribeToAll')
        return (options: object, ...rest: unknown[]) =>
          value.call(target, { ...options, requiresLeader: true }, ...rest);
      if (name === 'readStream' || name === 'subscribeToStream' || name === 'getStreamMetadata')
        return (stream: string, options: object, ...rest: unknown[]) =>
          value.call(target, stream, { ...options, requiresLeader: true }, ...rest);
      return value.bind(target);
    },
  });

/** A stream that nobody else uses. */
export const newStream = (category = 'conformance'): string => `${category}-${randomUUID()}`;

export const event = (n: number, type = 'Happened'): JSONEventData => jsonEvent({ type, data: { n } });

export const events = (count: number, from = 0): JSONEventData[] =>
  Array.from({ length: count }, (_, i) => event(from + i));

/** Appends `count` numbered events at any revision. */
export const fill = (client: EventStoreDBClient, stream: string, count: number, from = 0) =>
  client.appendToStream(stream, events(count, from));

export const collect = async (read: AsyncIterable<ResolvedEvent>): Promise<ResolvedEvent[]> => {
  const found: ResolvedEvent[] = [];
  for await (const one of read) found.push(one);
  return found;
};

/** The end of the log. A case starts there, so that it does not read earlier events of others. */
export const tailOf = async (client: EventStoreDBClient): Promise<Position | typeof START> => {
  const [last] = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
  return last?.event?.position ?? START;
};

/** The events of a stream in $all from a position on. */
export const inAll = async (client: EventStoreDBClient, stream: string, from: Position | typeof START) =>
  (await collect(client.readAll({ fromPosition: from }))).filter(({ event }) => event?.streamId === stream);

/** The `n` of each event. */
const numbers = (found: readonly ResolvedEvent[]): (number | undefined)[] =>
  found.map(({ event }) => (event?.data as { n: number } | undefined)?.n);

export const numbersIn = async (read: AsyncIterable<ResolvedEvent>): Promise<(number | undefined)[]> =>
  numbers(await collect(read));

/** Checks that the promise is rejected with exactly this error class and returns the error. */
export const refused = async <E extends Error>(
  attempt: Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: the client's error classes have constructors of many shapes
  errorClass: abstract new (...args: any[]) => E,
): Promise<E> => {
  const outcome = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof errorClass, `expected ${errorClass.name}, got ${String(outcome ?? 'success')}`);
  return outcome;
};

/** Only ends what waits in vain. */
export const PATIENCE_MS = 90_000;

/** Records what a subscription delivers, in order. */
export class Follower {
  readonly received: ResolvedEvent[] = [];
  caughtUp = false;
  confirmed = false;
  failure: Error | undefined;
  readonly #subscription: StreamSubscription | AllStreamSubscription;
  #changed: () => void = () => undefined;

  constructor(subscription: StreamSubscription | AllStreamSubscription) {
    this.#subscription = subscription;
    subscription.on('data', (one: ResolvedEvent) => {
      this.received.push(one);
      this.#changed();
    });
    subscription.on('caughtUp', () => {
      this.caughtUp = true;
      this.#changed();
    });
    subscription.on('confirmation', () => {
      this.confirmed = true;
      this.#changed();
    });
    subscription.on('error', (error: Error) => {
      this.failure = error;
      this.#changed();
    });
  }

  get numbers(): (number | undefined)[] {
    return numbers(this.received);
  }

  /** Resolves when the condition holds after something was delivered; rejects after `PATIENCE_MS`. */
  async until(what: string, condition: () => boolean): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!condition()) {
      const left = deadline - Date.now();
      assert.ok(
        left > 0,
        `waited in vain for ${what}; received ${this.received.length} events; ${this.failure ?? 'no error'}`,
      );
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
        setTimeout(resolve, left);
      });
    }
  }

  async untilReceived(count: number): Promise<void> {
    await this.until(`${count} events`, () => this.received.length >= count);
  }

  async untilConfirmed(): Promise<void> {
    await this.until('the confirmation', () => this.confirmed);
  }

  async untilCaughtUp(): Promise<void> {
    await this.until('caught up', () => this.caughtUp);
  }

  /** Call it after another callback has recorded something. */
  notice(): void {
    this.#changed();
  }

  async stop(): Promise<void> {
    await this.#subscription.unsubscribe();
  }
}

/** Runs with a follower and always stops it. */
export const following = async <T>(follower: Follower, run: (follower: Follower) => Promise<T>): Promise<T> => {
  try {
    return await run(follower);
  } finally {
    await follower.stop();
  }
};

export const followAll = (
  client: EventStoreDBClient,
  fromPosition: Position | typeof START,
  filter: Filter,
): Follower => new Follower(client.subscribeToAll({ fromPosition, filter }));
