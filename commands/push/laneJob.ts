/**
 * Sends what is queued: a job for each lane, which one worker runs at a time. Whoever queues deliveries makes the jobs of
 * their lanes due. The jobs are set by a migration, and run again for ever.
 */
import { MINUTE_MS } from '../../domain/core/instants.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { createWaiters } from '../../infra/waiters.ts';
import { JobBatch } from '../core/jobChanges.ts';
import { defineJob } from '../core/jobs.ts';
import { deliver } from './deliver.ts';
import type { PushDeps } from './deps.ts';
import { type Lane, nextLook, type TakenDelivery, takeDeliveries } from './queue.ts';
import { type PushServiceName, pushServices } from './service.ts';

/**
 * Deliveries of a lane at the same time, which bounds what is in memory. HTTP/2 connections take 100 streams or more.
 * Encrypting for Web Push takes most of a millisecond, and nothing else runs meanwhile.
 */
const AT_ONCE: Readonly<Record<PushServiceName, number>> = { fcm: 200, apns: 200, web: 100 };
/** While some are under way, the queue is read this often for others: one slow answer delays nobody. */
const LOOK_MS = 50;
/** Then a lane that never gets empty ends, and runs again: no run counts as hanging. */
const LONGEST_MS = 5 * MINUTE_MS;
const RETRY_MS = 5_000;

const laneOf = (id: string): Lane => {
  const [to, service] = id.split(' ') as [Lane['to'], PushServiceName];
  return { to, service };
};

/** Its id is the lane: `direct fcm`. */
export const laneJob = defineJob<object, PushDeps>(
  'push_lane',
  async ({ id, stopping, lost }, { deps }) => {
    const lane = laneOf(id);
    const most = AT_ONCE[lane.service];
    const until = performance.now() + LONGEST_MS;
    const underWay = new Map<string, Promise<void>>();
    const waiters = createWaiters();
    const begin = (delivery: TakenDelivery): void => {
      const key = `${delivery.message_id} ${delivery.device_id}`;
      // Due again while it is still recorded, because the database was away or this process stood still.
      if (underWay.has(key)) return;
      const end = () => {
        underWay.delete(key);
        waiters.check();
      };
      underWay.set(key, deliver(deps, lane.service, delivery, stopping).then(end));
    };
    try {
      let isMore = true;
      while ((isMore || underWay.size > 0) && !stopping?.aborted && !lost?.aborted && performance.now() < until) {
        const free = most - underWay.size;
        // Few statements for many: nothing is taken while less than half is free.
        if (free >= most / 2) {
          const taken = await takeDeliveries(deps.pool, lane, free);
          taken.forEach(begin);
          isMore = taken.length === free;
        }
        await waiters.until(() => underWay.size <= (isMore ? most / 2 : 0), LOOK_MS);
      }
    } finally {
      await Promise.all(underWay.values());
    }
    return { againAt: await nextLook(deps.pool, lane) };
  },
  { urgentMs: RETRY_MS },
);

/**
 * Has lanes look at the queue. Call it after the deliveries are committed: a lane that is due already may have looked before.
 * If the process ends in between, the lanes look within 30 seconds.
 */
export const wakeLanes = async (
  db: Queryable,
  to: Lane['to'],
  services: readonly PushServiceName[] = pushServices,
): Promise<void> => {
  const jobs = new JobBatch();
  for (const service of services) await laneJob.runNow(jobs, `${to} ${service}`);
  await jobs.write(db);
};
