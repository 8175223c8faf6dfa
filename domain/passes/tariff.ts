/** Ski pass tariffs: what a pass costs, for whom, and on which dates it opens a gate. */
import { type Static, Type } from '@sinclair/typebox';
import { Images, listing, type OpenListing, Text } from '../catalog/listing.ts';
import type { ListingKind } from '../catalog/listings.ts';
import { itemLine } from '../catalog/priceLine.ts';
import { addDays, datesBetween } from '../core/dates.ts';
import { type EventsOf, Rejected } from '../core/decider.ts';
import { DateOnly, Nullable, OneOf } from '../core/schema.ts';
import { Areas, type HolderAge, holderAges, type PassTerms, passUnits } from '../purchases/passTerms.ts';
import {
  Days,
  Description,
  ownedByResort,
  type ProductQuote,
  quoteProduct,
  type Sold,
  UnitPrice,
} from '../purchases/product.ts';

/** Who a pass is for. `family`: one price for several passes. */
export const ageGroups = [...holderAges, 'family'] as const;

const Period = { from: DateOnly, to: DateOnly };
const Age = Type.Integer({ minimum: 0, maximum: 120 });

export const SkiPassTariffDetails = Type.Object({
  name: Text(200),
  description: Description,
  images: Images,
  ageGroup: OneOf(ageGroups),
  /** Ages in whole years on the first valid date, both included; null: not limited. */
  ages: Nullable(Type.Object({ from: Age, to: Age })),
  /** The passes that a family tariff consists of; null for the others. */
  family: Nullable(
    Type.Object({
      adults: Type.Integer({ minimum: 1, maximum: 4 }),
      children: Type.Integer({ minimum: 0, maximum: 6 }),
    }),
  ),
  /** Hours count from the first gate passage; days are those with a gate passage; a season ends with it. */
  duration: Type.Object({ unit: OneOf(passUnits), count: Days }),
  /**
   * The pass must be used within this many dates, the first one included: `3` days within `5`; equal to the days where
   * they are consecutive. Not used for a season.
   */
  withinDays: Days,
  /** First and last date on which it opens a gate. */
  season: Type.Object(Period),
  priceMinor: UnitPrice,
  /** Other prices for passes whose first valid date is in a period. Periods do not overlap. */
  seasonPrices: Type.Array(Type.Object({ ...Period, priceMinor: UnitPrice }), { maxItems: 20 }),
  /** Deposit for the card of one pass; 0: there are no cards. */
  depositMinor: Type.Integer({ minimum: 0, maximum: 1e9 }),
  /** The areas whose gates it opens; none: all. */
  areas: Areas,
  /** Whether guests get money for unused days after the first valid date. Admins can always return them. */
  refundsUnused: Type.Boolean(),
});
export type SkiPassTariffDetails = Static<typeof SkiPassTariffDetails>;
export type OpenTariff = OpenListing<SkiPassTariffDetails>;

/** The details that a tariff has unless it says otherwise: those that 0.1.0 did not know. */
export const tariffDefaults: Pick<
  SkiPassTariffDetails,
  'ages' | 'family' | 'seasonPrices' | 'depositMinor' | 'areas' | 'refundsUnused'
> = { ages: null, family: null, seasonPrices: [], depositMinor: 0, areas: [], refundsUnused: false };

/** @throws Rejected `invalid` */
const checkPrices = ({ seasonPrices }: SkiPassTariffDetails): void => {
  const periods = seasonPrices.toSorted((a, b) => a.from.localeCompare(b.from));
  for (const [index, period] of periods.entries()) {
    const { from, to } = period;
    const next = periods[index + 1];
    const fieldOf = (one: typeof period, name: string) =>
      [`season_prices/${seasonPrices.indexOf(one)}/${name}`] as const;
    if (to < from)
      throw new Rejected('invalid', `A price period ends on ${to}, before it starts on ${from}.`, {
        fields: fieldOf(period, 'to'),
      });
    if (next && next.from <= to)
      throw new Rejected('invalid', `Two prices apply on ${next.from}.`, { fields: fieldOf(next, 'from') });
  }
};

/** @throws Rejected `invalid` */
const checkHolders = ({ ageGroup, family, ages }: SkiPassTariffDetails): void => {
  if ((ageGroup === 'family') !== (family !== null))
    throw new Rejected('invalid', 'A tariff for the age group family, and only such a tariff, has the field family.', {
      fields: ['family'],
    });
  if (ages !== null && ages.to < ages.from)
    throw new Rejected('invalid', 'ages.to must not be less than ages.from.', { fields: ['ages/to'] });
};

const tariff = listing({
  name: 'SkiPassTariff',
  isOfResort: true,
  noun: 'ski pass tariff',
  details: SkiPassTariffDetails,
  defaults: tariffDefaults,
  check: (details: SkiPassTariffDetails) => {
    const { withinDays, season } = details;
    const { unit, count } = details.duration;
    checkPrices(details);
    checkHolders(details);
    if (unit === 'season' && count !== 1)
      throw new Rejected('invalid', 'The count of a season pass must be 1.', { fields: ['duration/count'] });
    if (season.to < season.from)
      throw new Rejected('invalid', `The season ends on ${season.to}, before it starts on ${season.from}.`, {
        fields: ['season/to'],
      });
    if (unit === 'hour' && (count > 24 || withinDays > 1))
      throw new Rejected('invalid', 'A pass for hours has at most 24 hours and must be used within 1 day.', {
        fields: ['duration/count', 'within_days'],
      });
    if (unit === 'day' && withinDays < count)
      throw new Rejected('invalid', `${count} days cannot be used within ${withinDays} days.`, {
        fields: ['within_days'],
      });
  },
});
export const skiPassTariff = tariff.decider;
export type SkiPassTariffEvent = EventsOf<typeof tariff.events>;

export const tariffKind: ListingKind<SkiPassTariffDetails, SkiPassTariffEvent> = {
  decider: skiPassTariff,
  details: SkiPassTariffDetails,
  ...ownedByResort,
};

type Quoted = Pick<
  SkiPassTariffDetails,
  'duration' | 'withinDays' | 'season' | 'priceMinor' | 'seasonPrices' | 'depositMinor' | 'family'
>;

/** The age classes of the passes that are bought at once with this price. */
const groupOf = ({ ageGroup, family }: Pick<SkiPassTariffDetails, 'ageGroup' | 'family'>): HolderAge[] => {
  if (ageGroup !== 'family') return [ageGroup];
  const { adults, children } = family ?? { adults: 1, children: 0 };
  return [...Array<HolderAge>(adults).fill('adult'), ...Array<HolderAge>(children).fill('child')];
};

/** The price of one pass, or of one family, from a date on. */
const priceOn = (of: Pick<Quoted, 'seasonPrices' | 'priceMinor'>, validFrom: string): number =>
  of.seasonPrices.find(({ from, to }) => from <= validFrom && validFrom <= to)?.priceMinor ?? of.priceMinor;

const isSameSet = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((each) => b.includes(each));

/** The last valid date of a pass that begins on a date. */
const lastDate = ({ duration, withinDays, season }: Quoted, validFrom: string): string => {
  const last = addDays(validFrom, withinDays - 1);
  return duration.unit !== 'season' && last < season.to ? last : season.to;
};

/** Whether a pass of a tariff opens the same on a date as one of a family, for one person. */
const opensTheSame = (of: OpenTariff, family: OpenTariff, validFrom: string): boolean =>
  of.status === 'published' &&
  of.currency === family.currency &&
  of.duration.unit === family.duration.unit &&
  of.duration.count === family.duration.count &&
  of.withinDays === family.withinDays &&
  isSameSet(of.areas, family.areas) &&
  of.season.from <= validFrom &&
  lastDate(of, validFrom) === lastDate(family, validFrom);

/**
 * What the passes of one price cost together, and each alone: the cheapest tariff that opens the same for one person of its
 * age class, or of an adult where there is none for it. Where there is no such tariff, or a family is dearer than its
 * passes, all are worth the same.
 */
export const pricesTogether = (
  of: OpenTariff,
  others: readonly OpenTariff[],
  validFrom: string,
): NonNullable<PassTerms['together']> => {
  const [holders, priceMinor] = [groupOf(of), priceOn(of, validFrom)];
  const same = others.filter((other) => opensTheSame(other, of, validFrom));
  const cheapestFor = (age: HolderAge): number =>
    Math.min(...same.filter(({ ageGroup }) => ageGroup === age).map((other) => priceOn(other, validFrom)));
  const equalMinor = Math.ceil(priceMinor / holders.length);
  const singly = holders.map((age) => {
    const minor = [cheapestFor(age), cheapestFor('adult')].find(Number.isFinite) ?? equalMinor;
    return { age, priceMinor: minor };
  });
  const worth =
    singly.reduce((sum, each) => sum + each.priceMinor, 0) >= priceMinor
      ? singly
      : holders.map((age) => ({ age, priceMinor: equalMinor }));
  return { holders, priceMinor, alone: [...new Map(worth.map((each) => [each.age, each])).values()] };
};

/** What the passes of this many purchased prices open. */
export const passTerms = (
  of: Pick<OpenTariff, 'ageGroup' | 'family' | 'duration' | 'timezone' | 'areas' | 'refundsUnused' | 'depositMinor'>,
  { quantity, withCards }: { quantity: number; withCards: boolean },
): PassTerms => ({
  ...of.duration,
  timezone: of.timezone,
  holders: Array.from({ length: quantity }, () => groupOf(of)).flat(),
  areas: [...of.areas],
  refundsUnused: of.refundsUnused,
  depositMinor: withCards ? of.depositMinor : 0,
});

/** Whether what is bought, in the season, can be used on the dates on which the mountain is not declared closed. */
const canBeUsed = (of: Quoted, validFrom: string, closed: readonly string[]): boolean => {
  const last = lastDate(of, validFrom);
  const dates = [...datesBetween(validFrom, last), last];
  const { unit, count } = of.duration;
  return dates.filter((date) => !closed.includes(date)).length >= (unit === 'day' ? count : 1);
};

/**
 * Quotes a number of passes (or families) from a date on. The season may end the validity early, but never before the
 * days that were bought. The price is that of the first valid date.
 */
export const quotePasses = (
  of: Sold & Quoted,
  request: {
    validFrom: string;
    quantity: number;
    withCards: boolean;
    at: string;
    /** The dates on which the mountain is declared closed by now: nothing is given back for them. */
    closed: readonly string[];
  },
): ProductQuote => {
  const { validFrom, quantity, withCards, at, closed } = request;
  const { duration, season, depositMinor, family } = of;
  const lastNeeded = addDays(validFrom, duration.unit === 'day' ? duration.count - 1 : 0);
  const isInSeason = season.from <= validFrom && lastNeeded <= season.to;
  const cards = withCards && depositMinor > 0 ? quantity * (family === null ? 1 : family.adults + family.children) : 0;
  return quoteProduct(
    of,
    { validFrom, validTo: lastDate(of, validFrom), at },
    [!isInSeason && 'out_of_season', isInSeason && !canBeUsed(of, validFrom, closed) && 'mountain_closed'],
    [
      itemLine('pass', quantity, priceOn(of, validFrom)),
      ...(cards > 0 ? [itemLine('card_deposit', cards, depositMinor)] : []),
    ],
    cards * depositMinor,
  );
};
