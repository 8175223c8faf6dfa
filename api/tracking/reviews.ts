/** Tracks that nobody can have skied: for admins, and what their owners are told. */
import { Type } from '@sinclair/typebox';
import { disqualifyTrack, releaseTrack } from '../../commands/tracking/review.ts';
import { ownSession } from '../../commands/tracking/sessions.ts';
import { Nullable, OneOf, ReasonText } from '../../domain/core/schema.ts';
import {
  listTrackReviews,
  reviewStatuses,
  sessionsById,
  trackReviewOf,
  trackReviews,
} from '../../projections/tracking/reviews.ts';
import { shownSession, TrackingSession, trackingSessions } from '../../projections/tracking/sessions.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';

const UNDONE = { none: 'each undoes the other; the person is told' };

const { id: session_id, ...columns } = trackReviews.row.properties;
const Review = Type.Object(
  {
    session_id,
    ...columns,
    session: Nullable(TrackingSession),
  },
  { $id: 'TrackReview' },
);

const list = route('GET /api/v1/admin/tracking/reviews', {
  id: 'listTrackReviews',
  access: 'admin',
  harm: { none: 'shows figures of tracks, no positions' },
  summary: 'List tracks that were set aside',
  description:
    'What nobody can have skied: impossible speeds, drops and distances, simulated positions, the points of another track, two tracks of one person at the same time. They count for no leaderboard and no badge until they are released. What was decided last comes first.',
  query: Type.Object({
    ...pagingQuery,
    status: Type.Optional(OneOf(reviewStatuses, { description: 'All unless given.' })),
  }),
  reply: ListOf(Review),
  reads: [trackReviews, trackingSessions],
  handle: async ({ query: { status, ...query } }, { db }) => {
    const paging = pagingOf(query);
    const { rows, total } = await listTrackReviews(db, { status, ...paging });
    const sessions = await sessionsById(
      db,
      rows.map(({ id }) => id),
    );
    const shown = rows.map(({ id, ...row }) => {
      const session = sessions.get(id);
      return { session_id: id, ...row, session: session ? shownSession(session) : null };
    });
    return listOf({ rows: shown, total }, paging);
  },
});

const disqualify = route('POST /api/v1/admin/tracking/sessions/:id/disqualify', {
  id: 'disqualifyTrack',
  access: 'admin',
  harm: UNDONE,
  summary: 'Disqualify a track',
  description:
    'Also one that was not set aside. It leaves the leaderboards, closed ones included, and badges that were earned only with it are taken back. The owner keeps it in their statistics.',
  params: ById,
  body: Type.Object({ reason: { ...ReasonText, description: 'Why, for the owner.' } }),
  ...NO_CONTENT,
  errors: ['not_found', 'invalid_transition', 'conflict'],
  projections: [trackReviews],
  handle: async ({ params, body, context }, app) => {
    await disqualifyTrack(app, context, params.id, body.reason);
    return null;
  },
});

const release = route('POST /api/v1/admin/tracking/sessions/:id/release', {
  id: 'releaseTrack',
  access: 'admin',
  harm: UNDONE,
  summary: 'Release a track that was set aside or disqualified',
  description: 'It counts again, also on a leaderboard that has closed since it was finished.',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found', 'invalid_transition'],
  projections: [trackReviews],
  handle: async ({ params, context }, app) => {
    await releaseTrack(app, context, params.id);
    return null;
  },
});

const Standing = Type.Object(
  {
    counts: Type.Boolean({ description: 'Whether it counts for leaderboards and badges.' }),
    status: Nullable(OneOf(reviewStatuses, { description: 'null: it was never doubted.' })),
    reason: Nullable(Type.String({ description: 'Why it was disqualified.' })),
  },
  { $id: 'TrackStanding' },
);

const own = route('GET /api/v1/tracking/sessions/:id/review', {
  id: 'getTrackStanding',
  access: 'user',
  summary: 'Get whether your track counts in comparisons',
  description: 'A track that was set aside waits for an admin. Own statistics count it in any case.',
  params: ById,
  reply: Standing,
  errors: ['not_found'],
  reads: [trackReviews],
  handle: async ({ params, caller }, app) => {
    await ownSession(app, caller.id, params.id);
    const { status = null, reason = null } = (await trackReviewOf(app.db, params.id)) ?? {};
    return { counts: status === null || status === 'released', status, reason };
  },
});

export const reviewRoutes = [own, list, disqualify, release];
