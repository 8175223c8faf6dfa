/** Waiting, with backoff and jitter. */

/** Waits `ms`. @throws the reason of `signal` when it fires first */
export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });

/**
 * Milliseconds before attempt `n` (from 0): a random part of a span that doubles up to `longestMs`. Random, so that
 * clients that lost the same server do not all come back at the same moment.
 */
export const backoffMs = (n: number, firstMs: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** n) * (0.5 + Math.random() / 2);
