import { setTimeout as delay } from 'node:timers/promises';

type Falsy = false | 0 | '' | null | undefined;

/** Only ends tests that wait in vain: a machine under heavy load takes twenty times as long as a quiet one. */
export const WAIT_MS = 90_000;

/** Between two probes: what takes longer is asked for less often, so that the questions do not slow it down. */
const PAUSE_MS = { first: 5, longest: 50 };

/** Waits until `probe` gives something, and returns it; fails after `timeoutMs`. */
export const until = async <T>(probe: () => T | Promise<T>, timeoutMs = WAIT_MS): Promise<Exclude<T, Falsy>> => {
  const begun = performance.now();
  for (;;) {
    const found = await probe();
    if (found) return found as Exclude<T, Falsy>;
    const waited = performance.now() - begun;
    if (waited > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${probe}`);
    await delay(Math.min(PAUSE_MS.longest, Math.max(PAUSE_MS.first, waited / 10)));
  }
};
