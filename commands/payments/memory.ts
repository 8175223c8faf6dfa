/** What a provider tells once, kept in this process in case it is asked for again. Losing it must harm nothing. */
export interface Memory<T> {
  of(id: string): T | undefined;
  keep(id: string, value: T): T;
}

const MOST = 10_000;

/** The oldest is forgotten when there are too many. */
export const createMemory = <T>(): Memory<T> => {
  const known = new Map<string, T>();
  return {
    of: (id) => known.get(id),
    keep: (id, value) => {
      known.set(id, value);
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
      return value;
    },
  };
};
