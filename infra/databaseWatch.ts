/**
 * Asks the database all the time, over a connection of its own, whether it does what it is for: what it is known not to do
 * need not be waited for.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from './log.ts';
import { assertWritable, besidePool, OF_EMERGENCIES, type Pool } from './postgres.ts';
import { sleep } from './retry.ts';
import { isGivenUp, isStoreAway, StoreAway } from './storeFaults.ts';

/** How often it is asked. */
const EVERY_MS = 1_000;
/** Of one question: longer than a statement of its pool may take. */
const PATIENCE_MS = 1_000;

export interface DatabaseWatch {
  /** What keeps the database from taking writes, as a sentence; empty: nothing. */
  faults(): readonly string[];
  /** Asks now. @throws what keeps it from taking writes */
  check(): Promise<void>;
  /** The same pool, which fails at once while the database is known to be away, and otherwise within a second. */
  impatient(pool: Pool): Pool;
  stop(): Promise<void>;
}

/** A timer that is late because this process was busy must not be faster than an answer that is there. */
const withPatience = async <T>(work: Promise<T>): Promise<T> => {
  const done = new AbortController();
  const tooLate = async (): Promise<never> => {
    await sleep(PATIENCE_MS, done.signal);
    await nextTurn();
    throw new StoreAway('the database does not answer in time');
  };
  return Promise.race([work, tooLate()]).finally(() => done.abort());
};

/** @param pool of the same database; the watch has a connection beside it */
export const watchDatabase = (pool: Pool, log: Logger, everyMs = EVERY_MS): DatabaseWatch => {
  const own = besidePool(pool, { ...OF_EMERGENCIES, max: 1, applicationName: 'database watch', log });
  const stopping = new AbortController();
  let fault: string | undefined;

  const check = async (): Promise<void> => {
    try {
      await withPatience(assertWritable(own));
      fault = undefined;
    } catch (error) {
      fault = `PostgreSQL is not there for writes: ${(error as Error).message}.`;
      throw error;
    }
  };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await check().catch((err: unknown) => log.warn({ err }, 'the database is away'));
      await sleep(everyMs, stopping.signal);
    }
  })();

  /** What was locked or took long is no sign that the database is away. */
  const unlessAway = async <T>(work: () => Promise<T>): Promise<T> => {
    if (fault !== undefined) throw new StoreAway(fault);
    return withPatience(work()).catch((error: unknown) => {
      if (isStoreAway(error) && !isGivenUp(error)) fault ??= `PostgreSQL does not answer: ${(error as Error).message}.`;
      throw error;
    });
  };

  return {
    faults: () => (fault === undefined ? [] : [fault]),
    check,
    impatient: (of) =>
      ({
        query: (...query: Parameters<Pool['query']>) =>
          unlessAway(() => (of.query as (...given: unknown[]) => Promise<unknown>)(...query)),
        connect: () => {
          if (fault !== undefined) return Promise.reject(new StoreAway(fault));
          const opening = of.connect();
          return unlessAway(() => opening).catch((error: unknown) => {
            // It may still open, for nobody.
            opening.then(
              (client) => client.release(),
              () => undefined,
            );
            throw error;
          });
        },
      }) as unknown as Pool,
    stop: async () => {
      stopping.abort();
      await watching;
      await own.end();
    },
  };
};
