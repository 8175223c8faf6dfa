/** What follows from events of the resort and from scans at gates: when to tell and to count, and what to count. */
import { ONLY_ONE } from '../../domain/core/schema.ts';
import type { JobDefinition } from '../core/jobs.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import type { ResortDeps } from './deps.ts';
import { rememberPassage, rememberStatus } from './passages.ts';
import { liftQueueJob } from './queueCounts.ts';
import { liftStateJob, slopeStateJob } from './tellStates.ts';
import { weatherJob } from './weather.ts';

type Changed = Parameters<
  PolicyHandler<{ streamId: string; at: string; meta: { correlationId: string } }, ResortDeps>
>[0];
const soon =
  (...jobs: readonly JobDefinition<object, ResortDeps>[]) =>
  async ({ streamId: id, at: dueAt, meta }: Changed, { deps }: { deps: ResortDeps }): Promise<void> => {
    for (const job of jobs) await job.schedule(deps.jobs, meta, { id, dueAt, data: {} });
  };
const ofLift = soon(liftStateJob, liftQueueJob);
const ofQueue = soon(liftStateJob);
const ofSlope = soon(slopeStateJob);

export const resortPolicy = policy<ResortDeps>('resort', {
  LiftAdded: ofLift,
  LiftChanged: ofLift,
  LiftOverrideSet: ofLift,
  LiftRetired: ofLift,
  LiftQueueReported: ofQueue,
  LiftQueueReportWithdrawn: ofQueue,
  LiftStateTold: ({ streamId, at, data: { status } }, { deps }) => rememberStatus(deps.pool, streamId, status, at),
  PassScanned: async ({ id: eventId, streamId: passId, data: { liftId, userId, scannedAt } }, { deps }) => {
    if (liftId !== null) await rememberPassage(deps.pool, { eventId, liftId, passId, userId, passedAt: scannedAt });
  },
  SlopeAdded: ofSlope,
  SlopeChanged: ofSlope,
  SlopeOverrideSet: ofSlope,
  SlopeRetired: ofSlope,
  ResortStationSet: ({ meta, at: dueAt }, { deps }) =>
    weatherJob.schedule(deps.jobs, meta, { id: ONLY_ONE, dueAt, data: {} }),
});
