/** Erases people, repeats what a restore has undone, and tells the caches of this process. */
import { replayTombstones } from '../commands/core/erasure.ts';
import type { CommandDeps } from '../commands/modules.ts';
import { ERASED_CHANNEL } from '../eventstore/vault.ts';
import { type Listener, listen } from '../infra/postgres.ts';
import { sleep } from '../infra/retry.ts';
import type { Config } from './config.ts';
import { erasurePlan } from './erasurePlan.ts';
import type { Wiring } from './wiring.ts';

const EVERY_MS = 3_600_000;
/** After a failure, such as a payment provider that does not reply. */
const AGAIN_MS = 60_000;

export interface ErasureWatch {
  faults(): readonly string[];
  stop(): Promise<void>;
}

/** Repeats unfinished and undone erasures: at once, which is after a restore, and then every hour. */
export const watchTombstones = (wiring: Wiring, config: Config): ErasureWatch => {
  const plan = erasurePlan(config);
  const stopping = new AbortController();
  let fault: string | undefined;
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const failed = await replayTombstones<CommandDeps>(wiring, plan).catch((err: unknown) => {
        wiring.log.error({ err }, 'the tombstones of erased people cannot be read');
        fault = `The tombstones in ${config.TOMBSTONES_DIR} (TOMBSTONES_DIR) cannot be read: erased people may be back.`;
        return undefined;
      });
      if (failed !== undefined) fault = failed === 0 ? undefined : `${failed} erasures are not complete.`;
      await sleep(fault === undefined ? EVERY_MS : AGAIN_MS, stopping.signal);
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

/** Has the caches of this process forget whom any process erases. */
export const forgetErased = (wiring: Wiring): Promise<Listener> =>
  listen(wiring.databaseUrl, [ERASED_CHANNEL], (_, person) => wiring.forgetPerson(person), {
    applicationName: 'erasures',
    log: wiring.log,
  });
