/** Keeps the read models at the log, and rebuilds those of another version. One is active; others stand by. */
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { PROJECTOR } from '../../projections/engine/checkpoint.ts';
import { runProjector } from '../../projections/engine/runner.ts';
import { countParked } from '../../projections/engine/status.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { models } from '../../projections/modules.ts';
import type { Config } from '../config.ts';
import { watchConsumers } from '../consumers.ts';
import { forgetErased } from '../erasure.ts';
import { wire } from '../wiring.ts';
import type { Running } from './role.ts';

export const start = async (config: Config, log: Logger): Promise<Running> => {
  const wiring = wire(config, 'projector', log);
  const stopping = new AbortController();
  const { signal } = stopping;
  await ensureTables(wiring.pool, models);
  const projecting = runProjector({ ...wiring, models }, signal);
  const measure = async () => {
    for (const [model, count] of await countParked(wiring.pool, models)) metrics.projectionParked.set({ model }, count);
  };
  const watch = watchConsumers(wiring, [PROJECTOR], { measure });
  const caches = await forgetErased(wiring);

  return {
    faults: watch.faults,
    stop: async () => {
      stopping.abort();
      await Promise.all([projecting, watch.stop(), caches.stop()]);
      await wiring.close();
    },
  };
};
