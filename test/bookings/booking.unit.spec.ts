import { describe, expect, it } from 'vitest';
import { answerAwaitedBy } from '../../domain/bookings/answer.ts';
import {
  type Booking,
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

const nothing = { paymentIds: [], minor: 0 };
const price = { holdId: HOLD, amountMinor: 20_000, at: at(10) };
const starting = { type: 'StartPayment', by: 'guest', paymentId: PAYMENT, ...price, holdExpiresAt: at(40) } as const;
const marking = { type: 'MarkPaid', by: 'system', paymentId: PAYMENT, ...price, knownAt: at(20) } as const;
const proposal = {
  type: 'ProposeChange',
  at: at(10),
  former: { holdId: HOLD },
  received: nothing,
  holdExpiresAt: at(40),
  ...terms,
  holdId: id(44),
  guests: 1,
} as const;
const making = {
  type: 'MakeChange',
  holdId: id(44),
  paymentId: null,
  amountMinor: 0,
  at: at(11),
  knownAt: at(12),
} as const;
const commandOf: Readonly<Record<Transition, (by: Party) => BookingCommand>> = {
  Reschedule: (by) => ({ type: 'Reschedule', by, at: at(1), former: terms, ...terms, guests: 1 }),
  ProposeChange: (by) => ({ ...proposal, by }),
  MakeChange: (by) => ({ ...making, by }),
  WithdrawChange: (by) => ({ type: 'WithdrawChange', by, reason: 'withdrawn' }),
  ChangeGuest: (by) => ({ type: 'ChangeGuest', by, guest: { arrivalTime: '18:30' } }),
  ChangeNotes: (by) => ({ type: 'ChangeNotes', by, notes: 'late arrival' }),
  StartPayment: (by) => ({ ...starting, by }),
  ExtendHold: (by) => ({ type: 'ExtendHold', by, holdId: HOLD, holdExpiresAt: at(90) }),
  EndPayment: (by) => ({ type: 'EndPayment', by, paymentId: PAYMENT }),
  MarkPaid: (by) => ({ ...marking, by, paymentId: id(55) }),
  NotifySeller: (by) => ({ type: 'NotifySeller', by, notice: 'paid' }),
  Confirm: (by) => ({ type: 'Confirm', by }),
  Complete: (by) => ({ type: 'Complete', by }),
  MarkNoShow: (by) => ({ type: 'MarkNoShow', by, at: creation.startsAt }),
  WithdrawNoShow: (by) => ({ type: 'WithdrawNoShow', by, at: creation.startsAt }),
  Expire: (by) => ({ type: 'Expire', by, holdId: HOLD }),
  Cancel: (by) => ({ type: 'Cancel', by, reason: null, received: nothing, at: at(1) }),
  Reject: (by) => ({ type: 'Reject', by, reason: null, received: nothing, at: at(1) }),
};
/** As a caller reads it before the decision. */
const withMoneyOf = (command: BookingCommand, state: Booking): BookingCommand =>
  'received' in command && state.status !== 'none'
    ? { ...command, received: { paymentIds: state.paymentIds, minor: 0 } }
    : command;

describe('the table of permissions', () => {
  const cases = (Object.keys(transitions) as Transition[]).flatMap((type) =>
    bookingStatuses.flatMap((status) => cancellers.map((by) => ({ type, status, by }))),
  );
  it.each(cases)('$type while $status by $by', ({ type, status, by }) => {
    const rule = transitions[type];
    const { state } = given(historyOf[status]);
    const decided = (() => {
      try {
        return booking.decide(withMoneyOf(commandOf[type](by), state), state);
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
    const { state } = given(before);
    expect(booking.decide(withMoneyOf(commandOf.Cancel('provider'), state), state)).toMatchObject([
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

describe('ending', () => {
  const all = { paymentIds: [PAYMENT], minor: 20_000 };
  it('refunds nothing before it is paid, and everything afterwards to a seller’s rejection', () => {
    const rejected = (refundMinor: number): BookingEvent[] => [
      { type: 'BookingRejected', data: { ...ending, refundMinor } },
    ];
    given([created]).when(commandOf.Reject('provider')).thenOnce(rejected(0));
    given(historyOf.paid)
      .when({ ...commandOf.Reject('provider'), received: all } as BookingCommand)
      .thenOnce(rejected(20_000));
  });
  it('is refused on money that was read before the booking was paid', () => {
    for (const type of ['Cancel', 'Reject'] as const) {
      given(historyOf.paid).when(commandOf[type]('admin')).then('conflict');
      given([created])
        .when({ ...commandOf[type]('admin'), received: all } as BookingCommand)
        .then('conflict');
    }
  });
});

describe('rescheduling', () => {
  const moved = { ...terms, holdId: id(44), totalMinor: 30_000 };
  it('takes all new terms and names the hold to release', () => {
    given([created])
      .when({ type: 'Reschedule', by: 'guest', at: at(1), former: terms, ...moved })
      .thenOnce([{ type: 'BookingRescheduled', data: { ...moved, formerHoldId: HOLD, formerUnitId: ROOM } }]);
  });
  it('to a slot that begins sooner ends the hold sooner', () => {
    const item = {
      type: 'tour',
      listingId: id(9),
      unitId: id(9),
      slotStart: at(20),
      slotEnd: at(80),
      seats: 2,
    } as const;
    const sooner = { ...terms, item, startsAt: at(20), endsAt: at(80), holdId: id(44) };
    const data = { ...sooner, formerHoldId: HOLD, formerUnitId: ROOM, holdExpiresAt: at(20) };
    const event: BookingEvent = { type: 'BookingRescheduled', data };
    given([created])
      .when({ type: 'Reschedule', by: 'guest', at: at(1), former: terms, ...sooner })
      .thenOnce([event]);
    expect(given([created, event]).state).toMatchObject({ holdExpiresAt: at(20) });
  });
  it('records nothing when nothing changes', () => {
    given([created])
      .when({ type: 'Reschedule', by: 'guest', at: at(1), former: terms, ...terms })
      .then([]);
  });
  it('is refused while a payment is open', () => {
    given([created, paying])
      .when({ type: 'Reschedule', by: 'guest', at: at(1), former: terms, ...moved })
      .then('payment_open');
  });
  it('is refused when the booking was changed meanwhile', () => {
    for (const former of [
      { ...terms, holdId: id(43) },
      { ...terms, guests: 1 },
    ])
      given([created])
        .when({ type: 'Reschedule', by: 'guest', at: at(1), former, ...moved })
        .then('conflict');
  });
  it('is refused after the hold has expired', () => {
    given([created])
      .when({ type: 'Reschedule', by: 'guest', at: at(30), former: terms, ...moved })
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
      .when({ ...starting, paymentId: id(55) })
      .then('payment_open');
  });
  it('allows another payment after the first has ended without money', () => {
    const over: BookingEvent = { type: 'BookingPaymentEnded', data: { paymentId: PAYMENT } };
    given([created, paying]).when(commandOf.EndPayment('system')).thenOnce([over]);
    given([created, paying, over])
      .when({ ...starting, paymentId: id(55), holdExpiresAt: at(50) })
      .then([{ type: 'BookingPaymentStarted', data: { paymentId: id(55), holdExpiresAt: at(50) } }]);
  });
  it('extends the hold, never shortens it', () => {
    given([created])
      .when(commandOf.ExtendHold('system'))
      .thenOnce([{ type: 'BookingHoldExtended', data: { holdExpiresAt: at(90) } }]);
    given([created])
      .when({ type: 'ExtendHold', by: 'system', holdId: HOLD, holdExpiresAt: at(10) })
      .then([]);
  });
  it('does not extend or expire with a hold that was replaced', () => {
    for (const type of ['ExtendHold', 'Expire'] as const)
      given([created])
        .when({ ...commandOf[type]('system'), holdId: id(44) } as BookingCommand)
        .then([]);
  });
  it('marks the booking as paid once, for the hold that was committed', () => {
    given([created, paying]).when(marking).thenOnce([paid]);
    given(historyOf.expired).when(marking).thenOnce([paid]);
    given([created])
      .when({ ...marking, holdId: id(44) })
      .then('conflict');
    given(historyOf.confirmed)
      .when({ ...marking, paymentId: id(55) })
      .then('invalid_transition');
  });
  it('must be for the whole price', () => {
    for (const wrong of [{ amountMinor: 19_999 }, { amountMinor: 0 }, { paymentId: null }])
      given([created, paying])
        .when({ ...marking, ...wrong })
        .then('conflict');
  });
  it('does not start for another price, for a hold that was replaced, or after the hold has expired', () => {
    for (const wrong of [{ amountMinor: 19_999 }, { holdId: id(44) }])
      given([created])
        .when({ ...starting, ...wrong })
        .then('conflict');
    given([created])
      .when({ ...starting, at: at(30) })
      .then('hold_expired');
  });
  it('ends with the first day of a stay', () => {
    const midnight = '2026-03-08T21:00:00.000Z'; // in Moscow
    const longHold: BookingEvent = { type: 'BookingHoldExtended', data: { holdExpiresAt: '2026-03-20T00:00:00Z' } };
    given([created, longHold])
      .when({ ...starting, at: midnight })
      .then('hold_expired');
    given([created, longHold, paying])
      .when({ ...marking, at: midnight })
      .then('conflict');
    given([created, longHold, paying])
      .when({ ...marking, at: '2026-03-08T20:59:59.999Z' })
      .then([paid]);
  });
  it('ends with the start of a slot', () => {
    const [slotStart, slotEnd] = [at(60), at(180)];
    const item = { type: 'tour', listingId: id(9), unitId: id(9), slotStart, slotEnd, seats: 2 } as const;
    const times = { startsAt: slotStart, endsAt: slotEnd, holdExpiresAt: at(90) };
    const data = { ...creation, item, ...times, confirmation: 'instant' as const };
    const settled: BookingEvent = { type: 'BookingPaid', data: { paymentId: PAYMENT, amountMinor: 20_000 } };
    const seats: BookingEvent = { type: 'BookingCreated', data };
    given([seats])
      .when({ ...starting, at: at(60) })
      .then('hold_expired');
    given([seats, paying])
      .when({ ...marking, at: at(60) })
      .then('conflict');
    given([seats, paying])
      .when({ ...marking, at: at(59) })
      .then([settled]);
    const free: BookingEvent = { type: 'BookingCreated', data: { ...data, lines: [], totalMinor: 0 } };
    given([free])
      .when({ ...marking, paymentId: null, amountMinor: 0, at: at(70) })
      .then([{ type: 'BookingPaid', data: { paymentId: null, amountMinor: 0 } }]);
  });
  it('limits the extension of a hold by the start of its first payment', () => {
    const again: BookingEvent = { type: 'BookingPaymentStarted', data: { paymentId: id(55), holdExpiresAt: at(50) } };
    expect(given([created]).state).toMatchObject({ keptFrom: null });
    expect(given([created, paying, again]).state).toMatchObject({ keptFrom: at(40), holdExpiresAt: at(50) });
  });
});

describe('what costs nothing', () => {
  const free: BookingEvent = { type: 'BookingCreated', data: { ...creation, lines: [], totalMinor: 0 } };
  const mark = { ...marking, paymentId: null, amountMinor: 0 } as const;
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
