/** Waiting between attempts, with backoff, limits and cancellation. */
import { setTimeout as delay } from 'node:timers/promises';

/** Waits `ms`; returns early, without an error, when `signal` fires. */
export const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
  await delay(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
};

export interface Backoff {
  /** Milliseconds to wait before the next attempt: doubling, with up to a quarter of jitter, never above the maximum. */
  next(): number;
  /** Call after a success. */
  reset(): void;
}

export const createBackoff = (minMs = 100, maxMs = 5_000): Backoff => {
  let attempt = 0;
  return {
    next: () => {
      const base = Math.min(maxMs, minMs * 2 ** attempt);
      attempt += 1;
      return Math.round(base * (1 - Math.random() / 4));
    },
    reset: () => {
      attempt = 0;
    },
  };
};

/** The work exceeded its time limit. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Rejects with `TimedOut` when `work` has not settled within `ms`. The work goes on: it has to be safe to repeat. */
export const withTimeout = async <T>(work: Promise<T>, ms: number, message: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut(message)), ms);
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
};
