/**
 * Conversions from the log: exactly one for each event that is one, because its id derives from the event. The amount counts
 * for everybody; whose it was is kept only of people who have consented by then. A consent counts from when
 * the table of them knows it, mostly some milliseconds after it was given: asking the log about everybody who books cost as
 * much as a tenth of the booking.
 */

import type { Conversion, ConversionName } from '../../domain/analytics/event.ts';
import { booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { type OpenPurchase, purchase } from '../../domain/purchases/purchase.ts';
import { derivedId } from '../../infra/ids.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { AnalyticsDeps } from './deps.ts';

type Ctx = PolicyContext<AnalyticsDeps>;
type About = Pick<Conversion, 'itemType' | 'currency'> & { readonly userId: string };

const convert = async (
  { deps }: Ctx,
  { id, streamId: itemId, at }: Recorded,
  name: ConversionName,
  amountMinor: number,
  { userId, ...about }: About,
): Promise<void> => {
  const conversion = { id: derivedId('conversion', id), name, itemId, amountMinor, at, ...about };
  const isNamed = await deps.seemsToConsent(userId);
  await deps.analytics.addConversion(conversion, isNamed ? userId : null);
  // The log is asked once it is stored: what is withdrawn after that finds it when it forgets.
  if (isNamed && !(await deps.mayAnalyse(userId))) await deps.analytics.forgetWhose(conversion.id);
};

const ofBooking = ({ userId, item, currency }: Pick<OpenBooking, 'userId' | 'item' | 'currency'>): About => ({
  userId,
  itemType: item.type,
  currency,
});
const ofPurchase = ({
  userId,
  serviceType,
  currency,
}: Pick<OpenPurchase, 'userId' | 'serviceType' | 'currency'>): About => ({
  userId,
  itemType: serviceType,
  currency,
});

/** @throws Error when the log does not have the beginning of the stream: the event is left to a job */
const bookingOf = async ({ deps }: Ctx, { streamId }: Recorded): Promise<About> => {
  const { state } = await deps.aggregates.load(booking, streamId);
  if (state.status === 'none') throw new Error('the booking of the conversion does not exist');
  return ofBooking(state);
};
const purchaseOf = async ({ deps }: Ctx, { streamId }: Recorded): Promise<About> => {
  const { state } = await deps.aggregates.load(purchase, streamId);
  if (state.status === 'none') throw new Error('the purchase of the conversion does not exist');
  return ofPurchase(state);
};

export const analyticsPolicy = policy<AnalyticsDeps>('analytics', {
  // Who withdraws their consent is forgotten, unless they have given it again by now.
  ConsentAnswered: async ({ streamId: accountId, data }, { deps }) => {
    if (data.purpose !== 'analytics' || data.granted || (await deps.mayAnalyse(accountId))) return;
    await deps.analytics.forget(accountId);
  },
  BookingCreated: (event, ctx) => convert(ctx, event, 'booked', event.data.totalMinor, ofBooking(event.data)),
  BookingPaid: async (event, ctx) => convert(ctx, event, 'paid', event.data.amountMinor, await bookingOf(ctx, event)),
  BookingCancelled: async (event, ctx) =>
    convert(ctx, event, 'cancelled', event.data.refundMinor, await bookingOf(ctx, event)),
  BookingRejected: async (event, ctx) =>
    convert(ctx, event, 'cancelled', event.data.refundMinor, await bookingOf(ctx, event)),
  PurchaseMade: (event, ctx) => convert(ctx, event, 'booked', event.data.totalMinor, ofPurchase(event.data)),
  PurchasePaid: async (event, ctx) => convert(ctx, event, 'paid', event.data.amountMinor, await purchaseOf(ctx, event)),
  PurchaseCancelled: async (event, ctx) =>
    convert(ctx, event, 'cancelled', event.data.refundMinor, await purchaseOf(ctx, event)),
});
