import { describe, it } from 'vitest';
import type { FileFacts } from '../../domain/files/file.ts';
import { type ReviewEvent, review } from '../../domain/reviews/review.ts';
import { specification } from '../kit/given.ts';
import { ANNA, AT, about, BORIS, HOTEL, OTHER, UNTIL } from './fixtures.ts';

const given = specification(review);
const rated = (sum: number, reviews: number): ReviewEvent => ({
  type: 'RatingChanged',
  data: { listingId: HOTEL, sellerId: BORIS, sum, reviews },
});
const written: ReviewEvent = { type: 'ReviewWritten', data: about };
const edited: ReviewEvent = {
  type: 'ReviewEdited',
  data: { userId: ANNA, rating: 2, text: about.text, pictures: [], dropped: [] },
};
const hidden: ReviewEvent = { type: 'ReviewHidden', data: { userId: ANNA, reason: 'Names a person' } };
const restored: ReviewEvent = { type: 'ReviewRestored', data: {} };
const deleted: ReviewEvent = { type: 'ReviewDeleted', data: { dropped: [] } };
const answered: ReviewEvent = { type: 'ReviewAnswered', data: { sellerId: BORIS, text: 'Thank you' } };
const edit = (more: object) => ({ type: 'EditReview', by: ANNA, at: AT, ...more }) as const;

describe('a review', () => {
  it('is written once', () =>
    given([])
      .when({ type: 'WriteReview', ...about })
      .thenOnce([written, rated(4, 1)]));
  it('is not written twice with other words', () =>
    given([written])
      .when({ type: 'WriteReview', ...about, rating: 1 })
      .then('conflict'));
  it('is edited by its author', () =>
    given([written])
      .when(edit({ rating: 2 }))
      .thenOnce([edited, rated(-2, 0)]));
  it('is not edited by others', () =>
    given([written])
      .when({ ...edit({ rating: 2 }), by: OTHER })
      .then('not_found'));
  it('is not edited after its time', () =>
    given([written])
      .when({ ...edit({ rating: 2 }), at: UNTIL })
      .then('invalid_transition'));
  it('is the same when an edit changes nothing, at any time', () =>
    given([written])
      .when({ ...edit({ rating: 4 }), at: UNTIL })
      .then([]));
  it('is deleted by its author, once and for good', () => {
    given([written])
      .when({ type: 'DeleteReview', by: ANNA })
      .thenOnce([deleted, rated(-4, -1)]);
    given([written]).when({ type: 'DeleteReview', by: BORIS }).then('not_found');
    given([written, deleted])
      .when({ type: 'WriteReview', ...about })
      .then('conflict');
    given([written, deleted])
      .when(edit({ rating: 2 }))
      .then('not_found');
  });
});

describe('the pictures of a review', () => {
  const picture = (fileId: string): FileFacts => ({
    fileId,
    folder: 'reviews',
    mime: 'image/jpeg',
    size: 1_000,
    width: 40,
    height: 30,
    durationS: null,
    thumbnailSize: 100,
  });
  const [one, two, three] = [picture(HOTEL), picture(OTHER), picture(BORIS)];
  const pictured: ReviewEvent = { type: 'ReviewWritten', data: { ...about, pictures: [one, two] } };
  const changed = (pictures: FileFacts[], rating: number, dropped: string[]): ReviewEvent => ({
    type: 'ReviewEdited',
    data: { userId: ANNA, rating, text: about.text, pictures, dropped },
  });
  it('are dropped when an edit does not name them again', () =>
    given([pictured])
      .when(edit({ pictures: [two, three] }))
      .thenOnce([changed([two, three], 4, [one.fileId])]));
  it('stay when an edit names none', () =>
    given([pictured])
      .when(edit({ rating: 2 }))
      .thenOnce([changed([one, two], 2, []), rated(-2, 0)]));
  it('are dropped with it', () =>
    given([pictured])
      .when({ type: 'DeleteReview', by: ANNA })
      .then([{ type: 'ReviewDeleted', data: { dropped: [one.fileId, two.fileId] } }, rated(-4, -1)]));
});

describe('a hidden review', () => {
  it('is hidden and restored once', () => {
    given([written])
      .when({ type: 'HideReview', reason: 'Names a person' })
      .thenOnce([hidden, rated(-4, -1)]);
    given([written, hidden])
      .when({ type: 'RestoreReview' })
      .thenOnce([restored, rated(4, 1)]);
  });
  it('does not count: editing and deleting it change no rating', () => {
    given([written, hidden])
      .when(edit({ rating: 2 }))
      .then([edited]);
    given([written, hidden]).when({ type: 'DeleteReview', by: ANNA }).then([deleted]);
  });
  it('counts as it is then when it is restored', () =>
    given([written, hidden, edited])
      .when({ type: 'RestoreReview' })
      .then([restored, rated(2, 1)]));
});

describe('an answer', () => {
  it('is written and changed by the seller', () => {
    given([written]).when({ type: 'AnswerReview', by: BORIS, text: 'Thank you' }).thenOnce([answered]);
    given([written]).when({ type: 'AnswerReview', by: OTHER, text: 'Thank you' }).then('not_found');
  });
  it('is removed by the seller or an admin', () => {
    const removed: ReviewEvent = { type: 'ReviewAnswerRemoved', data: {} };
    for (const by of [BORIS, null]) given([written, answered]).when({ type: 'RemoveAnswer', by }).thenOnce([removed]);
    given([written, answered]).when({ type: 'RemoveAnswer', by: ANNA }).then('not_found');
  });
});

it.each([
  [{ type: 'HideReview', reason: 'x' }],
  [{ type: 'RestoreReview' }],
  [{ type: 'DeleteReview', by: ANNA }],
  [{ type: 'AnswerReview', by: BORIS, text: 'x' }],
] as const)('%j needs a review', (command) => given([]).when(command).then('not_found'));
