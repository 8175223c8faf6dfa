/** Changes for which nothing is due, and changes whose places are gone. */
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { isAccepted } from '../core/refusals.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { handled, loadBooking } from './loadBooking.ts';
import { commitPlaces, dropPlaces } from './places.ts';

type Deps = Pick<PaymentDeps, 'aggregates'>;

/**
 * Makes a proposed change for which nothing is due: its places are committed first. It is done in the command, and again
 * by the policy, in case the process died in between. A change that is no longer proposed gets no places.
 */
export const makeFreeChange = async (
  deps: Deps,
  context: CommandContext,
  bookingId: string,
  places: Pick<BookingTerms, 'holdId' | 'item'>,
): Promise<void> => {
  const { change } = await loadBooking(deps, bookingId);
  const { holdId } = places;
  if (change?.terms.holdId !== holdId || change.dueMinor > 0) return;
  if (await commitPlaces(deps, context, bookingId, places)) {
    await withdrawUnavailable(deps, context, bookingId, holdId);
    return;
  }
  const { at } = context;
  const make = { type: 'MakeChange', by: 'system', holdId, paymentId: null, amountMinor: 0, at, knownAt: at } as const;
  const isMade = await isAccepted(() => handled(deps, followUp(context, `make ${holdId}`), bookingId, make));
  if (!isMade) await dropPlaces(deps, context, bookingId, places); // the booking has ended or changed meanwhile
};

/** The places of a change are taken: it cannot be made. */
export const withdrawUnavailable = async (
  deps: Deps,
  context: CommandContext,
  bookingId: string,
  holdId: string,
): Promise<void> => {
  const withdraw = { type: 'WithdrawChange', by: 'system', holdId, reason: 'unavailable' } as const;
  await handled(deps, followUp(context, `unavailable ${holdId}`), bookingId, withdraw);
};
