/**
 * Asks the database all the time, over a connection of its own, whether it does what it is for: what it is known not to do
 * need not be waited for. Its clock comes with the same answer.
 */
import { processClock } from './clock.ts';
import { leftOf } from './deadline.ts';
import type { Logger } from './log.ts';
import { askWritable, besidePool, OF_EMERGENCIES, OF_REQUESTS, type Pool, type PoolClient } from './postgres.ts';
import { isGivenUp, isStoreAway, StoreAway } from './storeFaults.ts';
import { watchStore, withPatience } from './storeWatch.ts';

/** How often it is asked. */
const EVERY_MS = 1_000;
/** Of one question: longer than a statement of its pool may take. */
const PATIENCE_MS = 1_000;
/** Of what is asked when no time is left. */
const SHORTEST_MS = 250;
const NAME = 'PostgreSQL';

type Done = (error: Error | undefined, client: PoolClient | undefined, release: (broken?: unknown) => void) => void;

export interface DatabaseWatch {
  /** What keeps the database from taking writes, as a sentence; empty: nothing. */
  faults(): readonly string[];
  /** What an operator should know of it, although it takes writes: its clock differs. */
  remarks(): readonly string[];
  /** Asks now. @throws what keeps it from taking writes */
  check(): Promise<void>;
  /** Has a pool give no connections once the database has been away for as long as a request waits for one. */
  guard(pool: Pool): void;
  /** The same pool, which fails at once while the database is known to be away, and otherwise within a second, or what is left (`deadline.ts`). */
  impatient(pool: Pool): Pool;
  stop(): Promise<void>;
}

/** @param pool of the same database; the watch has a connection beside it */
export const watchDatabase = (pool: Pool, log: Logger, everyMs = EVERY_MS): DatabaseWatch => {
  const own = besidePool(pool, { ...OF_EMERGENCIES, max: 1, applicationName: 'database watch', log });
  const watch = watchStore({
    name: NAME,
    line: 'the database is away',
    ask: async () => processClock.note(await askWritable(own), log),
    patienceMs: PATIENCE_MS,
    everyMs,
    isAskedAlways: true,
    log,
  });

  /** What was locked, took long or had little time is no sign that the database is away. */
  const unlessAway = async <T>(work: () => Promise<T>): Promise<T> => {
    watch.assertThere();
    const patienceMs = Math.max(SHORTEST_MS, leftOf(PATIENCE_MS));
    return withPatience(work(), patienceMs, NAME).catch((error: unknown) => {
      if (isStoreAway(error) && !isGivenUp(error) && patienceMs === PATIENCE_MS) watch.suspect(error);
      throw error;
    });
  };

  return {
    faults: () => [watch.fault() ?? []].flat(),
    remarks: processClock.remarks,
    check: watch.check,
    guard: (of) => {
      const connect = of.connect.bind(of) as (done?: Done) => unknown;
      const connectUnlessAway = (done?: Done): unknown => {
        try {
          watch.assertThere(OF_REQUESTS.connectTimeoutMs);
        } catch (error) {
          return done ? process.nextTick(done, error) : Promise.reject(error as Error);
        }
        return done ? connect(done) : connect();
      };
      of.connect = connectUnlessAway as typeof of.connect;
    },
    impatient: (of) =>
      ({
        query: (...query: Parameters<Pool['query']>) =>
          unlessAway(() => (of.query as (...given: unknown[]) => Promise<unknown>)(...query)),
        connect: () => {
          const fault = watch.fault();
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
      await watch.stop();
      await own.end();
    },
  };
};
