/** Which commands a booking takes in which state, and what follows: answers, endings, other dates. */
import { describe, expect, it } from 'vitest';
import { answerAwaitedBy } from '../../domain/bookings/answer.ts';
import {
  type BookingCommand,
  type BookingEvent,
  booking,
  bookingStatuses,
  hasPaidPlaces,
  type Party,
  type Transition,
  transitions,
} from '../../domain/bookings/booking.ts';
import { type Notice, notices } from '../../domain/bookings/bookingEvents.ts';
import { cancellers } from '../../domain/catalog/cancellation.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMinutes } from '../../domain/core/instants.ts';
import { commandOf, ending, historyOf, withMoneyOf } from './bookingCommands.ts';
import {
  at,
  created,
  creation,
  GUEST,
  given,
  HOLD,
  id,
  PAYMENT,
  PROVIDER,
  paying,
  ROOM,
  terms,
} from './bookingFixtures.ts';

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
  const at = (minutes: number) => addMinutes(creation.startsAt, minutes);
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
  const back = (when: string): BookingCommand => ({ type: 'WithdrawNoShow', by: 'provider', at: when, holdId: id(44) });
  it('is withdrawn within a day, and the booking is confirmed again', () => {
    const before = [...historyOf.confirmed, missed];
    given(before)
      .when(back(at(2_000)))
      .thenOnce([{ type: 'BookingNoShowWithdrawn', data: { holdId: id(44), formerHoldId: HOLD } }]);
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
  const tell = (notice: Notice): BookingCommand => ({ type: 'NotifySeller', by: 'system', notice, sms: true });
  const told = (notice: Notice): BookingEvent => ({ type: 'BookingSellerNotified', data: { notice, sms: true } });
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
  it('is told of payments and changes also when nobody has to answer', () => {
    for (const notice of notices) {
      const isOfAnswer = notice !== 'paid' && notice !== 'changed';
      given(historyOf.confirmed)
        .when(tell(notice))
        .then(isOfAnswer ? [] : [told(notice)]);
    }
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
      given(historyOf.paid).when(commandOf[type]('admin')).then('unavailable');
      given([created])
        .when({ ...commandOf[type]('admin'), received: all } as BookingCommand)
        .then('unavailable');
    }
  });
});

describe('an ending that is repeated', () => {
  const repeated = (by: Party, reason: string | null) => () => {
    const cancelled: BookingEvent = { type: 'BookingCancelled', data: { ...ending, by: 'guest', reason: 'ill' } };
    const command = { ...commandOf.Cancel(by), reason } as BookingCommand;
    return booking.decide(command, given([created, cancelled]).state);
  };
  it('changes nothing, and says who ended it to those who give another reason', () => {
    for (const by of ['guest', 'provider', 'admin'] as const) {
      expect(repeated(by, 'ill')()).toEqual([]);
      expect(repeated(by, null)()).toEqual([]);
      expect(repeated(by, 'snow')).toThrow(
        expect.objectContaining({
          code: 'conflict',
          facts: { by: 'guest' },
          message: expect.stringMatching('cancelled'),
        }),
      );
    }
  });
  it('needs no reason of the system, which does not know it', () => expect(repeated('system', 'unpaid')()).toEqual([]));
});

it('only a rejection of a booking that its payment confirmed is told to cancel it instead', () => {
  const instant: BookingEvent = { type: 'BookingCreated', data: { ...creation, confirmation: 'instant' } };
  const words = (type: Transition, events: BookingEvent[]) => () =>
    booking.decide(commandOf[type]('admin'), given(events).state);
  const settled: BookingEvent = { type: 'BookingPaid', data: { paymentId: PAYMENT, amountMinor: 20_000 } };
  expect(words('Reject', [instant, settled])).toThrow('Cancel it instead');
  expect(words('Reschedule', [instant, settled])).toThrow('while the booking has the status paid');
  expect(words('Reject', historyOf.confirmed)).toThrow('while the booking has the status confirmed');
});

it('has paid places from its payment on, unless the guest did not come', () =>
  expect(bookingStatuses.filter(hasPaidPlaces)).toEqual(['paid', 'confirmed', 'completed']));

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
        .then('unavailable');
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
