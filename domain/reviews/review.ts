/**
 * A review of what was booked: a rating and a text by the guest, an answer by the seller. There is one for a completed
 * booking, `review-<derived from the booking>`. `RatingChanged` follows whatever changes the rating of the listing, so that
 * ratings are sums, and exact whatever happens to a review.
 */
import { type Static, Type } from '@sinclair/typebox';
import { BookingType } from '../catalog/bookableItem.ts';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { hasCome } from '../core/instants.ts';
import { markOf, NO_WORDS, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { Instant, Personal, ReasonText, Uuid } from '../core/schema.ts';
import { FileFacts } from '../files/file.ts';

export const Rating = Type.Integer({ minimum: 1, maximum: 5 });
export const ReviewText = Type.String({ minLength: 1, maxLength: 4_000 });
export const AnswerText = Type.String({ minLength: 1, maxLength: 2_000 });

export const MAX_PICTURES = 10;

/** What the author writes and can edit. */
const Written = {
  rating: Rating,
  text: Personal(ReviewText),
  pictures: Type.Array(FileFacts, { maxItems: MAX_PICTURES }),
};
/** Files that it does not show any more: they are deleted after the event. */
const dropped = Type.Array(Uuid);
/** What never changes. */
const About = {
  bookingId: Uuid,
  userId: Uuid,
  sellerId: Uuid,
  targetType: BookingType,
  /** The listing: the hotel of a room. */
  targetId: Uuid,
};

const reviewEvents = {
  ReviewWritten: {
    data: Type.Object({
      ...About,
      ...Written,
      /** The first name of the author and the initial of the last one. */
      author: Personal(Type.String()),
      editableUntil: Instant,
    }),
    person: 'userId',
  },
  ReviewEdited: { data: Type.Object({ userId: Uuid, ...Written, dropped }), person: 'userId' },
  ReviewDeleted: { data: Type.Object({ dropped }) },
  /** Again when the answer is edited. */
  ReviewAnswered: { data: Type.Object({ sellerId: Uuid, text: Personal(AnswerText) }), person: 'sellerId' },
  ReviewAnswerRemoved: { data: Type.Object({}) },
  /** `reason`: for the author. */
  ReviewHidden: {
    data: Type.Object({ userId: Uuid, reason: Personal(ReasonText) }),
    person: 'userId',
  },
  ReviewRestored: { data: Type.Object({}) },
  /** What is added to the ratings of the listing and of its seller; negative to take away. */
  RatingChanged: {
    data: Type.Object({ listingId: Uuid, sellerId: Uuid, sum: Type.Integer(), reviews: Type.Integer() }),
  },
} as const satisfies EventDeclarations;
export type ReviewEvent = EventsOf<typeof reviewEvents>;

type New = Static<typeof reviewEvents.ReviewWritten.data>;
export type ReviewCommand =
  /** The booking is known to be completed, and to be the author's. */
  | ({ readonly type: 'WriteReview' } & New)
  | {
      readonly type: 'EditReview';
      readonly by: string;
      readonly at: string;
      readonly rating?: number;
      readonly text?: string;
      readonly pictures?: readonly FileFacts[];
    }
  | { readonly type: 'DeleteReview'; readonly by: string }
  | { readonly type: 'AnswerReview'; readonly by: string; readonly text: string }
  /** By the seller; null: by an admin. */
  | { readonly type: 'RemoveAnswer'; readonly by: string | null }
  | { readonly type: 'HideReview'; readonly reason: string }
  | { readonly type: 'RestoreReview' };

export interface OpenReview extends Readonly<New> {
  readonly status: 'published' | 'hidden';
  /** Why it was hidden the last time. */
  readonly words: WordsMark;
  /** How often it was hidden: each can be appealed once. */
  readonly hidings: number;
  readonly answer: string | null;
}
export type Review = { readonly status: 'none' } | { readonly status: 'deleted'; readonly userId: string } | OpenReview;

const evolve = (state: Review, event: ReviewEvent): Review => {
  if (event.type === 'ReviewWritten')
    return { ...event.data, status: 'published', words: NO_WORDS, hidings: 0, answer: null };
  if (state.status === 'none' || state.status === 'deleted') return state;
  switch (event.type) {
    case 'ReviewEdited':
      return { ...state, rating: event.data.rating, text: event.data.text, pictures: event.data.pictures };
    case 'ReviewDeleted':
      return { status: 'deleted', userId: state.userId };
    case 'ReviewAnswered':
      return { ...state, answer: event.data.text };
    case 'ReviewAnswerRemoved':
      return { ...state, answer: null };
    case 'ReviewHidden':
      return { ...state, status: 'hidden', words: markOf(event.data.reason), hidings: state.hidings + 1 };
    case 'ReviewRestored':
      return { ...state, status: 'published' };
    case 'RatingChanged':
      return state;
  }
};

/** The files that it shows. */
export const fileIdsOf = ({ pictures }: Pick<OpenReview, 'pictures'>): string[] => pictures.map(({ fileId }) => fileId);

/** What a review counts for: hidden ones count for nothing. */
const counted = (state: Review): { readonly sum: number; readonly reviews: number } =>
  state.status === 'published' ? { sum: state.rating, reviews: 1 } : { sum: 0, reviews: 0 };

/** The events, and what they change of the ratings. */
const withRating = (
  { targetId: listingId, sellerId }: Pick<New, 'targetId' | 'sellerId'>,
  before: Review,
  events: readonly ReviewEvent[],
): ReviewEvent[] => {
  const [was, is] = [counted(before), counted(events.reduce(evolve, before))];
  const data = { listingId, sellerId, sum: is.sum - was.sum, reviews: is.reviews - was.reviews };
  return data.sum === 0 ? [...events] : [...events, { type: 'RatingChanged', data }];
};

const write = ({ type, ...data }: Extract<ReviewCommand, { type: 'WriteReview' }>, state: Review): ReviewEvent[] => {
  if (state.status === 'none') return withRating(data, state, [{ type: 'ReviewWritten', data }]);
  if (state.status === 'deleted')
    throw new Rejected('conflict', 'The review of this booking was deleted. It cannot be written again.');
  const { rating, text, pictures } = data;
  if (Object.keys(differences(state, { rating, text, pictures })).length === 0) return [];
  throw new Rejected('conflict', 'This booking was reviewed already. Edit the review instead.');
};

const edit = (
  { by, at, ...change }: Extract<ReviewCommand, { type: 'EditReview' }>,
  state: OpenReview,
): ReviewEvent[] => {
  if (by !== state.userId) throw notFound('review');
  const { rating = state.rating, text = state.text, pictures = state.pictures } = change;
  const after = { rating, text, pictures: [...pictures] };
  if (Object.keys(differences(state, after)).length === 0) return [];
  if (hasCome(state.editableUntil, at))
    throw new Rejected('invalid_transition', `This review could be edited until ${state.editableUntil}.`, {
      editable_until: state.editableUntil,
    });
  const kept = new Set(pictures.map(({ fileId }) => fileId));
  const gone = fileIdsOf(state).filter((id) => !kept.has(id));
  return withRating(state, state, [{ type: 'ReviewEdited', data: { userId: state.userId, ...after, dropped: gone } }]);
};

const decide = (command: ReviewCommand, state: Review): ReviewEvent[] => {
  if (command.type === 'WriteReview') return write(command, state);
  if (state.status === 'deleted' && command.type === 'DeleteReview') return [];
  if (state.status === 'none' || state.status === 'deleted') throw notFound('review');
  switch (command.type) {
    case 'EditReview':
      return edit(command, state);
    case 'DeleteReview':
      if (command.by !== state.userId) throw notFound('review');
      return withRating(state, state, [{ type: 'ReviewDeleted', data: { dropped: fileIdsOf(state) } }]);
    case 'AnswerReview':
      if (command.by !== state.sellerId) throw notFound('review');
      if (command.text === state.answer) return [];
      return [{ type: 'ReviewAnswered', data: { sellerId: state.sellerId, text: command.text } }];
    case 'RemoveAnswer':
      if (command.by !== null && command.by !== state.sellerId) throw notFound('review');
      return state.answer === null ? [] : [{ type: 'ReviewAnswerRemoved', data: {} }];
    case 'HideReview':
      if (state.status === 'hidden') return saidBefore('This review was hidden before', state.words, command.reason);
      return withRating(state, state, [
        { type: 'ReviewHidden', data: { userId: state.userId, reason: command.reason } },
      ]);
    case 'RestoreReview':
      if (state.status === 'published') return [];
      return withRating(state, state, [{ type: 'ReviewRestored', data: {} }]);
  }
};

export const review: Decider<Review, ReviewCommand, ReviewEvent> = {
  category: 'review',
  short: 'a guest edits it now and then, a seller answers',
  events: reviewEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
