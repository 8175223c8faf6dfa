/** What sellers and authors are told about reviews. Their links open `GET /reviews/{id}`. */
import { Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { Uuid } from '../../domain/core/schema.ts';
import type { EventOf } from '../../domain/modules.ts';
import { Rating, review } from '../../domain/reviews/review.ts';
import type { CoreDeps } from '../core/deps.ts';
import { notification, type Settled } from '../core/notification.ts';

const linkOf = ({ review_id }: { readonly review_id: string }): string => `/reviews/${review_id}`;
const traits = { kind: 'review', urgency: 'normal', worthMs: 3 * DAY_MS, link: linkOf } as const;

const reviewReceived = notification('review_received', {
  ...traits,
  params: Type.Object({ review_id: Uuid, rating: Rating }),
  on: { ReviewWritten: ({ streamId: reviewId }) => ({ about: { reviewId }, key: reviewId }) },
  takenBackBy: {
    // It was deleted or hidden.
    RatingChanged: ({ streamId: key, data: { sellerId: to, reviews } }) =>
      reviews < 0 ? { to, key, version: 0 } : undefined,
  },
  find: async ({ reviewId = '' }, { deps }) => {
    const { state } = await deps.aggregates.load(review, reviewId);
    if (state.status !== 'published') return [];
    const { sellerId: to, userId: of, rating } = state;
    return [{ to, of, params: { review_id: reviewId, rating } }];
  },
  text: {
    ru: ({ rating }, { name }) => ({ title: 'Новый отзыв', body: `${name}: оценка ${rating} из 5.` }),
    en: ({ rating }, { name }) => ({ title: 'New review', body: `${name} gave you ${rating} of 5.` }),
  },
});

const answerOfGone = async (
  { streamId: key }: Recorded<EventOf<'ReviewAnswerRemoved' | 'ReviewDeleted'>>,
  { aggregates }: Pick<CoreDeps, 'aggregates'>,
): Promise<Settled | undefined> => {
  const { state } = await aggregates.load(review, key);
  return 'userId' in state ? { to: state.userId, key, version: 0 } : undefined;
};

/** Once, however often the answer is edited. */
const reviewAnswered = notification('review_answered', {
  ...traits,
  params: Type.Object({ review_id: Uuid }),
  on: { ReviewAnswered: ({ streamId: reviewId }) => ({ about: { reviewId }, key: reviewId }) },
  takenBackBy: { ReviewAnswerRemoved: answerOfGone, ReviewDeleted: answerOfGone },
  find: async ({ reviewId = '' }, { deps }) => {
    const { state } = await deps.aggregates.load(review, reviewId);
    if (state.status !== 'published' || state.answer === null) return [];
    return [{ to: state.userId, params: { review_id: reviewId } }];
  },
  text: {
    ru: () => ({ title: 'Ответ на ваш отзыв', body: 'Продавец ответил на ваш отзыв.' }),
    en: () => ({ title: 'Your review was answered', body: 'The seller has answered your review.' }),
  },
});

/** To its author. The review says why. */
const reviewHidden = notification('review_hidden', {
  ...traits,
  kind: 'system',
  params: Type.Object({ review_id: Uuid }),
  on: { ReviewHidden: ({ streamId: reviewId, revision }) => ({ about: { reviewId, revision: String(revision) } }) },
  takenBackBy: {
    ReviewRestored: async ({ streamId: key, revision }, { aggregates }) => {
      const { state } = await aggregates.load(review, key);
      return 'userId' in state ? { to: state.userId, key, version: Number(revision) } : undefined;
    },
  },
  find: async ({ reviewId = '', revision }, { deps }) => {
    const { state } = await deps.aggregates.load(review, reviewId);
    if (state.status !== 'hidden') return [];
    return [{ to: state.userId, key: reviewId, version: Number(revision), params: { review_id: reviewId } }];
  },
  text: {
    ru: () => ({
      title: 'Ваш отзыв скрыт',
      body: 'Модератор скрыл ваш отзыв. Причина указана в отзыве. Вы можете подать апелляцию.',
    }),
    en: () => ({
      title: 'Your review was hidden',
      body: 'A moderator has hidden your review. The review says why. You can appeal.',
    }),
  },
});

export const reviewNotifications = [reviewReceived, reviewAnswered, reviewHidden];
