/** The terms of a promo code, and the discount that they give on a price. */
import { type Static, Type } from '@sinclair/typebox';
import type { DiscountLine } from '../catalog/priceLine.ts';
import { isService, type SoldType, SoldTypes } from '../catalog/soldTypes.ts';
import { Rejected } from '../core/decider.ts';
import { hasCome } from '../core/instants.ts';
import { assertCurrency, BPS, minorPerMajor, percentage, toMajor } from '../core/money.ts';
import { Currency, DateOnly, Instant, Nullable, OneOf, Uuid } from '../core/schema.ts';

/** The most uses of one code. Its stream knows each of them. */
export const MOST_USES = 10_000;
const MOST_LISTINGS = 100;

/** Where a period has no beginning or no end: a date, and an instant. */
export const [FIRST_DAY, LAST_DAY] = ['0001-01-01', '9999-12-31'] as const;

const bearers = ['platform', 'seller'] as const;
export const Bearer = OneOf(bearers);
export type Bearer = Static<typeof Bearer>;

/** Exactly one of `percentBps` and `amountMinor` is set. Amounts are in `currency`. */
export const PromoTerms = Type.Object({
  /** Prices in other currencies get no discount. */
  currency: Currency,
  /** Basis points of the price. */
  percentBps: Nullable(Type.Integer({ minimum: 1, maximum: BPS })),
  amountMinor: Nullable(Type.Integer({ minimum: 1 })),
  /** The most that a percentage takes off; null: any amount. */
  mostMinor: Nullable(Type.Integer({ minimum: 1 })),
  /** Who gives up the money. */
  bearer: Bearer,
  /** Only for what this seller sells; null: any seller. */
  sellerId: Nullable(Uuid),
  /** Empty: all types of bookings and services. */
  types: SoldTypes,
  /** Only for these listings, tariffs and insurance products; empty: all. */
  listingIds: Type.Array(Uuid, { maxItems: MOST_LISTINGS, uniqueItems: true }),
  /** When it can be used, `until` excluded; null: any time. */
  usableFrom: Nullable(Instant),
  usableUntil: Nullable(Instant),
  /** The first and the last date on which a booking or the validity of a service may start, in the local time; null: any. */
  startsFrom: Nullable(DateOnly),
  startsTo: Nullable(DateOnly),
  /** The least price before the discount. */
  leastTotalMinor: Type.Integer({ minimum: 0 }),
  uses: Type.Integer({ minimum: 1, maximum: MOST_USES }),
  usesPerPerson: Type.Integer({ minimum: 1, maximum: MOST_USES }),
  /** Only for somebody who has not paid for a booking before. Services are no bookings: it is not for them. */
  firstBookingOnly: Type.Boolean(),
});
export type PromoTerms = Static<typeof PromoTerms>;

/** What holds unless a code says something else. The discount has no default. */
export const usualTerms: PromoTerms = {
  currency: 'RUB',
  percentBps: null,
  amountMinor: null,
  mostMinor: null,
  bearer: 'platform',
  sellerId: null,
  types: [],
  listingIds: [],
  usableFrom: null,
  usableUntil: null,
  startsFrom: null,
  startsTo: null,
  leastTotalMinor: 0,
  uses: MOST_USES,
  usesPerPerson: 1,
  firstBookingOnly: false,
};

/** Why a code gives no discount. */
const promoReasons = [
  'unknown',
  'paused',
  'not_yet',
  'over',
  'currency',
  'seller',
  'type',
  'listing',
  'dates',
  'least_total',
  'used_up',
  'used_by_you',
  'not_first',
] as const;
export type PromoReason = (typeof promoReasons)[number];

export const refused = (reason: PromoReason, detail: string): Rejected =>
  new Rejected('promo_refused', detail, { reason });

/** @throws Rejected `invalid` for terms that contradict each other */
export const assertTerms = (terms: PromoTerms): void => {
  const { percentBps, amountMinor, mostMinor, usableFrom, usableUntil, startsFrom, startsTo } = terms;
  assertCurrency(terms.currency);
  if ((percentBps === null) === (amountMinor === null))
    throw new Rejected('invalid', 'A promo code has either a percentage or an amount.', {
      fields: ['discount_percent', 'discount'],
    });
  if (mostMinor !== null && percentBps === null)
    throw new Rejected('invalid', 'Only a percentage can have a highest discount.', { fields: ['most_discount'] });
  if (terms.bearer === 'seller' && terms.sellerId === null)
    throw new Rejected('invalid', 'A discount that the seller bears needs the seller: send seller_id.', {
      fields: ['seller_id'],
    });
  if (hasCome(usableUntil ?? LAST_DAY, usableFrom ?? FIRST_DAY))
    throw new Rejected('invalid', 'usable_until must be later than usable_from.', { fields: ['usable_until'] });
  if ((startsTo ?? LAST_DAY) < (startsFrom ?? FIRST_DAY))
    throw new Rejected('invalid', 'starts_to must not be earlier than starts_from.', { fields: ['starts_to'] });
  if (terms.firstBookingOnly && terms.types.length > 0 && terms.types.every(isService))
    throw new Rejected(
      'invalid',
      'A code for first bookings only must be for a type of booking, not just for services.',
      { fields: ['types', 'first_booking_only'] },
    );
  if (terms.usesPerPerson > terms.uses)
    throw new Rejected('invalid', 'uses_per_person must not be higher than uses.', { fields: ['uses_per_person'] });
};

/** The amounts of the terms, by the fields in which they are sent. */
const amounts = { discount: 'amountMinor', most_discount: 'mostMinor', least_total: 'leastTotalMinor' } as const;

/**
 * The same minor units are another amount in another currency.
 * @throws Rejected `invalid` for another currency without all amounts
 */
export const assertAmountsSent = (before: PromoTerms, sent: Partial<PromoTerms>): void => {
  if (sent.currency === undefined || sent.currency === before.currency) return;
  const kept = Object.entries(amounts).filter(([, term]) => before[term] && sent[term] === undefined);
  const [field, ...more] = kept.map(([name]) => name);
  if (field !== undefined)
    throw new Rejected(
      'invalid',
      `The amounts of a promo code are in its currency. With another currency, send also: ${[field, ...more].join(', ')}.`,
      { fields: [field, ...more] },
    );
};

/** What a discount is given on. */
export interface Discountable {
  readonly item: { readonly type: SoldType; readonly listingId: string };
  readonly startsOn: string;
  readonly currency: string;
}

/** @throws Rejected `promo_refused` where the code is not for this seller, kind, listing, date or currency */
export const assertCovers = (
  terms: PromoTerms,
  sellerId: string | null,
  { item, startsOn, currency }: Discountable,
): void => {
  if (terms.currency !== currency)
    throw refused('currency', `This promo code is only for prices in ${terms.currency}.`);
  if (terms.sellerId !== null && terms.sellerId !== sellerId)
    throw refused('seller', 'This promo code is only for the offers of another seller.');
  if (terms.types.length > 0 && !terms.types.includes(item.type))
    throw refused('type', `This promo code is only for: ${terms.types.join(', ')}.`);
  if (terms.firstBookingOnly && isService(item.type))
    throw refused('type', 'This promo code is for first bookings, not for ski passes and insurance.');
  if (terms.listingIds.length > 0 && !terms.listingIds.includes(item.listingId))
    throw refused('listing', 'This promo code is for other offers.');
  const { startsFrom: from, startsTo: to } = terms;
  if (startsOn < (from ?? FIRST_DAY) || startsOn > (to ?? LAST_DAY))
    throw refused('dates', `This promo code is for what starts ${period(from, to)}.`);
};

const period = (from: string | null, to: string | null): string =>
  [from !== null && `on ${from} or later`, to !== null && `on ${to} or earlier`].filter(Boolean).join(' and ');

/**
 * The discount on a price, in minor units, at least 1. At least one major unit is left to pay: the seller's share is posted
 * with the payment.
 * @throws Rejected `promo_refused` where the price is too low
 */
export const discountOn = (terms: PromoTerms, totalMinor: number): number => {
  const { currency, percentBps, amountMinor, mostMinor, leastTotalMinor } = terms;
  if (totalMinor < leastTotalMinor)
    throw refused('least_total', `This promo code needs a price of ${toMajor(leastTotalMinor, currency)} ${currency}.`);
  const wanted = percentBps === null ? (amountMinor ?? 0) : percentage(totalMinor, percentBps);
  const discount = Math.min(wanted, mostMinor ?? wanted, totalMinor - minorPerMajor(currency));
  if (discount < 1) throw refused('least_total', 'The price is too low for a discount.');
  return discount;
};

/**
 * The discount of a booking whose price before the discount changes: it never rises, and falls with the price.
 * @param formerMinor both before the discount
 * @param leastMinor what is left to pay at least, where the price allows it
 */
export const keptDiscount = (discountMinor: number, formerMinor: number, nowMinor: number, leastMinor = 0): number => {
  if (nowMinor >= formerMinor) return discountMinor;
  const fallen = Number((BigInt(discountMinor) * BigInt(nowMinor)) / BigInt(formerMinor));
  return Math.max(0, Math.min(fallen, nowMinor - leastMinor));
};

/** The terms of a code with a least price, as they were when it was used. `mostMinor`: what it gave then. */
export const Minimum = Type.Object({
  leastTotalMinor: Type.Integer({ minimum: 1 }),
  percentBps: PromoTerms.properties.percentBps,
  amountMinor: PromoTerms.properties.amountMinor,
  mostMinor: Type.Integer({ minimum: 1 }),
});
export type Minimum = Static<typeof Minimum>;

/** What a code with a least price gives on another price: nothing on a lower one, and never more than it gave. */
export const givenAgain = (
  { leastTotalMinor, percentBps, amountMinor, mostMinor }: Minimum,
  nowMinor: number,
): number =>
  nowMinor < leastTotalMinor
    ? 0
    : Math.min(mostMinor, percentBps === null ? (amountMinor ?? 0) : percentage(nowMinor, percentBps));

/** The line of a discount; none for a discount of 0. */
export const discountLines = (name: string, discountMinor: number): DiscountLine[] =>
  discountMinor === 0 ? [] : [{ kind: 'discount', name, amountMinor: -discountMinor }];
