/** Policies and jobs, the hourly deletion of what has expired, and the daily backup. */
import { startWorker } from '../../commands/core/worker.ts';
import { jobs, policies, policyConsumers } from '../../commands/modules.ts';
import { backUpDaily, scheduleOf } from '../backup/schedule.ts';
import { clockSkew, createClockCheck } from '../clock.ts';
import { watchConsumers } from '../consumers.ts';
import { forgetErased, watchTombstones } from '../erasure.ts';
import { pruneHourly } from '../prune.ts';
import { wire } from '../wiring.ts';
import type { StartRole } from './role.ts';

export const start: StartRole = async (config, log) => {
  const wiring = wire(config, 'policies', log);
  const worker = startWorker(wiring, policies, jobs);
  const stopping = new AbortController();
  const { pool } = wiring;
  const schedule = scheduleOf(config);
  const running = [
    pruneHourly(pool, log, stopping.signal),
    ...(schedule ? [backUpDaily(pool, schedule, log, stopping.signal)] : []),
  ];
  const clock = createClockCheck(() => clockSkew(pool), log);
  const watch = watchConsumers(wiring, policyConsumers, { measure: clock.check });
  const caches = await forgetErased(wiring);
  const erasures = watchTombstones(wiring, config);
  return {
    faults: () => [...watch.faults(), ...clock.faults(), ...erasures.faults()],
    stop: async () => {
      stopping.abort();
      await Promise.all([worker.stop(), ...running, watch.stop(), erasures.stop(), caches.stop()]);
      await wiring.close();
    },
  };
};
