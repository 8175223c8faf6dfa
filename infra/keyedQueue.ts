/** A bounded queue per key: work with the same key runs in order, and waits a limited time. */

/** Too much work is waiting, or it waited too long. The work was not started: try again later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** Limits of each key. */
export interface QueueLimits {
  /** How much work may run at the same time. */
  readonly atOnce: number;
  /** How much work may wait; more is refused. Without it, any amount may. */
  readonly waiting?: number;
  /** How long work waits before it is refused, in milliseconds. Without it, as long as it takes. */
  readonly patienceMs?: number;
}

export interface KeyedQueue {
  /**
   * Runs `work` when its turn comes, after the work with the same key that was queued before.
   * @throws Overloaded when the queue of this key is full, or the turn did not come in time
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

interface Line {
  /** How much work runs now. */
  running: number;
  /** Starts of the work that waits, oldest first. */
  readonly waiting: Set<() => void>;
}

/** Creates a queue. Keys without work take up no memory. */
export const createKeyedQueue = ({ atOnce, waiting: mostWaiting, patienceMs }: QueueLimits): KeyedQueue => {
  const lines = new Map<string, Line>();

  const wait = (key: string, { waiting }: Line) =>
    new Promise<void>((resolve, reject) => {
      if (mostWaiting !== undefined && waiting.size >= mostWaiting)
        return reject(new Overloaded(`${key}: the queue is full, with ${mostWaiting} waiting`));
      const start = () => {
        clearTimeout(timer);
        waiting.delete(start);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(start);
        reject(new Overloaded(`${key}: waited longer than ${patienceMs} ms in the queue`));
      };
      const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs);
      waiting.add(start);
    });

  /** Starts the work that has waited longest; without any, a place becomes free. */
  const startNext = (key: string, line: Line) => {
    const [start] = line.waiting;
    if (start) return start();
    line.running -= 1;
    if (line.running === 0) lines.delete(key);
  };

  return {
    async run(key, work) {
      const line = lines.get(key) ?? { running: 0, waiting: new Set() };
      lines.set(key, line);
      if (line.running < atOnce) line.running += 1;
      else await wait(key, line);
      try {
        return await work();
      } finally {
        startNext(key, line);
      }
    },
  };
};
