/** Callers that wait until something holds, such as that a read model shows their write. */

export interface Waiters {
  /** True as soon as `isReached` holds, which is asked at once and at every `check`; false if it does not within `ms`. */
  until(isReached: () => boolean, ms: number): Promise<boolean>;
  /** What they wait for may hold now. */
  check(): void;
  /** Answers false to all who wait. */
  giveUp(): void;
}

export const createWaiters = (): Waiters => {
  const waiting = new Set<{ isReached(): boolean; settle(reached: boolean): void }>();
  return {
    until: async (isReached, ms) =>
      isReached() ||
      new Promise((resolve) => {
        const settle = (reached: boolean) => {
          clearTimeout(timer);
          waiting.delete(waiter);
          resolve(reached);
        };
        const timer = setTimeout(() => settle(false), ms);
        const waiter = { isReached, settle };
        waiting.add(waiter);
      }),
    check: () => {
      for (const waiter of waiting) if (waiter.isReached()) waiter.settle(true);
    },
    giveUp: () => {
      for (const waiter of waiting) waiter.settle(false);
    },
  };
};
