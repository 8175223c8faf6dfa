/** Bookings that nobody ends, but a rule: their places are lost, or their money, or the seller has not answered. */
import { booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import { onFreshFacts } from '../core/freshFacts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { receivedFor } from '../payments/giveBack.ts';
import type { AskingDeps } from '../payments/paymentLook.ts';
import { loadBooking } from './loadBooking.ts';

/**
 * Ends a booking, and refunds what was paid for it and has not gone back.
 * @param isDue whether the rule applies to the booking as it is now; it may be asked again
 */
export const endBySystem = (
  deps: AskingDeps,
  context: CommandContext,
  bookingId: string,
  type: 'Cancel' | 'Reject',
  isDue: (state: OpenBooking) => Promise<boolean>,
): Promise<void> =>
  onFreshFacts(async (attempt) => {
    const state = await loadBooking(deps, bookingId);
    if (!(await isDue(state))) return;
    const asking = followUp(context, `attempt ${attempt}`);
    const received = await receivedFor(deps, asking, bookingId, state.paymentIds);
    const end = { type, by: 'system', reason: null, at: context.at, received } as const;
    await deps.aggregates.handle(booking, bookingId, end, followUp(context, type));
  });
