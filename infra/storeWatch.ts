/**
 * Remembers that a store does not answer, and asks it until it does: what is known to be away need not be waited for. Its
 * lines in the log are one when an outage begins and one when it is over (`outages.ts`).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from './log.ts';
import { createBackoff, sleep } from './retry.ts';
import { StoreAway } from './storeFaults.ts';

export interface Watched {
  /** In sentences, such as `PostgreSQL`. */
  readonly name: string;
  /** Logged while it is away. */
  readonly line: string;
  /** @throws what keeps it from doing what it is for */
  readonly ask: () => Promise<unknown>;
  /** How long it may take to answer that, in milliseconds. */
  readonly patienceMs: number;
  /** How often it is asked. */
  readonly everyMs: number;
  /** Whether it is also asked while nothing is known against it. */
  readonly isAskedAlways: boolean;
  readonly log: Logger | undefined;
}

export interface StoreWatch {
  /** Why it is known to be away; undefined: it is not. */
  fault(): string | undefined;
  /** Asks now. @throws what keeps the store from doing what it is for */
  check(): Promise<void>;
  /** It did not answer. */
  suspect(error: unknown): void;
  /** @throws StoreAway while the store is known to be away, and has been for so many milliseconds */
  assertThere(forMs?: number): void;
  stop(): Promise<void>;
}

/**
 * Waits so long for an answer. A timer that is late because this process was busy must not be faster than an answer that is
 * there.
 * @throws StoreAway
 */
export const withPatience = async <T>(work: Promise<T>, patienceMs: number, name: string): Promise<T> => {
  const done = new AbortController();
  const tooLate = async (): Promise<never> => {
    await sleep(patienceMs, done.signal);
    await nextTurn();
    throw new StoreAway(`${name} does not answer in time`);
  };
  return Promise.race([work, tooLate()]).finally(() => done.abort());
};

export const watchStore = ({ name, line, ask, patienceMs, everyMs, isAskedAlways, log }: Watched): StoreWatch => {
  const stopping = new AbortController();
  let fault: string | undefined;
  let since = 0;
  let asking: Promise<void> | undefined;

  /** Always the same kind of error, so that an outage is one line, however it shows. */
  const note = (how: string, cause: unknown): void => {
    if (fault === undefined) since = performance.now();
    fault = `${name} ${how}: ${(cause as Error).message}.`;
    log?.warn({ err: new StoreAway(fault, { cause }) }, line);
  };
  const check = async (): Promise<void> => {
    try {
      await withPatience(ask(), patienceMs, name);
      fault = undefined;
    } catch (error) {
      note('is not there', error);
      throw error;
    }
  };
  const goOnAsking = async (): Promise<void> => {
    // The processes that use a store do not all ask at the same moment whether it is back.
    const wait = createBackoff(everyMs, everyMs);
    while (!stopping.signal.aborted && (isAskedAlways || fault !== undefined)) {
      await check().catch(() => undefined); // it is noted
      if (isAskedAlways || fault !== undefined) await sleep(wait.next(), stopping.signal);
    }
    asking = undefined;
  };
  if (isAskedAlways) asking = goOnAsking();

  return {
    fault: () => fault,
    check,
    suspect: (error) => {
      if (fault === undefined) note('does not answer', error);
      asking ??= goOnAsking();
    },
    assertThere: (forMs = 0) => {
      if (fault !== undefined && performance.now() - since >= forMs) throw new StoreAway(fault);
    },
    stop: async () => {
      stopping.abort();
      await asking;
    },
  };
};
