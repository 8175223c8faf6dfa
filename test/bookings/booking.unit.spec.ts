import { describe, expect, it } from 'vitest';
import { answerAwaitedBy } from '../../domain/bookings/answer.ts';
import {
  type BookingCommand,
  type BookingEvent,
  booking,
  bookingStatuses,
  type Party,
  type Transition,
  transitions,
} from '../../domain/bookings/booking.ts';
import type { Notice } from '../../domain/bookings/bookingEvents.ts';
import { cancellers } from '../../domain/catalog/cancellation.ts';
import { Rejected } from '../../domain/core/decider.ts';
import {
  at,
  confirmed,
  created,
  creation,
  GUEST,
  given,
  HOLD,
  id,
  PAYMENT,
  PROVIDER,
  paid,
  paying,
  ROOM,
  terms,
} from './bookingFixtures.ts';

const ending = {
  userId: GUEST,
  by: 'provider',
  reason: null,
  penaltyPercent: 0,
  penaltyMinor: 0,
  refundMinor: 0,
} as const;
/** How a booking gets into each state. */
const historyOf: Readonly<Record<(typeof bookingStatuses)[number], BookingEvent[]>> = {
  pending_payment: [created],
  paid: [created, paying, paid],
  confirmed: [created, paid, confirmed],
  completed: [created, paid, confirmed, { type: 'BookingCompleted', data: {} }],
  expired: [created, { type: 'BookingExpired', data: {} }],
  cancelled: [created, { type: 'BookingCancelled', data: ending }],
  rejected: [created, { type: 'BookingRejected', data: ending }],
  no_show: [created, paid, confirmed, { type: 'BookingNoShowRecorded', data: {} }],
};

const commandOf: Readonly<Record<Transition, (by: Party) => BookingCommand>> = {
  Reschedule: (by) => ({ type: 'Reschedule', by, at: at(1), ...terms, guests: 1 }),
  ChangeGuest: (by) => ({ type: 'ChangeGuest', by, guest: { arrivalTime: '18:30' } }),
  ChangeNotes: (by) => ({ type: 'ChangeNotes', by, notes: 'late arrival' }),
  StartPayment: (by) => ({ type: 'StartPayment', by, paymentId: PAYMENT, holdExpiresAt: at(40) }),
  ExtendHold: (by) => ({ type: 'ExtendHold', by, holdExpiresAt: at(90) }),
  EndPayment: (by) => ({ type: 'EndPayment', by, paymentId: PAYMENT }),
  MarkPaid: (by) => ({ type: 'MarkPaid', by, paymentId: id(55), amountMinor: 20_000, holdId: HOLD, at: at(20) }),
  NotifySeller: (by) => ({ type: 'NotifySeller', by, notice: 'paid' }),
  Confirm: (by) => ({ type: 'Confirm', by }),
  Complete: (by) => ({ type: 'Complete', by }),
  MarkNoShow: (by) => ({ type: 'MarkNoShow', by, at: creation.startsAt }),
  WithdrawNoShow: (by) => ({ type: 'WithdrawNoShow', by, at: creation.startsAt }),
  Expire: (by) => ({ type: 'Expire', by }),
  Cancel: (by) => ({ type: 'Cancel', by, reason: null, receivedMinor: 0, at: at(1) }),
  Reject: (by) => ({ type: 'Reject', by, reason: null, receivedMinor: 0, at: at(1) }),
};

describe('the table of permissions', () => {
  const cases = (Object.keys(transitions) as Transition[]).flatMap((type) =>
    bookingStatuses.flatMap((status) => cancellers.map((by) => ({ type, status, by }))),
  );
  it.each(cases)('$type while $status by $by', ({ type, status, by }) => {
    const rule = transitions[type];
    const { state } = given(historyOf[status]);
    const decided = (() => {
      try {
        return booking.decide(commandOf[type](by), state);
      } catch (error) {
        if (error instanceof Rejected) return error.code;
        throw error;
      }
    })();
    if (!rule.by.includes(by)) expect(decided).toBe('forbidden');
    else if (rule.to === status && type !== 'MarkPaid') expect(decided).toEqual([]);
    else if (!rule.from.includes(status)) expect(decided).toBe('invalid_transition');
    else if (rule.to) {
      const after = (decided as BookingEvent[]).reduce(booking.evolve, state);
      expect(after.status).toBe(rule.to);
      if (type !== 'MarkPaid') expect(booking.decide(commandOf[type](by), after)).toEqual([]);
    }
  });
  it('refuses every command on a booking that does not exist', () => {
    for (const type of Object.keys(transitions) as Transition[])
      given([]).when(commandOf[type]('admin')).then('not_found');
  });
});

it('is created once', () =>
  given([])
    .when({ type: 'CreateBooking', ...creation })
    .thenOnce([created]));

it('is refused for the seller', () =>
  given([])
    .when({ type: 'CreateBooking', ...creation, userId: PROVIDER })
    .then('forbidden'));

it('rejects a no-show before the start', () => {
  const at = (minutes: number) => new Date(Date.parse(creation.startsAt) + minutes * 60_000).toISOString();
  const missed = (when: string): BookingCommand => ({ type: 'MarkNoShow', by: 'provider', at: when });
  given(historyOf.confirmed)
    .when(missed(at(-1)))
    .then('invalid_transition');
  given(historyOf.confirmed)
    .when(missed(at(0)))
    .thenOnce([{ type: 'BookingNoShowRecorded', data: { withdrawableUntil: at(24 * 60) } }]);
});

describe('a no-show', () => {
  const missed: BookingEvent = { type: 'BookingNoShowRecorded', data: { withdrawableUntil: at(2_000) } };
  const back = (when: string): BookingCommand => ({ type: 'WithdrawNoShow', by: 'provider', at: when });
  it('is withdrawn within a day, and the booking is confirmed again', () => {
    const before = [...historyOf.confirmed, missed];
    given(before)
      .when(back(at(2_000)))
      .thenOnce([{ type: 'BookingNoShowWithdrawn', data: {} }]);
    given(before)
      .when(back(at(2_001)))
      .then('invalid_transition');
  });
  it('that was recorded before it said how long, is withdrawn until a day after the end', () => {
    const before = historyOf.no_show;
    expect(given(before).state).toMatchObject({ withdrawableUntil: '2026-03-11T09:00:00.000Z' });
  });
});

describe('an instant booking', () => {
  const instant: BookingEvent = { type: 'BookingCreated', data: { ...creation, confirmation: 'instant' } };
  const payment = { paymentId: PAYMENT, amountMinor: 20_000 };
  const settled: BookingEvent = { type: 'BookingPaid', data: payment };
  const before = [instant, settled];
  it('has no answer deadline', () =>
    given([instant])
      .when(commandOf.MarkPaid('system'))
      .then([{ type: 'BookingPaid', data: { ...payment, paymentId: id(55) } }]));
  it('stays paid when it is confirmed', () => given(before).when(commandOf.Confirm('provider')).then([]));
  it('is not rejected, only cancelled', () => {
    for (const by of ['provider', 'admin', 'system'] as const)
      given(before).when(commandOf.Reject(by)).then('invalid_transition');
    given([instant])
      .when(commandOf.Reject('provider'))
      .then([{ type: 'BookingRejected', data: { ...ending, by: 'provider' } }]);
    expect(booking.decide(commandOf.Cancel('provider'), given(before).state)).toMatchObject([
      { type: 'BookingCancelled' },
    ]);
  });
  it('is completed, or a no-show, from paid', () => {
    given(before)
      .when(commandOf.Complete('system'))
      .thenOnce([{ type: 'BookingCompleted', data: {} }]);
    const missed = booking.decide(commandOf.MarkNoShow('provider'), given(before).state);
    expect(missed).toMatchObject([{ type: 'BookingNoShowRecorded' }]);
  });
});

describe('the answer to a booking on request', () => {
  const { confirmation: _, ...former } = creation;
  const slot = (type: 'restaurant' | 'tour') =>
    ({ type, listingId: id(9), unitId: ROOM, slotStart: terms.startsAt, slotEnd: terms.endsAt, seats: 2 }) as const;
  const old = (type: 'restaurant' | 'tour'): BookingEvent[] => [
    { type: 'BookingCreated', data: { ...former, item: slot(type) } },
    { type: 'BookingPaid', data: { paymentId: PAYMENT, amountMinor: 20_000 } },
  ];
  const awaited = (events: BookingEvent[]) => {
    const { state } = given(events);
    return state.status === 'none' ? undefined : answerAwaitedBy(state);
  };
  it('is awaited from the payment until the answer', () => {
    expect(awaited([created])).toBeNull();
    expect(awaited(historyOf.paid)).toBe(at(20 + 24 * 60));
    expect(awaited(historyOf.confirmed)).toBeNull();
  });
  it('to a booking of an earlier release is awaited by the default of its kind, until it starts', () => {
    expect(awaited(old('restaurant'))).toBe(terms.startsAt);
    expect(awaited(old('tour'))).toBeNull();
    expect(given(old('tour')).state).toMatchObject({ confirmation: 'instant', status: 'paid' });
  });
});

describe('the seller', () => {
  const tell = (notice: Notice): BookingCommand => ({ type: 'NotifySeller', by: 'system', notice });
  const told = (notice: Notice): BookingEvent => ({ type: 'BookingSellerNotified', data: { notice } });
  it('is told of a payment once', () =>
    given(historyOf.paid)
      .when(tell('paid'))
      .thenOnce([told('paid')]));
  it('is reminded once of each, and not after the answer', () => {
    given([...historyOf.paid, told('paid')])
      .when(tell('reminder'))
      .thenOnce([told('reminder')]);
    given(historyOf.confirmed).when(tell('last_reminder')).then([]);
    given(historyOf.rejected).when(tell('last_reminder')).then('invalid_transition');
  });
});

it('keeps the details of the guest that do not change', () => {
  const guest = { name: 'Anna Orlova', phone: '+79991234567', arrivalTime: null };
  given([{ type: 'BookingCreated', data: { ...creation, guest } }])
    .when(commandOf.ChangeGuest('guest'))
    .thenOnce([{ type: 'BookingGuestChanged', data: { userId: GUEST, guest: { ...guest, arrivalTime: '18:30' } } }]);
});

describe('rescheduling', () => {
  const moved = { ...terms, holdId: id(44), totalMinor: 30_000 };
  it('takes all new terms and names the hold to release', () => {
    given([created])
      .when({ type: 'Reschedule', by: 'guest', at: at(1), ...moved })
      .thenOnce([{ type: 'BookingRescheduled', data: { ...moved, formerHoldId: HOLD, formerUnitId: ROOM } }]);
  });
  it('records nothing when nothing changes', () => {
    given([created])
      .when({ type: 'Reschedule', by: 'guest', at: at(1), ...terms })
      .then([]);
  });
  it('is refused while a payment is open', () => {
    given([created, paying])
      .when({ type: 'Reschedule', by: 'guest', at: at(1), ...moved })
      .then('payment_open');
  });
  it('is refused after the hold has expired', () => {
    given([created])
      .when({ type: 'Reschedule', by: 'guest', at: at(30), ...moved })
      .then('hold_expired');
  });
});

it('records notes, and their removal', () => {
  given([created])
    .when({ type: 'ChangeNotes', by: 'guest', notes: 'late' })
    .thenOnce([{ type: 'BookingNotesChanged', data: { userId: GUEST, notes: 'late' } }]);
});

describe('paying', () => {
  it('allows one open payment at a time', () => {
    given([created]).when(commandOf.StartPayment('guest')).thenOnce([paying]);
    given([created, paying])
      .when({ type: 'StartPayment', by: 'guest', paymentId: id(55), holdExpiresAt: at(40) })
      .then('payment_open');
  });
  it('allows another payment after the first has ended without money', () => {
    const over: BookingEvent = { type: 'BookingPaymentEnded', data: { paymentId: PAYMENT } };
    given([created, paying]).when(commandOf.EndPayment('system')).thenOnce([over]);
    given([created, paying, over])
      .when({ type: 'StartPayment', by: 'guest', paymentId: id(55), holdExpiresAt: at(50) })
      .then([{ type: 'BookingPaymentStarted', data: { paymentId: id(55), holdExpiresAt: at(50) } }]);
  });
  it('extends the hold, never shortens it', () => {
    given([created])
      .when(commandOf.ExtendHold('system'))
      .thenOnce([{ type: 'BookingHoldExtended', data: { holdExpiresAt: at(90) } }]);
    given([created])
      .when({ type: 'ExtendHold', by: 'system', holdExpiresAt: at(10) })
      .then([]);
  });
  it('marks the booking as paid once, for the hold that was committed', () => {
    const mark = {
      type: 'MarkPaid',
      by: 'system',
      paymentId: PAYMENT,
      amountMinor: 20_000,
      holdId: HOLD,
      at: at(20),
    } as const;
    given([created, paying]).when(mark).thenOnce([paid]);
    given(historyOf.expired).when(mark).thenOnce([paid]);
    given([created])
      .when({ ...mark, holdId: id(44) })
      .then('conflict');
    given(historyOf.confirmed)
      .when({ ...mark, paymentId: id(55) })
      .then('invalid_transition');
  });
  it('must be for the whole price', () => {
    const mark = {
      type: 'MarkPaid',
      by: 'system',
      paymentId: PAYMENT,
      amountMinor: 20_000,
      holdId: HOLD,
      at: at(20),
    } as const;
    for (const wrong of [{ amountMinor: 19_999 }, { amountMinor: 0 }, { paymentId: null }])
      given([created, paying])
        .when({ ...mark, ...wrong })
        .then('conflict');
  });
  it('limits the extension of a hold by the start of its first payment', () => {
    const again: BookingEvent = { type: 'BookingPaymentStarted', data: { paymentId: id(55), holdExpiresAt: at(50) } };
    expect(given([created]).state).toMatchObject({ keptFrom: null });
    expect(given([created, paying, again]).state).toMatchObject({ keptFrom: at(40), holdExpiresAt: at(50) });
  });
});

describe('what costs nothing', () => {
  const free: BookingEvent = { type: 'BookingCreated', data: { ...creation, lines: [], totalMinor: 0 } };
  const mark = { type: 'MarkPaid', by: 'system', paymentId: null, amountMinor: 0, holdId: HOLD, at: at(20) } as const;
  const settled: BookingEvent = {
    type: 'BookingPaid',
    data: { paymentId: null, amountMinor: 0, answerBy: at(20 + 24 * 60) },
  };
  it('is paid without a payment', () => given([free]).when(mark).thenOnce([settled]));
  it('cannot be paid after it was cancelled', () => {
    given([free, { type: 'BookingCancelled', data: ending }])
      .when(mark)
      .then('invalid_transition');
  });
  it('refuses a payment', () => given([free]).when(commandOf.StartPayment('guest')).then('invalid_transition'));
});
