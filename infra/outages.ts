/** An outage is one line when it begins and one when it ends, however often something fails meanwhile. */

interface Outage {
  /** How often it was noticed. */
  readonly times: number;
  /** From the first time to the last. */
  readonly seconds: number;
}

export interface Outages {
  /** Something failed again. @returns whether it is the beginning */
  note(what: string, onEnd: (outage: Outage) => void): boolean;
}

/** An outage has ended when nothing failed for so long. */
const QUIET_MS = 10_000;

export const createOutages = (quietMs = QUIET_MS): Outages => {
  const open = new Map<string, { times: number; begun: number; last: number; quiet: NodeJS.Timeout }>();
  return {
    note: (what, onEnd) => {
      const now = performance.now();
      const known = open.get(what);
      if (known) {
        known.times += 1;
        known.last = now;
        known.quiet.refresh();
        return false;
      }
      const end = (): void => {
        const { times, begun, last } = open.get(what) as NonNullable<typeof known>;
        open.delete(what);
        onEnd({ times, seconds: Math.round((last - begun) / 1_000) });
      };
      open.set(what, { times: 1, begun: now, last: now, quiet: setTimeout(end, quietMs).unref() });
      return true;
    },
  };
};
