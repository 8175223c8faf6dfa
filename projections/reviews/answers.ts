/** What sellers answer to reviews. */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { reviewsPurpose } from '../../domain/reviews/index.ts';
import { readModel } from '../engine/readModel.ts';

const Row = Type.Object({
  /** Of the review. */
  id: Uuid,
  seller_id: Uuid,
  text: Type.String(),
  answered_at: Instant,
});

export const reviewAnswers = readModel('review_answers', {
  version: 1,
  row: Row,
  key: 'id',
  personalData: { whose: 'seller_id', texts: ['text'], why: reviewsPurpose, retention: 'account' },
  on: {
    ReviewAnswered: (row: Static<typeof Row> | undefined, { streamId: id, at, data }) => ({
      id,
      seller_id: data.sellerId,
      text: data.text,
      answered_at: row?.answered_at ?? at,
    }),
    ReviewAnswerRemoved: () => null,
    ReviewDeleted: () => null,
  },
  indexes: ['seller_id'],
});
