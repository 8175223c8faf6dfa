import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Rejected } from '../../domain/core/decider.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { type Review, type ReviewCommand, type ReviewEvent, review } from '../../domain/reviews/review.ts';
import { ratings } from '../../projections/catalog/ratings.ts';
import { withoutPerson } from '../../projections/engine/personalRows.ts';
import { reviewAnswers } from '../../projections/reviews/answers.ts';
import { reviews } from '../../projections/reviews/reviews.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';
import { ANNA, AT, about, BORIS, HOTEL, UNTIL } from './fixtures.ts';

const REVIEW = '018f0000-0000-7000-8000-0000000000c1';
const T = '2027-01-02T00:00:00.000Z';
const reviewsAfter = projection(reviews);
const answersAfter = projection(reviewAnswers);
const ratingsAfter = projection(ratings);

/** The events of commands, as they are recorded. */
const recorded = (commands: readonly ReviewCommand[], id = REVIEW) => {
  let state: Review = review.initial;
  return commands.flatMap((command) => {
    let events: ReviewEvent[] = [];
    try {
      events = review.decide(command, state);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
    }
    state = events.reduce(review.evolve, state);
    return events.map((event) => happened(review.category, id, event, T));
  });
};

const write: ReviewCommand = { type: 'WriteReview', ...about };
const row = {
  id: REVIEW,
  booking_id: about.bookingId,
  user_id: ANNA,
  seller_id: BORIS,
  target_type: 'hotel',
  target_id: HOTEL,
  rating: 4,
  text: about.text,
  pictures: [],
  status: 'published',
  hidden_reason: null,
  editable_until: UNTIL,
  created_at: T,
  updated_at: T,
};

it('shows a review as it is now', () => {
  expect(reviewsAfter(recorded([write]))).toEqual([row]);
  const edit: ReviewCommand = { type: 'EditReview', by: ANNA, at: AT, text: 'Fine' };
  expect(reviewsAfter(recorded([write, edit]))).toEqual([{ ...row, text: 'Fine' }]);
  const hide: ReviewCommand = { type: 'HideReview', reason: 'x' };
  expect(reviewsAfter(recorded([write, hide]))).toEqual([{ ...row, status: 'hidden', hidden_reason: 'x' }]);
  expect(reviewsAfter(recorded([write, hide, { type: 'RestoreReview' }]))).toEqual([row]);
  expect(reviewsAfter(recorded([write, { type: 'DeleteReview', by: ANNA }]))).toEqual([]);
});

it('tells the author, and the seller while it is published', () => {
  expect(toldOn(reviews, row)).toEqual([`realtime:user_${ANNA}`, `provider_${BORIS}`]);
  expect(toldOn(reviews, { ...row, status: 'hidden' })).toEqual([`realtime:user_${ANNA}`]);
});

it('shows nothing of an erased author but the rating', () => {
  const erased = withoutPerson(row, reviews.personalData ?? {});
  expect(erased).toMatchObject({ text: ERASED });
  expect(reviews.wire.of(erased, 'guest')).toMatchObject({ text: null, rating: 4 });
});

it('shows the answer of the seller beside it', () => {
  const answer: ReviewCommand = { type: 'AnswerReview', by: BORIS, text: 'Thanks' };
  expect(answersAfter(recorded([write, answer]))).toEqual([
    { id: REVIEW, seller_id: BORIS, text: 'Thanks', answered_at: T },
  ]);
  expect(answersAfter(recorded([write, answer, { type: 'RemoveAnswer', by: null }]))).toEqual([]);
  expect(answersAfter(recorded([write, answer, { type: 'DeleteReview', by: ANNA }]))).toEqual([]);
  expect(reviewsAfter(recorded([write, answer, { type: 'RemoveAnswer', by: null }]))).toEqual([row]);
});

const LISTINGS = ['d1', 'd2', 'd3'].map((end) => `018f0000-0000-7000-8000-0000000000${end}`);
const rating = fc.integer({ min: 1, max: 5 });
const command: fc.Arbitrary<ReviewCommand> = fc.oneof(
  rating.map((stars): ReviewCommand => ({ type: 'EditReview', by: ANNA, at: AT, rating: stars })),
  fc.constantFrom<ReviewCommand>(
    { type: 'HideReview', reason: 'x' },
    { type: 'HideReview', reason: 'x' },
    { type: 'RestoreReview' },
    { type: 'RestoreReview' },
    { type: 'DeleteReview', by: ANNA },
    { type: 'AnswerReview', by: BORIS, text: 'Thanks' },
  ),
);
const history = fc.record({
  of: fc.nat(LISTINGS.length - 1),
  first: rating,
  next: fc.array(command, { maxLength: 8 }),
});

it('ratings are the averages of the published reviews, whatever happened to each', () => {
  fc.assert(
    fc.property(fc.array(history, { maxLength: 12 }), (histories) => {
      const events = histories.flatMap(({ of, first, next }, n) => {
        const id = `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
        return recorded([{ ...write, targetId: LISTINGS[of] ?? '', rating: first } as ReviewCommand, ...next], id);
      });
      const published = reviewsAfter(events).filter(({ status }) => status === 'published');
      const found = new Map(ratingsAfter(events).map(({ id, ...sums }) => [id, sums]));
      for (const [id, column] of [...LISTINGS.map((each) => [each, 'target_id']), [BORIS, 'seller_id']] as const) {
        const counted = published.filter((each) => each[column as string] === id);
        const sum = counted.reduce((all, each) => all + Number(each.rating), 0);
        expect(found.get(id as string)).toEqual(counted.length === 0 ? undefined : { sum, reviews: counted.length });
      }
    }),
  );
});
