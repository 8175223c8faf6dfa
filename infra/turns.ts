/** Waiting for one's turn: so many at once, in the order of asking, and never without end. */

/** Too many are waiting, or it took too long. Nothing was begun: try again later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export interface TurnLimits {
  /** How many may be at work at the same time. */
  readonly atOnce: number;
  /** How many may wait; who comes after them is turned away. */
  readonly waiting: number;
  /** How long each of them waits. */
  readonly patienceMs: number;
}

export interface Turns {
  /**
   * Does `work` when its turn comes, and gives up the turn when it settles.
   * @throws Overloaded when the turn did not come
   */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** Nobody is at work or waiting. */
  isIdle(): boolean;
}

export const createTurns = (what: string, { atOnce, waiting, patienceMs }: TurnLimits): Turns => {
  const line = new Set<() => void>();
  let working = 0;

  const wait = () =>
    new Promise<void>((resolve, reject) => {
      if (line.size >= waiting) return reject(new Overloaded(`${what}: ${waiting} are waiting already`));
      const begin = () => {
        clearTimeout(timer);
        line.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        line.delete(begin);
        reject(new Overloaded(`${what}: no turn within ${patienceMs} ms`));
      }, patienceMs);
      line.add(begin);
    });

  /** The turn goes to who has waited longest, if anyone does. */
  const passOn = () => {
    const [begin] = line;
    if (begin) begin();
    else working -= 1;
  };

  return {
    async take(work) {
      if (working < atOnce) working += 1;
      else await wait();
      try {
        return await work();
      } finally {
        passOn();
      }
    },
    isIdle: () => working === 0,
  };
};
