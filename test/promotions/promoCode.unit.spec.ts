/** The uses of a promo code: reserved, taken, given back, and never more than its terms allow. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rejected } from '../../domain/core/decider.ts';
import {
  type PromoCode,
  type PromoCodeCommand,
  type PromoCodeEvent,
  promoCode,
  typedCode,
} from '../../domain/promotions/promoCode.ts';
import type { PromoTerms } from '../../domain/promotions/terms.ts';
import { at, id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { promoTerms } from './promoFixtures.ts';

const given = specification(promoCode);
const created = (more: Partial<PromoTerms> = {}): PromoCodeEvent => ({
  type: 'PromoCodeCreated',
  data: { code: 'SNOW', terms: { ...promoTerms, ...more } },
});
const use = (booking: number, user: number) => ({ kind: 'booking' as const, itemId: id(booking), userId: id(user) });
const reserve = (booking: number, user: number, minutes = 0): PromoCodeCommand => ({
  ...{ type: 'ReservePromoUse', ...use(booking, user), until: at(minutes + 30), at: at(minutes) },
});
const reserved = (booking: number, user: number, minutes = 0): PromoCodeEvent => ({
  type: 'PromoUseReserved',
  data: { ...use(booking, user), until: at(minutes + 30) },
});
const take = (booking: number, user: number): PromoCodeCommand => ({ type: 'TakePromoUse', ...use(booking, user) });
const taken = (booking: number, user: number): PromoCodeEvent => ({ type: 'PromoUseTaken', data: use(booking, user) });
const release = (booking: number, evenTaken = false): PromoCodeCommand => ({
  ...{ type: 'ReleasePromoUse', itemId: id(booking), evenTaken },
});
const released = (booking: number): PromoCodeEvent => ({ type: 'PromoUseReleased', data: { itemId: id(booking) } });
const reasonOf = (command: PromoCodeCommand, state: PromoCode): unknown => {
  try {
    promoCode.decide(command, state);
  } catch (error) {
    if (error instanceof Rejected) return error.facts.reason;
    throw error;
  }
  return undefined;
};

describe('a promo code', () => {
  it('is created once', () => {
    const create = { type: 'CreatePromoCode', code: 'SNOW', terms: promoTerms } as const;
    given([]).when(create).thenOnce([created()]);
    given([created({ uses: 7 })])
      .when(create)
      .then('conflict');
    given([])
      .when({ ...create, terms: { ...promoTerms, percentBps: null } })
      .then('invalid');
  });
  it('is found in any letter case', () => expect(typedCode(' snow-27 ')).toBe('SNOW-27'));
  it('changes its terms, paused or not', () => {
    given([created()])
      .when({ type: 'ChangePromoTerms', terms: { uses: 9 } })
      .thenOnce([{ type: 'PromoCodeTermsChanged', data: { terms: { ...promoTerms, uses: 9 } } }]);
    given([created()])
      .when({ type: 'ChangePromoTerms', terms: { usesPerPerson: 9 } })
      .then('invalid');
    given([created()])
      .when({ type: 'PausePromoCode' })
      .thenOnce([{ type: 'PromoCodePaused', data: {} }]);
    given([created(), { type: 'PromoCodePaused', data: {} }])
      .when({ type: 'ResumePromoCode' })
      .thenOnce([{ type: 'PromoCodeResumed', data: {} }]);
  });
  it('gets another currency only together with its amounts', () => {
    const inYen = (terms: Partial<PromoTerms> = {}) =>
      ({ type: 'ChangePromoTerms', terms: { currency: 'JPY', ...terms } }) as const;
    const changed = (terms: Partial<PromoTerms>): PromoCodeEvent => ({
      type: 'PromoCodeTermsChanged',
      data: { terms: { ...promoTerms, ...terms } },
    });
    given([created()])
      .when(inYen())
      .thenOnce([changed({ currency: 'JPY' })]);
    const amounts = { percentBps: null, amountMinor: 50_000, leastTotalMinor: 100_000 };
    given([created(amounts)])
      .when(inYen({ amountMinor: 900 }))
      .then('invalid');
    const sent = { amountMinor: 50_000, leastTotalMinor: 2_000 };
    given([created(amounts)])
      .when(inYen(sent))
      .thenOnce([changed({ ...amounts, ...sent, currency: 'JPY' })]);
    given([created({ mostMinor: 50_000 })])
      .when(inYen())
      .then('invalid');
    given([created({ mostMinor: 50_000 })])
      .when(inYen({ mostMinor: null }))
      .thenOnce([changed({ mostMinor: null, currency: 'JPY' })]);
    for (const currency of ['RUB', undefined])
      given([created(amounts)])
        .when({ type: 'ChangePromoTerms', terms: { ...(currency && { currency }), uses: 9 } })
        .thenOnce([changed({ ...amounts, uses: 9 })]);
    expect(() => promoCode.decide(inYen(), given([created(amounts)]).state)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('send also: discount, least_total.'),
        fields: ['discount', 'least_total'],
      }),
    );
  });
  it('that does not exist is not found', () => {
    given([]).when(reserve(1, 2)).then('not_found');
    given([]).when({ type: 'PausePromoCode' }).then('not_found');
  });
});

describe('a use', () => {
  it('is reserved once for a booking, and found by a retry even after the code has ended', () => {
    given([created()])
      .when(reserve(1, 2))
      .thenOnce([reserved(1, 2)]);
    given([created({ uses: 1 }), reserved(1, 2), { type: 'PromoCodePaused', data: {} }])
      .when(reserve(1, 2))
      .then([]);
  });
  it.each<[PromoCodeEvent[], number, string]>([
    [[created(), { type: 'PromoCodePaused', data: {} }], 0, 'paused'],
    [[created({ usableFrom: at(1) })], 0, 'not_yet'],
    [[created({ usableUntil: at(5) })], 5, 'over'],
    [[created({ uses: 1 }), reserved(8, 9)], 0, 'used_up'],
    [[created({ uses: 1 }), reserved(8, 9), taken(8, 9)], 0, 'used_up'],
    [[created(), reserved(8, 2)], 0, 'used_by_you'],
    [[created(), taken(8, 2)], 0, 'used_by_you'],
  ])('after %j at minute %i is refused: %s', (events, minutes, reason) =>
    expect(reasonOf(reserve(1, 2, minutes), given(events).state)).toBe(reason),
  );
  it.each<[string, PromoCodeEvent[], number]>([
    ['from the first instant on', [created({ usableFrom: at(1) })], 1],
    ['to the last one', [created({ usableFrom: at(1), usableUntil: at(6) })], 5],
    [
      'after the code was paused',
      [created(), { type: 'PromoCodePaused', data: {} }, { type: 'PromoCodeResumed', data: {} }],
      0,
    ],
    ['although another person has used it as often as each may', [created({ uses: 2 }), taken(8, 9)], 0],
  ])('is reserved %s', (_, events, minutes) =>
    given(events)
      .when(reserve(1, 2, minutes))
      .thenOnce([reserved(1, 2, minutes)]),
  );
  it('that was given back is free for others', () => {
    given([created({ uses: 1 }), reserved(8, 9), released(8)])
      .when(reserve(1, 2))
      .then([reserved(1, 2)]);
  });
  it('is taken when the booking is paid, and stays', () => {
    given([created(), reserved(1, 2)])
      .when(take(1, 2))
      .thenOnce([taken(1, 2)]);
    given([created(), reserved(1, 2), taken(1, 2)])
      .when(release(1))
      .then([]);
    given([created(), reserved(1, 2), taken(1, 2)])
      .when(release(1, true))
      .thenOnce([released(1)]);
  });
  it('that was given back is taken again by late money, where one is left', () => {
    const late = [created({ uses: 1 }), reserved(1, 2), released(1)];
    given(late)
      .when(take(1, 2))
      .then([taken(1, 2)]);
    given([...late, reserved(3, 4)])
      .when(take(1, 2))
      .then('promo_refused');
  });

  it('never exceeds what the terms allow, in any order of bookings, payments and ends', () => {
    const booking = fc.integer({ min: 1, max: 12 });
    const command = fc.oneof(
      booking.map((n) => reserve(n, 100 + (n % 4))),
      booking.map((n) => take(n, 100 + (n % 4))),
      fc.tuple(booking, fc.boolean()).map(([n, evenTaken]) => release(n, evenTaken)),
    );
    const limits = fc.record({ uses: fc.integer({ min: 2, max: 5 }), usesPerPerson: fc.integer({ min: 1, max: 2 }) });
    fc.assert(
      fc.property(limits, fc.array(command, { maxLength: 80 }), (terms, commands) => {
        let state = given([created(terms)]).state;
        for (const each of commands) {
          try {
            state = promoCode.decide(each, state).reduce(promoCode.evolve, state);
          } catch (error) {
            if (!(error instanceof Rejected)) throw error;
          }
          if (state.status === 'none') throw new Error('it exists');
          const people = [...state.uses].map(([, { userId }]) => userId);
          expect(people.length).toBeLessThanOrEqual(terms.uses);
          for (const person of people)
            expect(people.filter((other) => other === person).length).toBeLessThanOrEqual(terms.usesPerPerson);
        }
      }),
    );
  });
});
