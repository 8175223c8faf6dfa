/** Waiting between attempts, with backoff, limits and cancellation. */

/**
 * Fires with the first of several signals, or when it is ended. Unlike `AbortSignal.any`, which leaves a few bytes in
 * signals that live as long as the process, it leaves nothing behind once it is ended.
 */
export const linkSignals = (...signals: readonly AbortSignal[]): { readonly signal: AbortSignal; end(): void } => {
  const linked = new AbortController();
  const end = () => {
    for (const signal of signals) signal.removeEventListener('abort', end);
    linked.abort();
  };
  for (const signal of signals) signal.addEventListener('abort', end);
  if (signals.some(({ aborted }) => aborted)) end();
  return { signal: linked.signal, end };
};

/** Waits `ms`; returns early, without an error, when one of `signals` fires. */
export const sleep = (ms: number, ...signals: readonly AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    for (const signal of signals) signal.addEventListener('abort', end);
    if (signals.some(({ aborted }) => aborted)) end();
  });

/** Waits for `work`, at most until `signal` fires. The work goes on. */
export const orAborted = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  let onAbort = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
    signal.addEventListener('abort', onAbort);
  });
  await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
};

export interface Backoff {
  /**
   * Milliseconds to wait before the next attempt: doubling, never above the maximum. Up to half of it is left to chance, so
   * that those who wait for the same do not all come at once when it is back.
   */
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
      return Math.round(base * (1 - Math.random() / 2));
    },
    reset: () => {
      attempt = 0;
    },
  };
};

/** Up to a quarter less, by chance: what many wait for at the same time does not come back to all of them at once. */
export const spread = (ms: number): number => ms * (1 - Math.random() / 4);

const LONGEST_RETRY_AFTER_S = 4;
/** For `Retry-After` of a 503, in seconds: by chance, so that clients who were refused together do not all return at once. */
export const retryAfterS = (): number => 1 + Math.floor(Math.random() * LONGEST_RETRY_AFTER_S);

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
