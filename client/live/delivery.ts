/** Hands things to a handler, one after the other: a handler that returns a promise is waited for. */

export interface Delivery<T> {
  /** How many wait, besides the one that is being handled. */
  readonly waiting: number;
  add(item: T): void;
  /** Drops what waits. */
  clear(): void;
}

export interface DeliveryOptions<T> {
  readonly handle: (item: T) => unknown;
  readonly onError: (error: unknown) => void;
  /** Called after each item. */
  readonly onHandled: (item: T, hasFailed: boolean) => void;
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | undefined)?.then === 'function';

export const createDelivery = <T>({ handle, onError, onHandled }: DeliveryOptions<T>): Delivery<T> => {
  let queue: T[] = [];
  let busy = false;

  const run = async (): Promise<void> => {
    busy = true;
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      let hasFailed = false;
      try {
        const result = handle(item);
        if (isPromise(result)) await result;
      } catch (error) {
        hasFailed = true;
        onError(error);
      }
      onHandled(item, hasFailed);
    }
    busy = false;
  };

  return {
    get waiting() {
      return queue.length;
    },
    add: (item) => {
      queue.push(item);
      if (!busy) void run();
    },
    clear: () => {
      queue = [];
    },
  };
};
