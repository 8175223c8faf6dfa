/** What the operations of tracking share. */

import { Type } from '@sinclair/typebox';
import type { TrackKey } from '../../commands/tracking/points.ts';
import type { LiveSession } from '../../commands/tracking/sessions.ts';
import { notFound } from '../../domain/core/decider.ts';
import { hasCome } from '../../domain/core/instants.ts';
import { Instant } from '../../domain/core/schema.ts';
import { toSnake } from '../../infra/naming.ts';
import { sessionById, type TrackingSession } from '../../projections/tracking/sessions.ts';
import { shareOf } from '../../projections/tracking/shares.ts';
import type { App } from '../http/app.ts';

/** An optional time of a request. */
export const When = (description: string) => Type.Optional(Type.Unsafe<string>({ ...Instant, description }));

/** When the device sent the request. */
export const SentAt = When(
  'When the device sent this request, by the clock that its other times come from: a clock that is a minute or more wrong is corrected by it.',
);

/** A session as its owner sees it, from its state after a command. */
export const sessionReply = (id: string, session: LiveSession): TrackingSession => {
  const known = { id, status: session.status, started_at: session.startedAt, day: session.day };
  if (session.status === 'open')
    return { ...known, finished_at: null, ending: null, accepts_points_until: null, summary: null, adds: null };
  return {
    ...known,
    finished_at: session.finishedAt,
    ending: session.ending,
    accepts_points_until: session.acceptsPointsUntil,
    summary: toSnake(session.summary),
    adds: session.adds ? toSnake(session.adds) : null,
  };
};

/** Which points an account may read. `since`: fixes from then on. */
export interface Readable {
  readonly key: TrackKey;
  readonly since?: string;
}

/** The owner reads all points, a viewer those since the share began. @throws Rejected `not_found` for everybody else */
export const readableTrack = async ({ db, now }: App, accountId: string, sessionId: string): Promise<Readable> => {
  const row = await sessionById(db, sessionId);
  if (!row) throw notFound('tracking session');
  const key = { accountId: row.account_id, sessionId, day: row.day };
  if (row.account_id === accountId) return { key };
  const share = await shareOf(db, sessionId, accountId);
  if (!share || hasCome(share.expires_at, now())) throw notFound('tracking session');
  return { key, since: share.shared_at };
};
