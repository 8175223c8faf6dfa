/** Requests that are being answered. Beyond a limit further ones are refused, so that a queue cannot grow without bound. */
export interface InFlight {
  /** Counts one more request of the address, if there is room for it. */
  enter(address: string): boolean;
  leave(address: string): void;
}

/** @param perAddress a part of `total`: few addresses that send slowly must not take all places */
export const createInFlight = ({ total, perAddress }: { total: number; perAddress: number }): InFlight => {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    enter: (address) => {
      const count = counts.get(address) ?? 0;
      if (all >= total || count >= perAddress) return false;
      all += 1;
      counts.set(address, count + 1);
      return true;
    },
    leave: (address) => {
      all -= 1;
      const count = (counts.get(address) ?? 0) - 1;
      if (count > 0) counts.set(address, count);
      else counts.delete(address);
    },
  };
};
