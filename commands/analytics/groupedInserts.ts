/** Many small inserts as few large ones: what arrives while an insert runs is inserted together by the next one. */
import { Overloaded } from '../../infra/keyedQueue.ts';

interface Waiting<T> {
  readonly items: readonly T[];
  readonly resolve: (added: number) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupLimits {
  /** Items of one insert; a single call may have more. */
  readonly group: number;
  /** Inserts at the same time. */
  readonly atOnce: number;
  /** Items that may wait. */
  readonly waiting: number;
}

/**
 * A function that adds items and says how many of them were new. A failure is that of all calls of its insert.
 * @param insert says of each item whether it was new; of several that are the same, of one
 */
export const groupedInserts = <T>(
  insert: (items: readonly T[]) => Promise<readonly boolean[]>,
  { group, atOnce, waiting: most }: GroupLimits,
): ((items: readonly T[]) => Promise<number>) => {
  let queue: Waiting<T>[] = [];
  let waiting = 0;
  let running = 0;

  /** The calls of the next insert, oldest first. */
  const take = (): Waiting<T>[] => {
    let size = 0;
    const end = queue.findIndex(({ items }, n) => {
      size += items.length;
      return n > 0 && size > group;
    });
    const taken = end === -1 ? queue : queue.slice(0, end);
    queue = end === -1 ? [] : queue.slice(end);
    for (const { items } of taken) waiting -= items.length;
    return taken;
  };

  const run = async (calls: readonly Waiting<T>[]): Promise<void> => {
    try {
      const isNew = await insert(calls.flatMap(({ items }) => items));
      let from = 0;
      for (const { items, resolve } of calls) {
        resolve(isNew.slice(from, from + items.length).filter(Boolean).length);
        from += items.length;
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  };

  const start = (): void => {
    if (running >= atOnce || queue.length === 0) return;
    running += 1;
    void run(take()).finally(() => {
      running -= 1;
      start();
    });
  };

  return (items) => {
    if (items.length === 0) return Promise.resolve(0);
    if (waiting + items.length > most)
      return Promise.reject(new Overloaded(`the queue of inserts is full, with ${waiting} items waiting`));
    return new Promise((resolve, reject) => {
      queue.push({ items, resolve, reject });
      waiting += items.length;
      start();
    });
  };
};
