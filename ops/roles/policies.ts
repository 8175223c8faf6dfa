/** Runs policies, jobs, the webhook inbox and pruning. */
import { startWorker } from '../../commands/core/worker.ts';
import { pruneHourly } from '../prune.ts';
import { wire } from '../wiring.ts';
import type { StartRole } from './index.ts';

export const start: StartRole = async (config, log) => {
  const wiring = wire(config, 'policies', log);
  const worker = startWorker(wiring);
  const stopping = new AbortController();
  const pruning = pruneHourly(wiring.pool, log, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([worker.stop(), pruning]);
      await wiring.close();
    },
  };
};
