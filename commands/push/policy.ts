/** What events mean for push messages. */
import { policy } from '../core/policy.ts';
import { followBroadcast } from './broadcastJob.ts';
import type { PushDeps } from './deps.ts';
import { knowPersonAgain } from './segmentFacts.ts';

export const pushPolicy = policy<PushDeps>('push', {
  RoleGranted: ({ streamId }, { deps }) => knowPersonAgain(deps, streamId),
  ProfileChanged: ({ streamId }, { deps }) => knowPersonAgain(deps, streamId),
  BroadcastScheduled: ({ streamId, meta }, { deps }) => followBroadcast(deps, meta, streamId),
  BroadcastPaused: ({ streamId, meta }, { deps }) => followBroadcast(deps, meta, streamId),
  BroadcastResumed: ({ streamId, meta }, { deps }) => followBroadcast(deps, meta, streamId),
  BroadcastCancelled: ({ streamId, meta }, { deps }) => followBroadcast(deps, meta, streamId),
});
