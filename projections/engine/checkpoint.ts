/** The position of the live read models in the log: one checkpoint for all of them. */
import type { Position } from '../../domain/core/decider.ts';
import { loadCheckpoint } from '../../eventstore/checkpoints.ts';
import type { Queryable } from '../../infra/postgres.ts';

/** The name of the projector's checkpoint and lease. It must never change between releases. */
export const PROJECTOR = 'read-models';
/** NOTIFY channel; the payload is the position that is now visible. */
export const PROJECTED_CHANNEL = 'projected';

/** All events up to here are visible; null while nothing was projected. */
export const livePosition = (db: Queryable): Promise<Position | null> => loadCheckpoint(db, PROJECTOR);
