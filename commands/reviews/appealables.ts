/** A hidden review, and how it is shown again. */
import { review } from '../../domain/reviews/review.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { restoreReview } from './reviews.ts';

export const reviewAppealables = {
  review: {
    standing: async ({ aggregates }, id) => {
      const { state } = await aggregates.load(review, id);
      return state.status === 'hidden' ? { accountId: state.userId, number: state.hidings } : undefined;
    },
    undo: restoreReview,
  },
} as const satisfies AppealableKinds['appealables'];
