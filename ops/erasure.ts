/** Erases people, repeats what a restore has undone, and tells the caches of this process. */
import { isErasureUnderWay } from '../commands/core/certificates.ts';
import { type ErasurePlan, replayTombstones } from '../commands/core/erasure.ts';
import { countWaiting } from '../commands/core/outsideErasures.ts';
import { type CommandDeps, moduleErasures } from '../commands/modules.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/core/instants.ts';
import { ERASED_CHANNEL } from '../eventstore/vault.ts';
import { type Listener, listen } from '../infra/listen.ts';
import type { Logger } from '../infra/log.ts';
import { sleep } from '../infra/retry.ts';
import { createTombstones } from '../infra/tombstones.ts';
import type { Config } from './config.ts';
import { allMigrations } from './tables.ts';

/** What the erasure of a person consists of in the whole system. */
export const erasurePlan = ({ TOMBSTONES_DIR }: Pick<Config, 'TOMBSTONES_DIR'>): ErasurePlan<CommandDeps> => ({
  modules: moduleErasures,
  tables: allMigrations,
  tombstones: createTombstones(TOMBSTONES_DIR),
});

const EVERY_MS = HOUR_MS;
/** While an erasure is not complete, for example because the event store was away. */
const AGAIN_MS = MINUTE_MS;

export interface ErasureWatch {
  faults(): readonly string[];
  stop(): Promise<void>;
}

/**
 * Repeats unfinished and undone erasures: at once, which is after a restore, and then every hour. The tombstones are a file
 * for each person. So it is the certificates that are asked every minute whether an erasure has begun and is not complete.
 */
export const watchTombstones = (
  wiring: CommandDeps,
  config: Pick<Config, 'TOMBSTONES_DIR'>,
  againMs = AGAIN_MS,
): ErasureWatch => {
  const plan = erasurePlan(config);
  const stopping = new AbortController();
  let fault: string | undefined;
  const untilNext = async () => {
    const next = performance.now() + EVERY_MS;
    do {
      await sleep(againMs, stopping.signal);
      if (fault !== undefined || stopping.signal.aborted) return;
      const isOneUnderWay = await isErasureUnderWay(wiring.pool).catch((err: unknown) => {
        wiring.log.warn({ err }, 'the certificates of erasures cannot be read');
        return false;
      });
      if (isOneUnderWay) return;
    } while (performance.now() < next);
  };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const failed = await replayTombstones<CommandDeps>(wiring, plan).catch((err: unknown) => {
        wiring.log.error({ err }, 'the tombstones of erased people cannot be read');
        fault = `The tombstones in ${config.TOMBSTONES_DIR} (TOMBSTONES_DIR) cannot be read: erased people may be back.`;
        return undefined;
      });
      if (failed !== undefined) fault = await faultOf(wiring, failed);
      await untilNext();
    }
  })();
  return {
    faults: () => (fault === undefined ? [] : [fault]),
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
};

const faultOf = async ({ pool, log }: CommandDeps, failed: number): Promise<string | undefined> => {
  if (failed > 0) return `${failed} erasures are not complete.`;
  const waiting = await countWaiting(pool).catch((err: unknown) => {
    log.warn({ err }, 'what systems outside must be told of erased people cannot be read');
    return 0;
  });
  return waiting > 0 ? `${waiting} erasures wait for a payment provider or the file store.` : undefined;
};

/** A process with caches. */
interface Caching {
  readonly databaseUrl: string;
  readonly log: Logger;
  forgetErased(person?: string): void;
}

/** Has the caches of this process forget whom any process erases. */
export const forgetErased = (wiring: Caching): Promise<Listener> =>
  listen(wiring.databaseUrl, [ERASED_CHANNEL], (_, person) => wiring.forgetErased(person), {
    applicationName: 'erasures',
    log: wiring.log,
    onReconnect: () => wiring.forgetErased(), // notifications may have been missed
  });
