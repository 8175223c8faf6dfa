import { setTimeout as delay } from 'node:timers/promises';

type Falsy = false | 0 | '' | null | undefined;

/** Only ends tests that wait in vain: a machine under heavy load takes twenty times as long as a quiet one. */
export const WAIT_MS = 90_000;

/** Waits until `probe` gives something, and returns it; fails after `timeoutMs`. */
export const until = async <T>(probe: () => T | Promise<T>, timeoutMs = WAIT_MS): Promise<Exclude<T, Falsy>> => {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found) return found as Exclude<T, Falsy>;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${probe}`);
    await delay(10);
  }
};
