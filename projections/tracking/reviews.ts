/** Tracks that were set aside, and what admins have decided about them. */

import { type Static, Type } from '@sinclair/typebox';
import { DateOnly, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { trackingPurpose } from '../../domain/tracking/index.ts';
import { Suspicion } from '../../domain/tracking/review.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { type TrackingSessionRow, trackingSessions } from './sessions.ts';

export const reviewStatuses = ['set_aside', 'disqualified', 'released'] as const;

const Row = Type.Object({
  /** That of the session. */
  id: Uuid,
  account_id: Uuid,
  day: DateOnly,
  status: OneOf(reviewStatuses),
  /** None when an admin disqualified it on their own. */
  suspicions: Type.Array(snakeSchema(Suspicion)),
  /** Why it was disqualified. */
  reason: Nullable(Type.String()),
  created_at: Instant,
  updated_at: Instant,
});
export type TrackReviewRow = Static<typeof Row>;

export const trackReviews = readModel('track_reviews', {
  version: 1,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'account_id',
    texts: ['reason'],
    why: trackingPurpose,
    retention: 'account',
    seenBy: ['self', 'admins'],
  },
  on: {
    TrackSetAside: (row, { streamId: id, at, data: { accountId, day, suspicions } }) => ({
      id,
      account_id: accountId,
      day,
      status: 'set_aside' as const,
      suspicions: [...(row?.suspicions ?? []), ...suspicions.map((one) => toSnake(one))],
      reason: null,
      created_at: row?.created_at ?? at,
      updated_at: at,
    }),
    TrackDisqualified: (row, { streamId: id, at, data: { accountId, day, reason } }) => ({
      id,
      account_id: accountId,
      day,
      status: 'disqualified' as const,
      suspicions: row?.suspicions ?? [],
      reason,
      created_at: row?.created_at ?? at,
      updated_at: at,
    }),
    TrackReleased: (row, { at }) => ({ ...existing(row), status: 'released' as const, reason: null, updated_at: at }),
    // Nothing is left to review.
    TrackingSessionDiscarded: () => null,
  },
  indexes: ['updated_at desc, id', 'status, updated_at desc, id', 'account_id'],
});

/** The newest first. */
export const listTrackReviews = (
  db: ReadDb,
  { status, ...paging }: { readonly status: TrackReviewRow['status'] | undefined } & Paging,
): Promise<Page<TrackReviewRow>> =>
  pageOf(
    db,
    tables(db, trackReviews)
      .selectFrom('track_reviews')
      .selectAll()
      .$if(status !== undefined, (q) => q.where('status', '=', status as TrackReviewRow['status']))
      .orderBy('updated_at', 'desc')
      .orderBy('id'),
    paging,
  );

/** What was decided about a session; undefined: it was never doubted. */
export const trackReviewOf = (db: ReadDb, sessionId: string): Promise<TrackReviewRow | undefined> =>
  tables(db, trackReviews).selectFrom('track_reviews').selectAll().where('id', '=', sessionId).executeTakeFirst();

/** Sessions by id; those that are gone are absent. */
export const sessionsById = async (
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TrackingSessionRow>> => {
  const rows = await tables(db, trackingSessions)
    .selectFrom('tracking_sessions')
    .selectAll()
    .where(isAnyOf('id', ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
};
