/** What is under way at the same time, in this process. Beyond a limit more is refused, so that nothing grows without bound. */
interface Bound {
  /** What is counted together: all requests, those of an address. */
  readonly key: string;
  readonly max: number;
}

export interface InFlight {
  /** Takes one place under each key, or none. @returns gives them back, once; undefined: one of them has no place left */
  take(bounds: readonly Bound[]): (() => void) | undefined;
}

export const createInFlight = (): InFlight => {
  const counts = new Map<string, number>();
  const add = (key: string, change: 1 | -1): void => {
    const count = (counts.get(key) ?? 0) + change;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  return {
    take: (bounds) => {
      if (bounds.some(({ key, max }) => (counts.get(key) ?? 0) >= max)) return undefined;
      for (const { key } of bounds) add(key, 1);
      let isTaken = true;
      return () => {
        if (isTaken) for (const { key } of bounds) add(key, -1);
        isTaken = false;
      };
    },
  };
};
