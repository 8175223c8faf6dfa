/** Reviews of completed bookings. The booking is read from the log: it says who may review what. */
import { isDeepStrictEqual } from 'node:util';
import { shortName } from '../../domain/accounts/account.ts';
import type { OpenBooking } from '../../domain/bookings/booking.ts';
import type { BookingType } from '../../domain/catalog/bookableItem.ts';
import { existing, notFound, Rejected } from '../../domain/core/decider.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import type { FileFacts } from '../../domain/files/file.ts';
import { fileIdsOf, type OpenReview, type Review, type ReviewCommand, review } from '../../domain/reviews/review.ts';
import { derivedId } from '../../infra/ids.ts';
import { loadAccount } from '../accounts/accounts.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import { loadBooking } from '../bookings/loadBooking.ts';
import type { CommandContext } from '../core/handle.ts';
import { withFiles } from '../files/attachFiles.ts';
import { usageOf } from './fileUses.ts';

/** How long an author can edit a review. */
const EDITABLE_MS = 14 * DAY_MS;

type Deps = Pick<AccountDeps, 'aggregates'>;

export const reviewIdOf = (bookingId: string): string => derivedId('review', bookingId);

const decide = async (deps: Deps, context: CommandContext, id: string, command: ReviewCommand): Promise<OpenReview> => {
  const { state, before } = await deps.aggregates.handle(review, id, command, context);
  return existing(state.status === 'deleted' ? before : state, 'review', 'deleted');
};

export interface NewReview {
  readonly bookingId: string;
  readonly targetType: BookingType;
  readonly targetId: string;
  readonly rating: number;
  readonly text: string;
  /** Files of the author in the folder `reviews`, in their order. */
  readonly pictureIds: readonly string[];
}

/** The pictures that a review shows, if they are these; otherwise none, which is a change. */
const picturesBefore = (state: Review, ids: readonly string[]): FileFacts[] =>
  'pictures' in state && isDeepStrictEqual(fileIdsOf(state), ids) ? [...state.pictures] : [];

/** Attaches pictures, then decides. What a refused command has attached is detached again. */
const withPictures = <T>(
  deps: Deps,
  context: CommandContext,
  { id, ids }: { readonly id: string; readonly ids: readonly string[] },
  work: (pictures: FileFacts[]) => Promise<T>,
): Promise<T> =>
  withFiles(deps, context, { ids, ownerId: context.actor.id, folder: 'reviews', usage: usageOf(id) }, work);

/** The booking, if the actor can review it as this. */
const reviewedBooking = async (
  deps: Deps,
  { actor }: CommandContext,
  { bookingId, targetType, targetId }: Pick<NewReview, 'bookingId' | 'targetType' | 'targetId'>,
): Promise<OpenBooking> => {
  const booking = await loadBooking(deps, bookingId);
  if (booking.userId !== actor.id) throw notFound('booking');
  if (booking.item.type !== targetType || booking.item.listingId !== targetId)
    throw new Rejected('invalid', 'This booking is of something else: send its type and its listing_id.', {
      fields: ['target_type', 'target_id', 'booking_id'],
    });
  if (booking.status !== 'completed')
    throw new Rejected('invalid_transition', 'A booking can be reviewed once it is completed.', {
      status: booking.status,
    });
  return booking;
};

/** The first of these bookings whose review was not deleted. Those that were deleted are never written again. */
export const firstReviewable = async (deps: Deps, bookingIds: readonly string[]): Promise<string | undefined> => {
  for (const id of bookingIds)
    if ((await deps.aggregates.load(review, reviewIdOf(id))).state.status !== 'deleted') return id;
  return undefined;
};

/**
 * Reviews a completed booking of the actor; the same review again changes nothing.
 * @returns its id and its state
 * @throws Rejected `not_found` for a booking of others and for unknown pictures, `invalid` for a booking of something
 * else, `invalid_transition` before it is completed, `conflict` when it was reviewed already
 */
export const writeReview = async (
  deps: Deps,
  context: CommandContext,
  { pictureIds: ids, ...written }: NewReview,
): Promise<{ readonly id: string; readonly review: OpenReview }> => {
  const { userId, sellerId } = await reviewedBooking(deps, context, written);
  const id = reviewIdOf(written.bookingId);
  const { state: before } = await deps.aggregates.load(review, id);
  const author = shortName(await loadAccount(deps, userId));
  const editableUntil = addMs(context.at, EDITABLE_MS);
  const command = { type: 'WriteReview', userId, sellerId, ...written, author, editableUntil } as const;
  review.decide({ ...command, pictures: picturesBefore(before, ids) }, before); // refused before anything is attached
  const made = await withPictures(deps, context, { id, ids }, (pictures) =>
    decide(deps, context, id, { ...command, pictures }),
  );
  return { id, review: made };
};

/** Fields that are absent do not change. */
export type ReviewChange = Partial<Pick<NewReview, 'rating' | 'text' | 'pictureIds'>>;

/** @throws Rejected `not_found` also for unknown pictures, `invalid_transition` after the time for it */
export const editReview = async (
  deps: Deps,
  context: CommandContext,
  id: string,
  { pictureIds: ids, ...change }: ReviewChange,
): Promise<OpenReview> => {
  const command = { type: 'EditReview', by: context.actor.id, at: context.at, ...change } as const;
  if (ids === undefined) return decide(deps, context, id, command);
  const { state: before } = await deps.aggregates.load(review, id);
  review.decide({ ...command, pictures: picturesBefore(before, ids) }, before); // refused before anything is attached
  return withPictures(deps, context, { id, ids }, (pictures) => decide(deps, context, id, { ...command, pictures }));
};

/** For good. @throws Rejected `not_found` */
export const deleteReview = async (deps: Deps, context: CommandContext, id: string): Promise<void> => {
  await deps.aggregates.handle(review, id, { type: 'DeleteReview', by: context.actor.id }, context);
};

/** The seller answers, or changes the answer. @throws Rejected `not_found` */
export const answerReview = (deps: Deps, context: CommandContext, id: string, text: string): Promise<OpenReview> =>
  decide(deps, context, id, { type: 'AnswerReview', by: context.actor.id, text });

/** The seller or an admin removes the answer. @throws Rejected `not_found` */
export const removeAnswer = (deps: Deps, context: CommandContext, id: string): Promise<OpenReview> =>
  decide(deps, context, id, {
    type: 'RemoveAnswer',
    by: context.actor.role === 'admin' ? null : context.actor.id,
  });

/** @throws Rejected `not_found` for what is not published */
export const publishedReview = async (deps: Deps, id: string): Promise<OpenReview> => {
  const { state } = await deps.aggregates.load(review, id);
  if (state.status !== 'published') throw notFound('review');
  return state;
};

/** An admin hides it from everybody but its author. @throws Rejected `not_found` */
export const hideReview = (deps: Deps, context: CommandContext, id: string, reason: string): Promise<OpenReview> =>
  decide(deps, context, id, { type: 'HideReview', reason });

/** @throws Rejected `not_found` */
export const restoreReview = (deps: Deps, context: CommandContext, id: string): Promise<OpenReview> =>
  decide(deps, context, id, { type: 'RestoreReview' });
