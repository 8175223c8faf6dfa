/** Keeps the read models at the log, and rebuilds those of another version. One is active; others stand by. */

import type { Logger } from '../../infra/log.ts';
import { runProjector } from '../../projections/engine/runner.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { models } from '../../projections/modules.ts';
import type { Config } from '../config.ts';
import { wire } from '../wiring.ts';
import type { Running } from './role.ts';

export const start = async (config: Config, log: Logger): Promise<Running> => {
  const wiring = wire(config, 'projector', log);
  const stopping = new AbortController();
  const { signal } = stopping;
  await ensureTables(wiring.pool, models);
  const projecting = runProjector({ ...wiring, models }, signal);

  return {
    stop: async () => {
      stopping.abort();
      await projecting;
      await wiring.close();
    },
  };
};
