/** A booking that moves to another time does not meet another one of its guest there. */
import { derivedId } from '../../infra/ids.ts';
import type { CommandContext } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { allowsOverlapping, timesOf } from './bookedTimes.ts';
import type { Booked } from './loadBooking.ts';
import type { QuotedTerms } from './offer.ts';
import { withinTimes } from './unpaid.ts';

/**
 * Counts the time of what a booking changes to, while `work` changes it.
 * @param until the end of the hold of the change
 * @throws Rejected `overlapping_booking`, `too_many_free`
 */
export const withinNewTimes = async <T>(
  deps: Pick<PaymentDeps, 'aggregates' | 'pool' | 'settings' | 'log'>,
  { commandId, at }: CommandContext,
  { bookingId, booking: { startsAt, endsAt, userId: account } }: Booked,
  { options: [first], until }: { readonly options: readonly QuotedTerms[]; readonly until: string },
  work: () => Promise<T>,
): Promise<T> => {
  if (!first || (first.startsAt === startsAt && first.endsAt === endsAt)) return work();
  const allowOverlapping = await allowsOverlapping(deps, first.item);
  const id = derivedId(commandId, 'time', bookingId);
  const times = timesOf(bookingId, first, { allowOverlapping }).map((time) => ({ ...time, id }));
  return withinTimes(deps, { account, at }, { bookedAs: bookingId, until, times }, work);
};
