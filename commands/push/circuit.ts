/** Remembers which destinations are away, so that they are not asked all the time. */
import { type Backoff, createBackoff } from '../../infra/retry.ts';

export interface Circuit {
  /** Milliseconds until the destination may be asked; 0: now. While it was away last, only some may ask. */
  waitMs(destination: string): number;
  /** It has answered. */
  isBack(destination: string): void;
  /** It is away, for this long if it says so. */
  isAway(destination: string, afterMs: number | undefined): void;
}

interface Away {
  until: number;
  readonly backoff: Backoff;
  /** How many may ask before the first of them has an answer. */
  probes: number;
}

const PROBES = 4;
const SHORTEST_MS = 500;
const LONGEST_MS = 30_000;
/** A service that asks for more is asked again after that anyway. */
const MOST_AFTER_MS = 600_000;

/** @param now milliseconds */
export const createCircuit = (now: () => number = () => performance.now()): Circuit => {
  const away = new Map<string, Away>();
  return {
    waitMs: (destination) => {
      const known = away.get(destination);
      if (!known) return 0;
      if (known.until > now()) return known.until - now();
      if (known.probes === 0) return SHORTEST_MS;
      known.probes -= 1;
      return 0;
    },
    isBack: (destination) => void away.delete(destination),
    isAway: (destination, afterMs) => {
      const known = away.get(destination);
      const waits = known !== undefined && known.until > now();
      const entry = known ?? { until: 0, backoff: createBackoff(SHORTEST_MS, LONGEST_MS), probes: 0 };
      // What was in flight together counts once.
      if (!waits) entry.until = now() + entry.backoff.next();
      if (afterMs !== undefined) entry.until = Math.max(entry.until, now() + Math.min(afterMs, MOST_AFTER_MS));
      entry.probes = PROBES;
      away.set(destination, entry);
    },
  };
};
