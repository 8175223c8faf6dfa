/** Policies, timers, the webhook inbox and housekeeping: what acts by itself. */
import { startWorker } from '../../commands/core/worker.ts';
import { keepHouse } from '../prune.ts';
import { wire } from '../wiring.ts';
import type { StartRole } from './index.ts';

export const start: StartRole = async (config, log) => {
  const wiring = wire(config, 'policies', log);
  const worker = startWorker(wiring);
  const stopping = new AbortController();
  const housekeeping = keepHouse(wiring.pool, log, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([worker.stop(), housekeeping]);
      await wiring.close();
    },
  };
};
