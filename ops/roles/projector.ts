/** Keeps the read models at the log, and rebuilds those of another version. Workers share the groups of read models. */
import { watchDatabase } from '../../infra/databaseWatch.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { OF_BATCHES } from '../../infra/postgres.ts';
import { runProjector } from '../../projections/engine/runner.ts';
import { countParked } from '../../projections/engine/status.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { groups, models } from '../../projections/modules.ts';
import type { Config } from '../config.ts';
import { watchConsumers } from '../consumers.ts';
import { forgetErased } from '../erasure.ts';
import { said } from '../healthLine.ts';
import { wire } from '../wiring.ts';
import type { Running } from './role.ts';

export const start = async (config: Config, log: Logger): Promise<Running> => {
  const wiring = wire(config, 'projector', log, { limits: OF_BATCHES });
  const database = watchDatabase(wiring.pool, log);
  const stopping = new AbortController();
  const { signal } = stopping;
  await ensureTables(wiring.patientPool, groups);
  const projecting = runProjector({ ...wiring, groups }, signal);
  const measure = async () => {
    for (const [model, count] of await countParked(wiring.pool, models)) metrics.projectionParked.set({ model }, count);
  };
  const names = groups.map(({ name }) => name);
  const watch = watchConsumers(wiring, names, { measure });
  const caches = await forgetErased(wiring);

  return {
    faults: () => [
      ...said('StoreAway', 'PostgreSQL', database.faults()),
      ...said('ReadModelsBehind', 'read models', watch.faults()),
    ],
    remarks: () => said('ClockWrong', 'clock', database.remarks()),
    stop: async () => {
      stopping.abort();
      await Promise.all([projecting, watch.stop(), caches.stop(), database.stop()]);
      await wiring.close();
    },
  };
};
