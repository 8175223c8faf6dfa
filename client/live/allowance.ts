/** A token bucket: `burst` at once, refilled at `perSecond`. `take` is false when it is empty. */
export const createAllowance = (burst: number, perSecond: number): { take(): boolean } => {
  let left = burst;
  let at = Date.now();
  return {
    take: () => {
      const now = Date.now();
      left = Math.min(burst, left + (Math.max(0, now - at) / 1_000) * perSecond);
      at = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
};
