/** The stores with the projector, the policies and the jobs of tracking beside them. */

import { startWorker } from '../../commands/core/worker.ts';
import { tracking } from '../../commands/tracking/index.ts';
import { startSession } from '../../commands/tracking/sessions.ts';
import { type Uploaded, uploadPoints } from '../../commands/tracking/upload.ts';
import { MAX_POINTS_AT_ONCE, type TrackPoint } from '../../domain/tracking/point.ts';
import { groupOf } from '../../projections/engine/groups.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { lag } from '../../projections/engine/status.ts';
import { readModels } from '../../projections/tracking/index.ts';
import { contextOf } from '../kit/context.ts';
import { type Changes, type Node, testDeps } from '../kit/deps.ts';
import { startProjector } from '../kit/projector.ts';
import type { Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

const groups = [groupOf('tracking', readModels)];

/** Starts a session at a time; the request comes a second later unless said otherwise. */
export const start = async (node: Node, accountId: string, startedAt: string, at = startedAt): Promise<string> =>
  (await startSession(node, contextOf(accountId, 'tourist', at), accountId, startedAt)).id;

/** Sends points as a device does, in batches. */
export const upload = async (
  node: Node,
  accountId: string,
  sessionId: string,
  points: readonly TrackPoint[],
  at: string,
): Promise<Omit<Uploaded, 'moved'>> => {
  const sum = { accepted: 0, duplicates: 0, rejected: [] as Uploaded['rejected'] };
  for (let from = 0; from < points.length; from += MAX_POINTS_AT_ONCE) {
    const batch = points.slice(from, from + MAX_POINTS_AT_ONCE);
    const context = contextOf(accountId, 'tourist', at);
    const uploaded = await uploadPoints(node, context, { accountId, sessionId }, batch);
    sum.accepted += uploaded.accepted;
    sum.duplicates += uploaded.duplicates;
    sum.rejected.push(...uploaded.rejected);
  }
  return sum;
};

export const createStage = async (stores: Stores, changes: Changes = {}) => {
  const node = testDeps(stores, changes);
  const projector = await startProjector({ ...node, groups });
  const worker = startWorker(node, tracking.policies, tracking.jobs);
  return {
    node,
    db: readDb(stores.pool),
    signal: projector.signal,
    /** Until the read models show everything. */
    projected: () => until(async () => (await lag(node, groups)).events === 0),
    /** When a job is due; undefined when it is not set. */
    dueAt: async (kind: string, id: string): Promise<string | undefined> => {
      const { rows } = await stores.pool.query<{ due_at: string }>(
        'select due_at from ops.jobs where kind = $1 and id = $2',
        [kind, id],
      );
      return rows[0]?.due_at;
    },
    stop: async () => {
      await Promise.all([projector.stop(), worker.stop()]);
      await stores.stop();
    },
  };
};
