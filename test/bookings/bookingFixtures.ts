/** A booking as it comes out of the ordinary, for specs to vary. */
import { type BookingEvent, booking } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import { cancellationPolicy } from '../../domain/catalog/cancellation.ts';
import { commissionOf } from '../../domain/commissions/commission.ts';
import { addMinutes } from '../../domain/core/instants.ts';
import type { PaymentEvent } from '../../domain/payments/payment.ts';
import { specification } from '../kit/given.ts';

/** `id(7)` → a UUID that ends in 7. */
export const id = (n: number): string => `018f0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
/** `at(90)` → an hour and a half into the day that these specs play on. */
export const at = (minutes: number): string => addMinutes('2026-03-01T00:00:00Z', minutes);

export const GUEST = id(1);
export const PROVIDER = id(2);
export const ROOM = id(3);
export const HOLD = id(4);
export const PAYMENT = id(5);
export const BOOKING = id(6);

/** Two nights a week ahead for 200.00. */
export const terms: BookingTerms = {
  item: { type: 'hotel', listingId: id(9), unitId: ROOM, checkIn: '2026-03-08', checkOut: '2026-03-10' },
  guests: 2,
  startsOn: '2026-03-08',
  startsAt: '2026-03-08T11:00:00.000Z',
  endsAt: '2026-03-10T09:00:00.000Z',
  holdId: HOLD,
  currency: 'RUB',
  lines: [
    { kind: 'night', date: '2026-03-08', amountMinor: 10_000 },
    { kind: 'night', date: '2026-03-09', amountMinor: 10_000 },
  ],
  totalMinor: 20_000,
  commission: commissionOf(20_000),
};

export const creation = {
  ...terms,
  userId: GUEST,
  sellerId: PROVIDER,
  notes: null,
  holdExpiresAt: at(30),
  cancellationPolicy: cancellationPolicy('moderate'),
  confirmation: 'on_request' as const,
};

export const created: BookingEvent = { type: 'BookingCreated', data: creation };
export const paying: BookingEvent = {
  type: 'BookingPaymentStarted',
  data: { paymentId: PAYMENT, holdExpiresAt: at(40) },
};
export const paid: BookingEvent = {
  type: 'BookingPaid',
  data: { paymentId: PAYMENT, amountMinor: 20_000, answerBy: at(20 + 24 * 60) },
};
export const confirmed: BookingEvent = { type: 'BookingConfirmed', data: {} };

/** What a payment for it is made of. */
export const paymentTerms = {
  userId: GUEST,
  items: [{ kind: 'booking' as const, id: BOOKING, ownerId: PROVIDER, amountMinor: 20_000, commissionMinor: 2_000 }],
  serviceType: null,
  tripId: null,
  method: 'card' as const,
  paymentMethodId: null,
  amountMinor: 20_000,
  currency: 'RUB',
  provider: 'yookassa',
  reason: 'default' as const,
  capture: 'automatic' as const,
  returnUrl: 'https://app.test',
};
export const paymentCreated: PaymentEvent = { type: 'PaymentCreated', data: paymentTerms };
/** All of it has come. */
export const paymentSucceeded: PaymentEvent = {
  type: 'PaymentSucceeded',
  data: {
    providerPaymentId: 'p1',
    amountMinor: 20_000,
    currency: 'RUB',
    postings: [
      { account: 'clearing:yookassa', amountMinor: 20_000, itemId: BOOKING },
      { account: 'commission', amountMinor: -2_000, itemId: BOOKING },
      { account: `held:${PROVIDER}`, amountMinor: -18_000, itemId: BOOKING },
    ],
  },
};

export const given = specification(booking);
