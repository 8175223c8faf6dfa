/** Reviews as guests, sellers, admins and everybody see them. */

import { type Static, Type } from '@sinclair/typebox';
import { BookingType } from '../../domain/catalog/bookableItem.ts';
import { ERASED, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { reviewsPurpose } from '../../domain/reviews/index.ts';
import type { ReviewEvent } from '../../domain/reviews/review.ts';
import { toSnake } from '../../infra/naming.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { providerChannel, userChannel } from '../accounts/channels.ts';
import { shortNamesOf } from '../accounts/shortNames.ts';
import { isAnyOf, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { SeenBy, wireFormWith } from '../engine/wire.ts';
import { Attachment, AttachmentRow, attachmentsOf } from '../files/links.ts';
import { reviewAnswers } from './answers.ts';
import { reviewAuthors } from './authors.ts';

export const reviewStatuses = ['published', 'hidden'] as const;

const Row = Type.Object({
  id: Uuid,
  booking_id: Uuid,
  user_id: Uuid,
  seller_id: Uuid,
  target_type: BookingType,
  /** The listing. */
  target_id: Uuid,
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  text: Type.String(),
  pictures: Type.Array(AttachmentRow),
  status: OneOf(reviewStatuses),
  /** Why an admin has hidden it. */
  hidden_reason: Nullable(Type.String()),
  editable_until: Instant,
  created_at: Instant,
  updated_at: Instant,
});
export type ReviewRow = Static<typeof Row>;

const { hidden_reason, user_id, text: _, pictures: __, ...columns } = Row.properties;
const answer = Nullable(Type.Object({ text: Type.String(), answered_at: Instant }));
const Shown = {
  pictures: Type.Array(Attachment),
  text: Nullable(Type.String({ description: 'null: the author was erased.' })),
  author: Nullable(Type.String({ description: 'First name and initial; null: the author was erased.' })),
};

/** For its author (guest), its seller and admins. */
export const ReviewForm = Type.Object(
  {
    ...columns,
    ...Shown,
    answer,
    user_id: SeenBy(['admin'], user_id, 'The author.'),
    hidden_reason: SeenBy(['guest', 'admin'], hidden_reason, 'Why an admin has hidden it.'),
  },
  { $id: 'Review' },
);
export type ReviewForm = Static<typeof ReviewForm>;

/** For everybody. */
const { booking_id, seller_id, status, editable_until, ...shown } = columns;
export const PublicReview = Type.Object({ ...shown, ...Shown, answer }, { $id: 'PublicReview' });

const unlessErased = (text: string): string | null => (text === ERASED ? null : text);

const wire = wireFormWith({
  schema: ReviewForm,
  make: ({ pictures: _, ...row }: ReviewRow) => ({ ...row, text: unlessErased(row.text) }),
  overlay: {
    fields: ['answer', 'author', 'pictures'],
    needs: ['id', 'user_id', 'text', 'pictures'],
    read: async (db, rows) => {
      const answered = tables(db, reviewAnswers)
        .selectFrom('review_answers')
        .select(['id', 'text', 'answered_at'])
        .where(
          isAnyOf(
            'id',
            rows.map(({ id }) => id),
          ),
        );
      const authors = rows.map(({ user_id: author }) => author);
      const [authorOf, found] = await Promise.all([shortNamesOf(db, reviewAuthors, authors), answered.execute()]);
      const answers = new Map(found.flatMap(({ id, ...each }) => (each.text === ERASED ? [] : [[id, each] as const])));
      return ({ id, user_id: author, text, pictures }, _, at) => ({
        author: authorOf(author),
        answer: answers.get(id) ?? null,
        pictures: text === ERASED ? [] : attachmentsOf(pictures, at),
      });
    },
  },
});

type Change = Partial<Pick<ReviewRow, 'rating' | 'text' | 'pictures' | 'status' | 'hidden_reason'>>;
const changed = (row: ReviewRow | undefined, at: string, change: Change): ReviewRow => ({
  ...existing(row),
  ...change,
  updated_at: at,
});

type Written = Extract<ReviewEvent, { type: 'ReviewWritten' }>['data'];
/** A new review as its columns. */
export const reviewColumns = (
  id: string,
  { bookingId, userId, sellerId, targetType, targetId, rating, text, pictures, editableUntil }: Written,
  at: string,
): ReviewRow => ({
  id,
  booking_id: bookingId,
  user_id: userId,
  seller_id: sellerId,
  target_type: targetType,
  target_id: targetId,
  rating,
  text,
  pictures: toSnake([...pictures]),
  status: 'published',
  hidden_reason: null,
  editable_until: editableUntil,
  created_at: at,
  updated_at: at,
});

export const reviews = readModel('reviews', {
  version: 2,
  row: Row,
  wire,
  key: 'id',
  personalData: {
    whose: 'user_id',
    texts: ['text', 'hidden_reason'],
    reportedAs: 'review',
    others: { seller_id: keptBecause.soldBy },
    why: reviewsPurpose,
    retention: 'account',
  },
  on: {
    ReviewWritten: (_row, { streamId, at, data }) => reviewColumns(streamId, data, at),
    ReviewEdited: (row, { at, data: { rating, text, pictures } }) =>
      changed(row, at, { rating, text, pictures: toSnake(pictures) }),
    // Its answer is shown with it.
    ReviewAnswered: (row) => existing(row),
    ReviewAnswerRemoved: (row) => existing(row),
    ReviewHidden: (row, { at, data }) => changed(row, at, { status: 'hidden', hidden_reason: data.reason }),
    ReviewRestored: (row, { at }) => changed(row, at, { status: 'published', hidden_reason: null }),
    ReviewDeleted: () => null,
  },
  indexes: [
    'created_at desc, id',
    'status, created_at desc, id',
    'target_id, status, created_at desc, id',
    'target_id, status, rating, created_at desc, id',
    'user_id, created_at desc, id',
    'seller_id, status, created_at desc, id',
    'booking_id',
  ],
  publishTo: [
    { channel: userChannel, idsOf: ({ user_id: id }) => [id], audience: 'guest' },
    {
      channel: providerChannel,
      idsOf: ({ seller_id: id, status: is }) => (is === 'published' ? [id] : []),
      audience: 'seller',
    },
  ],
});
