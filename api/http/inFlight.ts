/** Requests that are being answered. Beyond a limit further ones are refused, so that a queue cannot grow without bound. */
export interface InFlight {
  /** Counts one more request of the address or account, if there is room for it. */
  enter(key: string): boolean;
  leave(key: string): void;
}

/** @param perKey a part of `total`: few addresses or accounts that send slowly must not take all places */
export const createInFlight = ({ total, perKey }: { total: number; perKey: number }): InFlight => {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    enter: (key) => {
      const count = counts.get(key) ?? 0;
      if (all >= total || count >= perKey) return false;
      all += 1;
      counts.set(key, count + 1);
      return true;
    },
    leave: (key) => {
      all -= 1;
      const count = (counts.get(key) ?? 0) - 1;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
};
