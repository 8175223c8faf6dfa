/** Policies and jobs, and the hourly deletion of what has expired. */
import { startWorker } from '../../commands/core/worker.ts';
import { jobs, policies, policyConsumers } from '../../commands/modules.ts';
import { watchConsumers } from '../consumers.ts';
import { pruneHourly } from '../prune.ts';
import { wire } from '../wiring.ts';
import type { StartRole } from './role.ts';

export const start: StartRole = async (config, log) => {
  const wiring = wire(config, 'policies', log);
  const worker = startWorker(wiring, policies, jobs);
  const stopping = new AbortController();
  const pruning = pruneHourly(wiring.pool, log, stopping.signal);
  const watch = watchConsumers(wiring, policyConsumers);
  return {
    faults: watch.faults,
    stop: async () => {
      stopping.abort();
      await Promise.all([worker.stop(), pruning, watch.stop()]);
      await wiring.close();
    },
  };
};
