/** Policies and jobs, the time zone of the setting, the hourly deletion of what has expired, and the daily backup. */
import { failingJobs } from '../../commands/core/jobs.ts';
import { startWorker } from '../../commands/core/worker.ts';
import { countKept } from '../../commands/mail/refusedMails.ts';
import { jobs, policies, policyConsumers } from '../../commands/modules.ts';
import { adoptTimezone } from '../../commands/platform/timezone.ts';
import { watchDatabase } from '../../infra/databaseWatch.ts';
import { backUpDaily, scheduleOf } from '../backup/schedule.ts';
import { watchParts } from '../checks/watch.ts';
import { watchConsumers } from '../consumers.ts';
import { forgetErased, watchTombstones } from '../erasure.ts';
import { said } from '../healthLine.ts';
import { createRefusedMailCheck } from '../refusedMails.ts';
import { keepRetention } from '../retention.ts';
import { createUrgentJobCheck } from '../urgentJobs.ts';
import { wire } from '../wiring.ts';
import type { StartRole } from './role.ts';

export const start: StartRole = async (config, log) => {
  const wiring = wire(config, 'policies', log);
  const worker = startWorker(wiring, policies, jobs);
  const stopping = new AbortController();
  const { pool } = wiring;
  const schedule = scheduleOf(config);
  const running = [
    wiring.followForPolicies(stopping.signal),
    adoptTimezone(wiring, stopping.signal),
    keepRetention(wiring, config, stopping.signal),
    ...(schedule ? [backUpDaily(pool, schedule, log, stopping.signal)] : []),
  ];
  const urgentKinds = jobs.flatMap(({ kind, urgentMs }) => (urgentMs === undefined ? [] : [kind]));
  const urgent = createUrgentJobCheck(() => failingJobs(pool, urgentKinds), log);
  const refusedMails = createRefusedMailCheck(() => countKept(pool));
  const watch = watchConsumers(wiring, policyConsumers(config.POLICY_PARTS), {
    measure: async () => {
      await urgent.check();
      await refusedMails.check();
    },
  });
  const database = watchDatabase(pool, log);
  const caches = await forgetErased(wiring);
  const erasures = watchTombstones(wiring, config);
  const parts = watchParts(config, 'policies', log);
  return {
    faults: () => [
      ...said('StoreAway', 'PostgreSQL', database.faults()),
      ...said('PoliciesBehind', 'policies', watch.faults()),
      ...said('UrgentJobsFail', 'urgent jobs', urgent.faults()),
      ...said('ErasureWaits', 'erasures', erasures.faults()),
    ],
    remarks: () => [
      ...said('ClockWrong', 'clock', database.remarks()),
      ...said('MailKept', 'e-mails', refusedMails.remarks()),
      ...said('CheckFails', 'checks', parts.remarks()),
    ],
    stop: async () => {
      stopping.abort();
      await Promise.all([worker.stop(), ...running, watch.stop(), erasures.stop(), caches.stop()]);
      await Promise.all([parts.stop(), database.stop()]);
      await wiring.close();
    },
  };
};
