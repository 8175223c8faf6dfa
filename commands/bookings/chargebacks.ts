/**
 * What chargebacks mean for bookings. One that is still ahead, and of whose money nothing is left, is cancelled, unless the
 * admins who posted the chargeback keep it. One that has begun, or of which a part is paid, stays: its seller can cancel it.
 */
import type { Recorded } from '../../domain/core/decider.ts';
import { isBefore } from '../../domain/core/instants.ts';
import type { EventOf } from '../../domain/modules.ts';
import { leftMinor } from '../../domain/payments/paymentState.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { loadPayment } from '../payments/atProvider.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { scheduleRelease } from '../payments/releaseShare.ts';
import { endBySystem } from './endBySystem.ts';
import { loadBooking } from './loadBooking.ts';

type Ctx = PolicyContext<PaymentDeps>;

/** Whether the event is about a booking that the payment has paid for. */
const isOfBooking = async (
  { streamId: paymentId, data: { itemId } }: Recorded<EventOf<'ChargedBack' | 'ChargebackWon'>>,
  { deps }: Ctx,
): Promise<boolean> => {
  const { items } = await loadPayment(deps, paymentId);
  return items.some(({ kind, id }) => kind === 'booking' && id === itemId);
};

export const cancelUnpaid = async (event: Recorded<EventOf<'ChargedBack'>>, ctx: Ctx): Promise<void> => {
  const { itemId: bookingId, keepsBooking } = event.data;
  if (keepsBooking || !(await isOfBooking(event, ctx))) return;
  const { deps, context } = ctx;
  await endBySystem(deps, context, bookingId, 'Cancel', async ({ status, startsAt, paymentIds }) => {
    const isAhead = (status === 'paid' || status === 'confirmed') && isBefore(context.at, startsAt);
    if (!isAhead || !paymentIds.includes(event.streamId)) return false;
    const payments = await Promise.all(paymentIds.map((id) => loadPayment(deps, id)));
    return payments.every((state) => leftMinor(state, bookingId) === 0);
  });
};

/** Money that came back for a booking which was cancelled is the seller's, once there was time to refund it. */
export const releaseWon = async (event: Recorded<EventOf<'ChargebackWon'>>, ctx: Ctx): Promise<void> => {
  if (!(await isOfBooking(event, ctx))) return;
  const { itemId } = event.data;
  const { status } = await loadBooking(ctx.deps, itemId);
  if (status === 'cancelled') await scheduleRelease(ctx.deps, event, { itemId, paymentId: event.streamId });
};
