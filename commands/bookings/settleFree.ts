/** Bookings that are free of charge. Nothing is to be paid, so that they are paid at once. */
import { booking } from '../../domain/bookings/booking.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { isAccepted } from '../core/refusals.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { type Booked, loadBooking } from './loadBooking.ts';
import { commitPlaces } from './places.ts';

type Deps = Pick<PaymentDeps, 'aggregates'>;

/**
 * Commits the places of a booking that is free of charge and marks it as paid. Returns whether that was possible. The
 * command that made the booking does it before it answers, and the policy again, in case the process died in between.
 */
export const settleFree = async (deps: Deps, context: CommandContext, bookingId: string): Promise<boolean> => {
  const { status, totalMinor, holdId, item } = await loadBooking(deps, bookingId);
  if (status !== 'pending_payment' || totalMinor !== 0) return false;
  // Refused: its hold expired before this ran, and its places are taken.
  if (await commitPlaces(deps, context, bookingId, { item, holdId })) return false;
  const { at } = context;
  const paid = { type: 'MarkPaid', by: 'system', paymentId: null, amountMinor: 0, holdId, at, knownAt: at } as const;
  if (await isAccepted(() => deps.aggregates.handle(booking, bookingId, paid, followUp(context, 'MarkPaid'))))
    return true;
  // The booking was rescheduled or ended meanwhile; the handler of that event follows.
  const { unitId } = inventoryDemand(item);
  const release = { type: 'ReleaseHold', holdId, reason: 'refused' } as const;
  await deps.aggregates.handle(inventory, unitId, release, followUp(context, `release ${holdId}`));
  return false;
};

/** A booking that was just made or changed, after it was paid where it is free of charge. */
export const settledIfFree = async (deps: Deps, context: CommandContext, booked: Booked): Promise<Booked> => {
  const { bookingId } = booked;
  const { status, totalMinor } = booked.booking;
  if (status !== 'pending_payment' || totalMinor !== 0) return booked;
  await settleFree(deps, followUp(context, `free of charge ${bookingId}`), bookingId);
  return { ...booked, booking: await loadBooking(deps, bookingId) };
};
