/** Where the live read models are in the log: one checkpoint for all of them. */
import type { Position } from '../../domain/core/decider.ts';
import { loadCheckpoint } from '../../eventstore/checkpoints.ts';
import type { Queryable } from '../../infra/postgres.ts';

/** Names the checkpoint and the lease of the live projector. Must never change between releases. */
export const PROJECTOR = 'read-models';
/** NOTIFY channel; the payload is the position that is now visible. */
export const PROJECTED_CHANNEL = 'projected';

/** Everything up to here is visible; null when nothing was projected yet. */
export const livePosition = (db: Queryable): Promise<Position | null> => loadCheckpoint(db, PROJECTOR);
