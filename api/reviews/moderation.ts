/** Moderation of reviews: people report, admins hide and restore. */
import { Type } from '@sinclair/typebox';
import { hideReview, publishedReview, restoreReview } from '../../commands/reviews/reviews.ts';
import { OneOf, ReasonText } from '../../domain/core/schema.ts';
import { reports } from '../../projections/reports/reports.ts';
import { listReviews, reviewsByIds, showReviews } from '../../projections/reviews/queries.ts';
import { ReviewForm, reviewStatuses, reviews } from '../../projections/reviews/reviews.ts';
import { ListOf, pagedText, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { byId, closeReportsOf, filingRoute, reportRoutes } from '../reports/reportRoutes.ts';
import { CHANGE } from './reviews.ts';

const report = filingRoute('POST /api/v1/reviews/:id/report', {
  id: 'reportReview',
  summary: 'Report a review to the admins',
  param: 'id',
  find: async (app, _, id) => {
    const { userId: authorId, text } = await publishedReview(app, id);
    return { subject: { kind: 'review', id, within: null }, authorId, text };
  },
});

const answers = reportRoutes({
  path: 'review-reports',
  kinds: ['review'],
  what: 'reviews',
  name: 'ReviewReport',
  content: ReviewForm,
  show: async (app, ids) => {
    const found = await reviewsByIds(app.db, ids);
    return byId(found, await showReviews(app.db, found, 'admin'));
  },
  removal: 'the review is hidden.',
  reasonFor: 'the author of the review',
  remove: async (app, context, { subject_id: id }, { reason }) => {
    await hideReview(app, context, id, reason);
  },
  projections: CHANGE.projections,
});

const all = route('GET /api/v1/admin/reviews', {
  id: 'listAllReviews',
  access: 'admin',
  harm: 'content',
  summary: 'List all reviews',
  description: 'The newest first. Includes hidden ones.',
  query: Type.Object({ ...pagingQuery, status: Type.Optional(OneOf(reviewStatuses)) }),
  reply: ListOf(ReviewForm),
  reads: [reviews],
  handle: ({ query }, app) =>
    pagedText(query, (paging) => listReviews(app.db, 'admin', { status: query.status, ...paging })),
});

const hide = route('POST /api/v1/admin/reviews/:id/hide', {
  id: 'hideReview',
  access: 'admin',
  harm: 'content',
  summary: 'Hide a review',
  description:
    'Only its author and admins see it then, with the reason. It does not count in ratings. Its author is told, and can appeal.',
  ...CHANGE,
  errors: [...CHANGE.errors, 'conflict'],
  body: Type.Object({ reason: ReasonText }),
  projections: [...CHANGE.projections, reports],
  handle: async ({ params, body, context }, app) => {
    await hideReview(app, context, params.id, body.reason);
    await closeReportsOf(app, context, { kind: 'review', id: params.id });
    return null;
  },
});

const restore = route('POST /api/v1/admin/reviews/:id/restore', {
  id: 'restoreReview',
  access: 'admin',
  harm: 'content',
  summary: 'Restore a hidden review',
  ...CHANGE,
  handle: async ({ params, context }, app) => {
    await restoreReview(app, context, params.id);
    return null;
  },
});

export const moderationRoutes = [report, ...answers, all, hide, restore];
