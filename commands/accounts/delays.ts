/** Waiting attempts of this process. Each holds a request open, so that their number is bounded in three ways. */
export interface DelayLimits {
  readonly atOnce: number;
  /** For one subject: more would let many addresses guess faster. */
  readonly perSubject: number;
  /** For one subject from one address. */
  readonly perPlace: number;
}

export interface Delays {
  /** Runs `wait` if there is room for it. @returns whether there was */
  wait(subject: string, address: string, wait: () => Promise<void>): Promise<boolean>;
}

export const createDelays = (limits: DelayLimits): Delays => {
  const waiting = new Map<string, number>();
  const add = (key: string, change: 1 | -1) => {
    const next = (waiting.get(key) ?? 0) + change;
    if (next === 0) waiting.delete(key);
    else waiting.set(key, next);
  };
  return {
    async wait(subject, address, wait) {
      const places = [
        { key: 'all', max: limits.atOnce },
        { key: `s ${subject}`, max: limits.perSubject },
        { key: `p ${subject} ${address}`, max: limits.perPlace },
      ];
      if (places.some(({ key, max }) => (waiting.get(key) ?? 0) >= max)) return false;
      for (const { key } of places) add(key, 1);
      try {
        await wait();
        return true;
      } finally {
        for (const { key } of places) add(key, -1);
      }
    },
  };
};
