/** Reviews: written by guests, answered by sellers, read by everybody. */
import { Type } from '@sinclair/typebox';
import {
  answerReview,
  deleteReview,
  editReview,
  firstReviewable,
  removeAnswer,
  writeReview,
} from '../../commands/reviews/reviews.ts';
import { BookingType } from '../../domain/catalog/bookableItem.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { AnswerText, MAX_PICTURES, Rating, ReviewText } from '../../domain/reviews/review.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { toSnake } from '../../infra/naming.ts';
import { ratings } from '../../projections/catalog/ratings.ts';
import { reviewAnswers } from '../../projections/reviews/answers.ts';
import {
  listPublicReviews,
  listReviews,
  reviewableBookings,
  reviewById,
  reviewFor,
  reviewSorts,
  showReviews,
} from '../../projections/reviews/queries.ts';
import { PublicReview, ReviewForm, type ReviewRow, reviewColumns, reviews } from '../../projections/reviews/reviews.ts';
import { callersChannel, callersSales } from '../accounts/channels.ts';
import type { App } from '../http/app.ts';
import { isProvenAdmin } from '../http/harm.ts';
import { ListOf, pagedText, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';

const OWN_WORDS = { none: 'public words of the seller, who can write them again' };

const changed = [reviews, reviewAnswers, ratings];
/** An operation on one review that answers with nothing. */
export const CHANGE = {
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: changed,
} as const;
const target = { target_type: BookingType, target_id: Uuid };
/** As its author sees it. */
const shownToAuthor = async (app: App, row: ReviewRow): Promise<JsonText<ReviewForm>> => {
  const [form] = await showReviews(app.db, [row], 'guest');
  return form as JsonText<ReviewForm>;
};
const PictureIds = Type.Array(Uuid, {
  maxItems: MAX_PICTURES,
  uniqueItems: true,
  description: 'Own files that were uploaded to the folder `reviews`, in the order in which they are shown.',
});
const Target = Type.Object({
  ...target,
  target_id: { ...Uuid, description: 'The listing: of a room, its hotel.' },
});

const write = route('POST /api/v1/reviews', {
  id: 'createReview',
  access: 'user',
  summary: 'Review a completed booking',
  description:
    'One review for a booking, which can be edited for 14 days. Without `booking_id` it is the newest completed booking of the listing that the caller has not reviewed.',
  body: Type.Object(
    {
      ...Target.properties,
      booking_id: Type.Optional(Uuid),
      rating: Rating,
      text: ReviewText,
      picture_ids: Type.Optional(PictureIds),
    },
    { $id: 'NewReview' },
  ),
  reply: ReviewForm,
  status: 201,
  errors: ['not_found', 'invalid', 'invalid_transition', 'conflict'],
  projections: changed,
  handle: async ({ body, caller, context }, app) => {
    const { target_type: targetType, target_id: targetId, booking_id, rating, text } = body;
    const pictureIds = body.picture_ids ?? [];
    const own = { userId: caller.id, targetType, targetId };
    const bookingId = booking_id ?? (await firstReviewable(app, await reviewableBookings(app.db, own)));
    if (bookingId === undefined)
      throw new Rejected('conflict', 'You have no completed booking of this that you have not reviewed.');
    const { id, review } = await writeReview(app, context, {
      bookingId,
      targetType,
      targetId,
      rating,
      text,
      pictureIds,
    });
    return shownToAuthor(app, reviewColumns(id, review, context.at));
  },
});

const get = route('GET /api/v1/reviews/:id', {
  id: 'getReview',
  access: 'user',
  summary: 'Get a review',
  description: 'For its author, its seller and admins. A hidden one only for its author, with the reason, and admins.',
  params: ById,
  reply: ReviewForm,
  reads: [reviews],
  errors: ['not_found'],
  handle: async ({ params, caller }, app) => {
    const found = await reviewFor(app.db, { id: caller.id, isAdmin: isProvenAdmin(caller) }, params.id);
    if (!found) throw notFound('review');
    return found;
  },
});

const edit = route('PATCH /api/v1/reviews/:id', {
  id: 'updateReview',
  access: 'user',
  summary: 'Update your review',
  description:
    'Until `editable_until`. Fields that are left out keep their values. Pictures that are not named again are deleted.',
  params: ById,
  body: Type.Partial(Type.Object({ rating: Rating, text: ReviewText, picture_ids: PictureIds }), {
    minProperties: 1,
    $id: 'ReviewUpdate',
  }),
  reply: ReviewForm,
  errors: ['not_found', 'invalid_transition'],
  projections: changed,
  handle: async ({ params: { id }, body, caller, context }, app) => {
    const row = await reviewById(app.db, id);
    if (row?.user_id !== caller.id) throw notFound('review');
    const { picture_ids: pictureIds, ...change } = body;
    const { rating, text, pictures } = await editReview(app, context, id, {
      ...change,
      ...(pictureIds && { pictureIds }),
    });
    return shownToAuthor(app, { ...row, rating, text, pictures: toSnake([...pictures]), updated_at: context.at });
  },
});

const remove = route('DELETE /api/v1/reviews/:id', {
  id: 'deleteReview',
  access: 'user',
  summary: 'Delete your review',
  description: 'For good: the booking cannot be reviewed again.',
  ...CHANGE,
  handle: async ({ params, context }, app) => {
    await deleteReview(app, context, params.id);
    return null;
  },
});

const list = route('GET /api/v1/reviews', {
  id: 'listReviews',
  access: 'public',
  summary: 'List reviews of a listing',
  query: Type.Object({
    ...target,
    ...pagingQuery,
    sort: Type.Optional(OneOf(reviewSorts, { default: 'newest', description: '`best` and `worst`: by rating.' })),
  }),
  reply: ListOf(PublicReview),
  reads: [reviews],
  handle: ({ query: { target_type: targetType, target_id: targetId, sort = 'newest', ...query } }, app) =>
    pagedText(query, (paging) => listPublicReviews(app.db, { targetType, targetId, sort, ...paging })),
});

const own = route('GET /api/v1/reviews/me', {
  id: 'listOwnReviews',
  access: 'user',
  summary: 'List own reviews',
  description: 'The newest first. Includes hidden ones, with the reason.',
  query: Type.Object(pagingQuery),
  reply: ListOf(ReviewForm),
  reads: [reviews],
  channel: callersChannel,
  handle: ({ query, caller }, app) =>
    pagedText(query, (paging) => listReviews(app.db, 'guest', { userId: caller.id, ...paging })),
});

const received = route('GET /api/v1/provider/reviews', {
  id: 'listReceivedReviews',
  access: 'provider',
  harm: { none: 'shows reviews, which everybody sees' },
  summary: 'List reviews of what the caller sells',
  description: 'The newest first. Hidden ones are left out.',
  query: Type.Object({ ...Type.Partial(Type.Object(target)).properties, ...pagingQuery }),
  reply: ListOf(ReviewForm),
  reads: [reviews],
  channel: callersSales,
  handle: async ({ query: { target_type: targetType, target_id: targetId, ...query }, caller }, app) => {
    const asked = { sellerId: caller.id, targetType, targetId, status: 'published' } as const;
    return pagedText(query, (paging) => listReviews(app.db, 'seller', { ...asked, ...paging }));
  },
});

const answer = route('PUT /api/v1/reviews/:id/answer', {
  id: 'answerReview',
  access: 'provider',
  harm: OWN_WORDS,
  summary: 'Answer a review of what the caller sells',
  description: 'Everybody sees the answer. Another answer replaces it.',
  ...CHANGE,
  body: Type.Object({ text: AnswerText }),
  handle: async ({ params, body, context }, app) => {
    await answerReview(app, context, params.id, body.text);
    return null;
  },
});

const unanswer = route('DELETE /api/v1/reviews/:id/answer', {
  id: 'removeReviewAnswer',
  access: 'provider',
  harm: OWN_WORDS,
  summary: 'Remove the answer to a review',
  description: 'By the seller, or by an admin.',
  ...CHANGE,
  handle: async ({ params, context }, app) => {
    await removeAnswer(app, context, params.id);
    return null;
  },
});

export const reviewRoutes = [write, list, own, get, edit, remove, received, answer, unanswer];
