import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PricingHotel, quoteStay, type StayRequest } from '../../domain/catalog/pricing.ts';
import { type NightTerms, UNPRICED } from '../../domain/catalog/room.ts';
import { addDays, datesBetween, isTimezone, todayIn } from '../../domain/core/dates.ts';
import { hotelDetails, today } from './catalogFixtures.ts';

const hotel: PricingHotel = {
  status: 'published',
  currency: 'RUB',
  timezone: 'Europe/Moscow',
  confirmation: 'instant',
  charges: hotelDetails.charges,
};
const open: NightTerms = { ...UNPRICED, priceMinor: 1_000_000 };
/** Every night from today, for 600 days, with some that differ. */
const roomWith = (differing: Readonly<Record<string, Partial<NightTerms>>> = {}) => ({
  capacity: 2,
  nightPriceMinor: null,
  nights: new Map(
    datesBetween(today, addDays(today, 600)).map((date) => [date, { ...open, ...differing[date] }] as const),
  ),
});
const stay = (changes: Partial<StayRequest> = {}): StayRequest => ({
  checkIn: '2026-12-10',
  checkOut: '2026-12-13',
  guests: 2,
  at: `${today}T09:00:00Z`,
  ...changes,
});
const reasons = (differing: Readonly<Record<string, Partial<NightTerms>>>, changes: Partial<StayRequest> = {}) =>
  quoteStay(roomWith(differing), hotel, stay(changes)).reasons;

describe('a price', () => {
  it('has a line for each night, then the charges', () => {
    const { price } = quoteStay(roomWith({ '2026-12-11': { priceMinor: 1_234_567 } }), hotel, stay());
    expect(price).toEqual({
      currency: 'RUB',
      nights: 3,
      lines: [
        { kind: 'night', date: '2026-12-10', amountMinor: 1_000_000 },
        { kind: 'night', date: '2026-12-11', amountMinor: 1_234_567 },
        { kind: 'night', date: '2026-12-12', amountMinor: 1_000_000 },
        { kind: 'tax', name: 'Resort tax', amountMinor: 64_691 },
        { kind: 'fee', name: 'Linen', amountMinor: 45_000 },
      ],
      baseMinor: 3_234_567,
      taxesMinor: 64_691,
      feesMinor: 45_000,
      totalMinor: 3_344_258,
    });
  });

  it('adds up, whatever the nights and charges', () => {
    const charge = fc.oneof(
      fc.record({ kind: fc.constantFrom('tax', 'fee'), name: fc.string(), bps: fc.nat(10_000) }),
      fc.record({ kind: fc.constantFrom('tax', 'fee'), name: fc.string(), perNightMinor: fc.nat(1_000_000) }),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(1e9), { minLength: 1, maxLength: 30 }), fc.array(charge), (prices, charges) => {
        const nights = new Map(prices.map((priceMinor, day) => [addDays(today, day), { ...open, priceMinor }]));
        const request = stay({ checkIn: today, checkOut: addDays(today, prices.length) });
        const { price } = quoteStay({ capacity: 2, nightPriceMinor: null, nights }, { ...hotel, charges }, request);
        expect(price?.baseMinor).toBe(prices.reduce((sum, minor) => sum + minor, 0));
        expect(price?.totalMinor).toBe(price?.lines.reduce((sum, line) => sum + line.amountMinor, 0));
        expect(price?.totalMinor).toBe((price?.baseMinor ?? 0) + (price?.taxesMinor ?? 0) + (price?.feesMinor ?? 0));
      }),
    );
  });

  it('is the nights alone when there are no charges', () =>
    expect(quoteStay(roomWith(), { ...hotel, charges: [] }, stay()).price?.totalMinor).toBe(3_000_000));
});

describe('a stay cannot be had', () => {
  it.each([
    ['not_priced', { '2026-12-11': { priceMinor: null } }],
    ['stop_sell', { '2026-12-12': { stopSell: true } }],
    ['min_stay', { '2026-12-10': { minStay: 4 } }],
    ['max_stay', { '2026-12-10': { maxStay: 2 } }],
    ['closed_to_arrival', { '2026-12-10': { closedToArrival: true } }],
    ['closed_to_departure', { '2026-12-13': { closedToDeparture: true } }],
  ] as const)('when a night is %s', (reason, differing) => expect(reasons(differing)).toEqual([reason]));

  it.each([
    ['past', { checkIn: '2026-11-30' }, ['past', 'not_priced']],
    ['capacity', { guests: 3 }, ['capacity']],
    ['too_long', { checkOut: '2027-01-10' }, ['too_long']],
    ['too_far', { checkIn: addDays(today, 499), checkOut: addDays(today, 501) }, ['too_far']],
  ] as const)('when the request is %s', (_, changes, expected) => expect(reasons({}, changes)).toEqual(expected));

  it('when the seller would have less than half an hour to answer before check-in at 14:00', () => {
    const tonight = { checkIn: today, checkOut: addDays(today, 2) };
    const at = (confirmation: 'instant' | 'on_request', time: string) =>
      quoteStay(roomWith(), { ...hotel, confirmation }, stay({ ...tonight, at: `${today}T${time}+03:00` })).reasons;
    expect(at('on_request', '13:30:00')).toEqual([]);
    for (const time of ['13:30:01', '15:00:00']) expect(at('on_request', time)).toEqual(['too_late']);
    expect(at('instant', '15:00:00')).toEqual([]);
  });

  it('when the hotel is closed', () =>
    expect(quoteStay(roomWith(), { ...hotel, status: 'closed' }, stay())).toEqual({
      price: null,
      reasons: ['closed'],
    }));

  it('for all reasons that apply, in a fixed order', () =>
    expect(
      reasons({ '2026-12-10': { stopSell: true, minStay: 5, closedToArrival: true, priceMinor: null } }, { guests: 9 }),
    ).toEqual(['capacity', 'not_priced', 'stop_sell', 'min_stay', 'closed_to_arrival']));
});

describe('rules bind only whom they mean', () => {
  it.each([
    ['stay lengths, on nights after the arrival', { '2026-12-11': { minStay: 9, maxStay: 1 } }],
    ['closed to arrival, on nights after it', { '2026-12-11': { closedToArrival: true } }],
    ['closed to departure, on nights before it', { '2026-12-12': { closedToDeparture: true } }],
    ['anything else, on the date of departure', { '2026-12-13': { stopSell: true, priceMinor: null, minStay: 9 } }],
    ['stay lengths that are met exactly', { '2026-12-10': { minStay: 3, maxStay: 3 } }],
  ])('%s', (_, differing) => expect(reasons(differing)).toEqual([]));

  it('a stay of 30 nights, ending on the last day sold, is possible', () =>
    expect(reasons({}, { checkIn: addDays(today, 470), checkOut: addDays(today, 500) })).toEqual([]));
  it('a stay from today is possible', () =>
    expect(reasons({}, { checkIn: today, checkOut: addDays(today, 1) })).toEqual([]));
});

describe('today', () => {
  it.each([
    ['Europe/Moscow', '2026-12-01T20:59:59Z', '2026-12-01'],
    ['Europe/Moscow', '2026-12-01T21:00:00Z', '2026-12-02'],
    ['Pacific/Kiritimati', '2026-12-01T10:00:00Z', '2026-12-02'],
    ['America/Los_Angeles', '2026-12-01T07:59:00Z', '2026-11-30'],
  ])('in %s at %s is %s', (timezone, instant, date) => expect(todayIn(timezone, instant)).toBe(date));
});

describe('a time zone', () => {
  it.each([
    ['Europe/Moscow', true],
    ['Asia/Kolkata', true],
    ['America/Argentina/Buenos_Aires', true],
    ['UTC', true],
    ['+03:00', false],
    ['Mars/Olympus', false],
    ['', false],
  ])('%s: %s', (name, known) => expect(isTimezone(name)).toBe(known));
});
