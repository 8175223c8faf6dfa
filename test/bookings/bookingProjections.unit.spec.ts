import { describe, expect, it } from 'vitest';
import type { BookingEvent } from '../../domain/bookings/booking.ts';
import type { PaymentEvent, PaymentItem } from '../../domain/payments/payment.ts';
import { JsonText } from '../../infra/jsonText.ts';
import type { BookingRow } from '../../projections/bookings/bookingRow.ts';
import { type BookingInTrip, bookings } from '../../projections/bookings/bookings.ts';
import { seenGuest } from '../../projections/bookings/bookingWire.ts';
import { ofBookings } from '../../projections/bookings/trips.ts';
import type { Audience } from '../../projections/engine/wire.ts';
import { payments } from '../../projections/payments/payments.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';
import {
  at,
  BOOKING,
  confirmed,
  created,
  creation,
  GUEST,
  HOLD,
  id,
  PAYMENT,
  PROVIDER,
  paid,
  paying,
  paymentCreated,
  paymentSucceeded,
  paymentTerms,
  ROOM,
  terms,
} from './bookingFixtures.ts';

const [T1, T2] = [at(0), at(5)] as const;
const [LISTING, UNIT] = [id(30), id(31)] as const;

describe('bookings', () => {
  const rowsAfter = projection(bookings);
  const row = {
    id: BOOKING,
    user_id: GUEST,
    provider_id: PROVIDER,
    reference: 'AAAAAAAG',
    status: 'pending_payment',
    confirmation: 'on_request',
    answer_by: null,
    type: 'hotel',
    listing_id: id(9),
    item_id: ROOM,
    unit_id: ROOM,
    check_in: '2026-03-08',
    check_out: '2026-03-10',
    slot_start: null,
    slot_end: null,
    seats: null,
    guests: 2,
    starts_on: '2026-03-08',
    starts_at: '2026-03-08T11:00:00.000Z',
    ends_at: '2026-03-10T09:00:00.000Z',
    timezone: null,
    currency: 'RUB',
    total_minor: 20_000,
    price_lines: [
      { kind: 'night', date: '2026-03-08', amount_minor: 10_000 },
      { kind: 'night', date: '2026-03-09', amount_minor: 10_000 },
    ],
    commission: { rule: 'default', rate_bps: 1_000, commission_minor: 2_000, provider_minor: 18_000 },
    promotion: null,
    notes: null,
    guest_name: null,
    guest_phone: null,
    arrival_time: null,
    hold_expires_at: at(30),
    cancellation_policy: {
      name: 'moderate',
      rules: [
        { from: 120, penalty_percent: 0, until: '2026-03-03T11:00:00.000Z' },
        { from: 0, penalty_percent: 50, until: '2026-03-08T11:00:00.000Z' },
      ],
    },
    payment_id: null,
    payment_ids: [],
    change: null,
    open_payment_id: null,
    ending: null,
    created_at: T1,
    updated_at: T1,
  };
  /** The first at T1, the last at T2. */
  const rowsOf = (...events: BookingEvent[]) =>
    rowsAfter(
      events.map((event, n) => happened('booking', BOOKING, event, n === events.length - 1 && n > 0 ? T2 : T1)),
    );
  const changed = (change: object) => [{ ...row, updated_at: T2, ...change }];
  const ending = {
    userId: GUEST,
    reason: 'ill',
    penaltyPercent: 50,
    penaltyMinor: 10_000,
    refundMinor: 10_000,
  } as const;
  const shownEnding = { reason: 'ill', penalty_percent: 50, penalty_minor: 10_000, refund_minor: 10_000 };

  it('start as pending_payment', () => expect(rowsOf(created)).toEqual([row]));
  it.each(['tour', 'restaurant', 'transfer', 'instructor'] as const)(
    'of type %s have the listing as item_id and the counted thing as unit_id',
    (type) => {
      const slot = { slotStart: at(600), slotEnd: at(720) };
      const ids = { listingId: LISTING, unitId: UNIT };
      const item = { type, ...ids, ...slot, seats: 2, busyUntil: at(735) };
      const [booked] = rowsOf({ type: 'BookingCreated', data: { ...creation, item } });
      expect(booked).toMatchObject({ type, listing_id: LISTING, item_id: LISTING, unit_id: UNIT, check_in: null });
    },
  );
  it('move to other dates', () => {
    const item = { ...terms.item, checkIn: '2026-03-09' };
    const data = {
      ...terms,
      item,
      guests: 1,
      totalMinor: 10_000,
      holdId: id(44),
      formerHoldId: HOLD,
      formerUnitId: ROOM,
    };
    expect(rowsOf(created, { type: 'BookingRescheduled', data })).toEqual(
      changed({ check_in: '2026-03-09', guests: 1, total_minor: 10_000 }),
    );
    const sooner: BookingEvent = { type: 'BookingRescheduled', data: { ...data, holdExpiresAt: at(20) } };
    expect(rowsOf(created, sooner)).toEqual(
      changed({ check_in: '2026-03-09', guests: 1, total_minor: 10_000, hold_expires_at: at(20) }),
    );
  });
  it('change their notes', () =>
    expect(rowsOf(created, { type: 'BookingNotesChanged', data: { userId: GUEST, notes: 'late' } })).toEqual(
      changed({ notes: 'late' }),
    ));
  it('keep their hold while a payment is in progress', () => {
    expect(rowsOf(created, paying)).toEqual(changed({ open_payment_id: PAYMENT, hold_expires_at: at(40) }));
    expect(rowsOf(created, { type: 'BookingHoldExtended', data: { holdExpiresAt: at(60) } })).toEqual(
      changed({ hold_expires_at: at(60) }),
    );
  });
  it('wait for another payment after one that failed', () =>
    expect(rowsOf(created, paying, { type: 'BookingPaymentEnded', data: { paymentId: PAYMENT } })).toEqual(
      changed({ hold_expires_at: at(40) }),
    ));
  it('are paid, confirmed and completed', () => {
    const whenPaid = { status: 'paid', payment_id: PAYMENT, payment_ids: [PAYMENT], hold_expires_at: null };
    expect(rowsOf(created, paying, paid)).toEqual(changed({ ...whenPaid, answer_by: at(20 + 24 * 60) }));
    expect(rowsOf(created, paid, confirmed)).toEqual(changed({ ...whenPaid, status: 'confirmed' }));
    expect(rowsOf(created, paid, confirmed, { type: 'BookingCompleted', data: {} })).toEqual(
      changed({ ...whenPaid, status: 'completed' }),
    );
    expect(rowsOf(created, paid, confirmed, { type: 'BookingNoShowRecorded', data: {} })).toEqual(
      changed({ ...whenPaid, status: 'no_show' }),
    );
    const missed: BookingEvent = { type: 'BookingNoShowRecorded', data: {} };
    expect(rowsOf(created, paid, confirmed, missed, { type: 'BookingNoShowWithdrawn', data: {} })).toEqual(
      changed({ ...whenPaid, status: 'confirmed' }),
    );
  });
  it('show a change that waits for its payment, then have its terms', () => {
    const item = { ...terms.item, checkOut: '2026-03-11' } as const;
    const costs = { by: 'guest', penaltyPercent: 0, penaltyMinor: 0, refundMinor: 0 } as const;
    const longer = { ...terms, item, holdId: id(44), totalMinor: 30_000 };
    const proposed: BookingEvent = {
      type: 'BookingChangeProposed',
      data: { ...longer, ...costs, dueMinor: 10_000, holdExpiresAt: at(90) },
    };
    const started: BookingEvent = {
      type: 'BookingPaymentStarted',
      data: { paymentId: id(55), holdExpiresAt: at(100) },
    };
    const change = {
      ...{ unit_id: ROOM, check_in: '2026-03-08', check_out: '2026-03-11', slot_start: null, slot_end: null },
      ...{ guests: 2, starts_at: terms.startsAt, ends_at: terms.endsAt, price_lines: row.price_lines },
      ...{ currency: 'RUB', total_minor: 30_000, due_minor: 10_000, expires_at: at(90) },
    };
    const whenPaid = { payment_id: PAYMENT, payment_ids: [PAYMENT], hold_expires_at: null };
    const asked = { ...whenPaid, status: 'paid', answer_by: at(20 + 24 * 60) };
    expect(rowsOf(created, paid, proposed)).toEqual(changed({ ...asked, change }));
    expect(rowsOf(created, paid, proposed, started)).toEqual(
      changed({ ...asked, change: { ...change, expires_at: at(100) }, open_payment_id: id(55) }),
    );
    const withdrawn = { holdId: id(44), unitId: ROOM, paymentId: id(55), reason: 'expired' } as const;
    expect(rowsOf(created, paid, proposed, started, { type: 'BookingChangeWithdrawn', data: withdrawn })).toEqual(
      changed(asked),
    );
    const formerly = { formerHoldId: HOLD, formerUnitId: ROOM };
    const made = { ...costs, paymentId: id(55), amountMinor: 10_000, answerBy: at(2_000) };
    const rescheduled: BookingEvent = {
      type: 'BookingRescheduled',
      data: { ...longer, ...formerly, change: made },
    };
    expect(rowsOf(created, paid, confirmed, proposed, started, rescheduled)).toEqual(
      changed({
        ...asked,
        answer_by: at(2_000),
        check_out: '2026-03-11',
        total_minor: 30_000,
        payment_ids: [PAYMENT, id(55)],
      }),
    );
  });
  it('of earlier releases are answered by the default of their kind, until they start', () => {
    const { confirmation: _, ...former } = creation;
    const settled: BookingEvent = { type: 'BookingPaid', data: { paymentId: PAYMENT, amountMinor: 20_000 } };
    const slot = { listingId: LISTING, unitId: UNIT, slotStart: at(600), slotEnd: at(720), seats: 2 };
    const of = (type: 'tour' | 'restaurant') =>
      rowsOf({ type: 'BookingCreated', data: { ...former, item: { type, ...slot } } }, settled)[0];
    expect(of('tour')).toMatchObject({ confirmation: 'instant', status: 'paid', answer_by: null });
    expect(of('restaurant')).toMatchObject({ confirmation: 'on_request', answer_by: creation.startsAt });
  });
  it('say who comes, and hide it from the seller a week after the end', () => {
    const guest = { name: 'Anna Orlova', phone: '+79991234567', arrivalTime: null };
    const [booked] = rowsOf({ type: 'BookingCreated', data: { ...creation, guest } });
    const shown = { guest_name: 'Anna Orlova', guest_phone: '+79991234567', arrival_time: null };
    expect(booked).toMatchObject(shown);
    const later = { ...guest, arrivalTime: '18:30' };
    const changedGuest: BookingEvent = { type: 'BookingGuestChanged', data: { userId: GUEST, guest: later } };
    expect(rowsOf(created, changedGuest)).toEqual(changed({ ...shown, arrival_time: '18:30' }));

    const seen = (audience: Audience, day: string) =>
      seenGuest({ ...row, ...shown } as BookingRow, audience, `2026-03-${day}T10:00:00Z`).guest_name;
    expect(seen('seller', '17')).toBeNull();
    for (const [audience, day] of [
      ['seller', '16'],
      ['guest', '17'],
      ['admin', '17'],
    ] as const)
      expect(seen(audience, day), `${audience} on ${day}`).toBe('Anna Orlova');
  });
  it('expire', () =>
    expect(rowsOf(created, { type: 'BookingExpired', data: {} })).toEqual(
      changed({ status: 'expired', hold_expires_at: null }),
    ));
  it('show how they were cancelled or rejected', () => {
    expect(rowsOf(created, { type: 'BookingCancelled', data: { ...ending, by: 'guest' } })).toEqual(
      changed({ status: 'cancelled', hold_expires_at: null, ending: { ...shownEnding, by: 'guest' } }),
    );
    expect(rowsOf(created, { type: 'BookingRejected', data: { ...ending, by: 'provider' } })).toEqual(
      changed({ status: 'rejected', hold_expires_at: null, ending: { ...shownEnding, by: 'provider' } }),
    );
  });
  it('make up the total of their trip as they are now, and what is still due of it', () => {
    const of = (bookings: readonly Omit<BookingInTrip, 'shown'>[]) =>
      ofBookings(
        { booking_ids: [BOOKING, id(71)], currency: 'RUB', total_minor: 40_000 },
        bookings.map((each) => ({ ...each, shown: new JsonText('{}') })),
      );
    const paid = { id: BOOKING, status: 'paid', total_minor: 30_000, change: { due_minor: 5_000 } } as BookingInTrip;
    const unpaid = { id: id(71), status: 'pending_payment', total_minor: 20_000, change: null } as BookingInTrip;
    expect(of([paid, unpaid])).toMatchObject({ total: 500, total_minor: 50_000, due: 250, due_minor: 25_000 });
    expect(of([])).toMatchObject({ total: 400, due: 0 });
  });
  it('are sent on the channels of the guest and the seller', () =>
    expect(toldOn(bookings, row)).toEqual([`realtime:user_${GUEST}`, `provider_${PROVIDER}`]));
});

describe('payments', () => {
  const rowsAfter = projection(payments);
  const begun = paymentCreated;
  const row = {
    id: PAYMENT,
    booking_id: BOOKING,
    user_id: GUEST,
    items: [{ kind: 'booking', id: BOOKING, owner_id: PROVIDER, amount_minor: 20_000, commission_minor: 2_000 }],
    service_type: null,
    trip_id: null,
    method: 'card',
    payment_method_id: null,
    provider: 'yookassa',
    provider_reason: 'default',
    amount_minor: 20_000,
    currency: 'RUB',
    status: 'pending',
    txn_id: null,
    redirect_url: null,
    failure_code: null,
    refunds: [],
    duplicate_charges: [],
    mismatch: null,
    mismatched_at: null,
    created_at: T1,
    updated_at: T1,
  };
  const rowsOf = (...events: PaymentEvent[]) =>
    rowsAfter(
      events.map((event, n) => happened('payment', PAYMENT, event, n === events.length - 1 && n > 0 ? T2 : T1)),
    );
  const waiting: PaymentEvent = {
    type: 'PaymentActionRequested',
    data: { userId: GUEST, providerPaymentId: 'p1', redirectUrl: 'https://pay.test/p1' },
  };
  const succeeded = paymentSucceeded;

  it('start as pending', () => expect(rowsOf(begun)).toEqual([row]));
  it('have no booking_id if they pay for several items', () => {
    const more = [...paymentTerms.items, { ...(paymentTerms.items[0] as PaymentItem), id: id(50) }];
    expect(rowsOf({ type: 'PaymentCreated', data: { ...paymentTerms, items: more } })).toMatchObject([
      { booking_id: null, items: [{ id: BOOKING }, { id: id(50) }] },
    ]);
  });
  it('show the redirect address while the payer has to act', () => {
    const asked = { ...row, txn_id: 'p1', updated_at: T2 };
    expect(rowsOf(begun, waiting)).toEqual([
      { ...asked, status: 'requires_action', redirect_url: 'https://pay.test/p1' },
    ]);
    expect(rowsOf(begun, waiting, { type: 'PaymentProcessingStarted', data: { providerPaymentId: 'p1' } })).toEqual([
      { ...asked, status: 'processing' },
    ]);
    expect(rowsOf(begun, waiting, { type: 'PaymentAuthorized', data: { providerPaymentId: 'p1' } })).toEqual([
      { ...asked, status: 'authorized' },
    ]);
    expect(rowsOf(begun, waiting, succeeded)).toEqual([{ ...asked, status: 'succeeded' }]);
  });
  it.each([
    ['PaymentFailed', 'failed'],
    ['PaymentCancelled', 'cancelled'],
    ['PaymentExpired', 'expired'],
  ] as const)('%s says why', (type, status) => {
    const over: PaymentEvent = { type, data: { code: 'why' } };
    expect(rowsOf(begun, over)).toEqual([{ ...row, status, failure_code: 'why', updated_at: T2 }]);
  });
  it('that ended and succeed after all have failed for no reason', () => {
    const expired: PaymentEvent = { type: 'PaymentExpired', data: { code: 'replaced' } };
    expect(rowsOf(begun, expired, succeeded)).toMatchObject([{ status: 'succeeded', failure_code: null }]);
  });
  it('show refunds', () => {
    const about = { refundId: id(7), itemId: BOOKING };
    const asked: PaymentEvent = {
      type: 'RefundRequested',
      data: { ...about, amountMinor: 5_000, currency: 'RUB', cause: 'requested' },
    };
    const arrived: PaymentEvent = {
      type: 'RefundSucceeded',
      data: { ...about, amountMinor: 5_000, currency: 'RUB', postings: [] },
    };
    const failed: PaymentEvent = { type: 'RefundFailed', data: { ...about, code: 'expired' } };
    const unsure: PaymentEvent = { type: 'RefundReviewRequested', data: { ...about, code: 'provider_away' } };
    const retried: PaymentEvent = { type: 'RefundRetried', data: about };
    const refundsAfter = (...events: PaymentEvent[]) => rowsOf(begun, succeeded, ...events);
    const terms = { amount_minor: 5_000, cause: 'requested', made_at_provider: false };
    const refund = { id: id(7), item_id: BOOKING, ...terms, created_at: T1 };
    const shows = (status: string, code: string | null = null) => [
      { ...row, status: 'succeeded', txn_id: 'p1', updated_at: T2, refunds: [{ ...refund, status, code }] },
    ];
    expect(refundsAfter(asked)).toMatchObject([{ refunds: [{ ...refund, status: 'pending', created_at: T2 }] }]);
    expect(refundsAfter(asked, arrived)).toEqual(shows('succeeded'));
    expect(refundsAfter(asked, failed)).toEqual(shows('failed', 'expired'));
    expect(refundsAfter(asked, unsure)).toEqual(shows('manual_review', 'provider_away'));
    expect(refundsAfter(asked, unsure, retried)).toEqual(shows('pending'));
  });
  it('say which refunds were made at the provider', () => {
    const data = { refundId: id(7), itemId: BOOKING, amountMinor: 5_000, currency: 'RUB' };
    const made: PaymentEvent = { type: 'RefundRequested', data: { ...data, cause: 'requested', isMadeThere: true } };
    expect(rowsOf(begun, succeeded, made)).toMatchObject([{ refunds: [{ made_at_provider: true }] }]);
  });
  it('show how they differ from the record of the provider, until they agree', () => {
    const mismatch = { kind: 'refunds', ours: '0', theirs: 'a part' } as const;
    const found: PaymentEvent = { type: 'PaymentMismatchFound', data: mismatch };
    const ended: PaymentEvent = { type: 'PaymentMismatchEnded', data: {} };
    expect(rowsOf(begun, succeeded, found)).toMatchObject([{ mismatch, mismatched_at: T2 }]);
    expect(rowsOf(begun, succeeded, found, ended)).toMatchObject([{ mismatch: null, mismatched_at: null }]);
  });
  it('show second charges', () => {
    const about = { providerPaymentId: 'p2', amountMinor: 20_000, currency: 'RUB', postings: [] };
    const received: PaymentEvent = { type: 'DuplicateChargeReceived', data: about };
    const returned: PaymentEvent = { type: 'DuplicateChargeReturned', data: about };
    const unsure: PaymentEvent = {
      type: 'DuplicateChargeReviewRequested',
      data: { providerPaymentId: 'p2', code: 'forbidden' },
    };
    const charge = { txn_id: 'p2', amount_minor: 20_000 };
    const chargesAfter = (...events: PaymentEvent[]) => rowsOf(begun, succeeded, received, ...events);
    expect(chargesAfter()).toMatchObject([{ txn_id: 'p1', duplicate_charges: [{ ...charge, status: 'pending' }] }]);
    expect(chargesAfter(returned)).toMatchObject([{ duplicate_charges: [{ ...charge, status: 'returned' }] }]);
    expect(chargesAfter(unsure)).toMatchObject([
      { duplicate_charges: [{ ...charge, status: 'manual_review', code: 'forbidden' }] },
    ]);
  });
  it('are sent on the channel of the payer only', () =>
    expect(toldOn(payments, row)).toEqual([`realtime:user_${GUEST}`]));
});
