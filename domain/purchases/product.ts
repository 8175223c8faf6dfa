/**
 * What the resort itself sells and never runs out of: ski passes by their tariffs, and insurance. There are no places
 * to hold, and the whole price is the resort's own.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Images, listing, type OpenListing, Text } from '../catalog/listing.ts';
import type { ListingKind } from '../catalog/listings.ts';
import { line, type SlotLine } from '../catalog/slots.ts';
import { tourActivities } from '../catalog/tour.ts';
import { addDays, daysBetween, instantIn, todayIn } from '../core/dates.ts';
import { type EventsOf, Rejected } from '../core/decider.ts';
import { DateOnly, OneOf } from '../core/schema.ts';

export const serviceTypes = ['ski_pass', 'insurance'] as const;
export const ServiceType = OneOf(serviceTypes);
export type ServiceType = (typeof serviceTypes)[number];

/** Of one pass or one person's day, in minor units: more than nothing, because nothing can't be paid. */
const UnitPrice = Type.Integer({ minimum: 1, maximum: 1e12 });
const MAX_DAYS = 366;
const Days = Type.Integer({ minimum: 1, maximum: MAX_DAYS });
const Description = Type.String({ maxLength: 10_000 });

export const ageGroups = ['adult', 'child', 'senior'] as const;

export const SkiPassTariffDetails = Type.Object({
  name: Text(200),
  description: Description,
  images: Images,
  ageGroup: OneOf(ageGroups),
  /** Hours run from the first gate that is passed; days are those on which one is. */
  duration: Type.Object({ unit: OneOf(['hour', 'day'] as const), count: Days }),
  /** It has to be used up within so many dates, the first one included: `3` days within `5`. */
  withinDays: Days,
  /** First and last date on which it opens a gate. */
  season: Type.Object({ from: DateOnly, to: DateOnly }),
  priceMinor: UnitPrice,
});
export type SkiPassTariffDetails = Static<typeof SkiPassTariffDetails>;
export type OpenTariff = OpenListing<SkiPassTariffDetails>;

export const { events: skiPassTariffEvents, decider: skiPassTariff } = listing({
  name: 'SkiPassTariff',
  noun: 'ski pass tariff',
  details: SkiPassTariffDetails,
  check: ({ duration: { unit, count }, withinDays, season }: SkiPassTariffDetails) => {
    if (season.to < season.from)
      throw new Rejected('invalid', `The season ends on ${season.to}, before it begins on ${season.from}.`);
    if (unit === 'hour' && (count > 24 || withinDays > 1))
      throw new Rejected('invalid', 'Hours are those of one day: at most 24, within 1 day.');
    if (unit === 'day' && withinDays < count)
      throw new Rejected('invalid', `${count} days cannot be used within ${withinDays}.`);
  },
});
export type SkiPassTariffEvent = EventsOf<typeof skiPassTariffEvents>;

export const insuredRisks = [
  'medical',
  'mountain_rescue',
  'accident',
  'liability',
  'equipment',
  'trip_cancellation',
] as const;

export const InsuranceProductDetails = Type.Object({
  name: Text(200),
  description: Description,
  /** What is paid for, and up to how much a person. */
  coverage: Type.Array(Type.Object({ risk: OneOf(insuredRisks), limitMinor: Type.Integer({ minimum: 1 }) }), {
    minItems: 1,
    maxItems: 20,
  }),
  /** At what it covers people. */
  activities: Type.Array(OneOf(tourActivities), { minItems: 1, uniqueItems: true }),
  /** The longest that can be bought at once. */
  maxDays: Days,
  pricePerPersonDayMinor: UnitPrice,
});
export type InsuranceProductDetails = Static<typeof InsuranceProductDetails>;
export type OpenInsurance = OpenListing<InsuranceProductDetails>;

export const { events: insuranceProductEvents, decider: insuranceProduct } = listing({
  name: 'InsuranceProduct',
  noun: 'insurance',
  details: InsuranceProductDetails,
});
export type InsuranceProductEvent = EventsOf<typeof insuranceProductEvents>;

const ofTheResort = { owners: [], parts: null, stockOf: () => [] } as const;
/** For the commands of all listings. No role may have any: only admins do, for the resort. */
export const productKinds: {
  readonly skiPassTariff: ListingKind<SkiPassTariffDetails, SkiPassTariffEvent>;
  readonly insuranceProduct: ListingKind<InsuranceProductDetails, InsuranceProductEvent>;
} = {
  skiPassTariff: { decider: skiPassTariff, details: SkiPassTariffDetails, ...ofTheResort },
  insuranceProduct: { decider: insuranceProduct, details: InsuranceProductDetails, ...ofTheResort },
};

/** How far ahead passes and insurance are sold. */
const MAX_DAYS_AHEAD = 500;

export const productReasons = ['closed', 'past', 'too_far', 'out_of_season', 'too_long'] as const;
export type ProductReason = (typeof productReasons)[number];

/** What can be had: the dates it is good for, both included, by the resort's clocks, and what it costs. */
export interface ProductOffer {
  readonly validFrom: string;
  readonly validTo: string;
  /** The first moment of `validFrom`. */
  readonly startsAt: string;
  readonly lines: readonly SlotLine[];
  readonly totalMinor: number;
}
/** Never both: an offer, or the reasons against it. */
export type ProductQuote =
  | { readonly offer: ProductOffer; readonly reasons: readonly [] }
  | { readonly offer: null; readonly reasons: readonly ProductReason[] };

type Sold = Pick<OpenListing<object>, 'status' | 'timezone'>;

const quoted = (
  { status, timezone }: Sold,
  { validFrom, validTo, at }: { validFrom: string; validTo: string; at: string },
  reasons: readonly (ProductReason | false)[],
  of: SlotLine,
): ProductQuote => {
  const ahead = daysBetween(todayIn(timezone, at), validFrom);
  const against = [
    status !== 'published' && ('closed' as const),
    ahead < 0 && ('past' as const),
    ahead > MAX_DAYS_AHEAD && ('too_far' as const),
    ...reasons,
  ].filter((reason) => reason !== false);
  if (against.length > 0) return { offer: null, reasons: against };
  const startsAt = instantIn(timezone, validFrom, '00:00');
  return { offer: { validFrom, validTo, startsAt, lines: [of], totalMinor: of.amountMinor }, reasons: [] };
};

/** So many passes of a tariff from a date on. The season may cut their last dates off, never a day they are for. */
export const quotePasses = (
  of: Sold & Pick<SkiPassTariffDetails, 'duration' | 'withinDays' | 'season' | 'priceMinor'>,
  { validFrom, quantity, at }: { validFrom: string; quantity: number; at: string },
): ProductQuote => {
  const { duration, season, priceMinor } = of;
  const lastNeeded = addDays(validFrom, duration.unit === 'day' ? duration.count - 1 : 0);
  const last = addDays(validFrom, of.withinDays - 1);
  return quoted(
    of,
    { validFrom, validTo: last < season.to ? last : season.to, at },
    [(validFrom < season.from || lastNeeded > season.to) && 'out_of_season'],
    line('pass', quantity, priceMinor),
  );
};

/** Insurance of so many persons from one date to another, both included. `validTo` is not before `validFrom`. */
export const quoteInsurance = (
  of: Sold & Pick<InsuranceProductDetails, 'maxDays' | 'pricePerPersonDayMinor'>,
  { validFrom, validTo, persons, at }: { validFrom: string; validTo: string; persons: number; at: string },
): ProductQuote => {
  const days = daysBetween(validFrom, validTo) + 1;
  const offered = line('person_day', persons * days, of.pricePerPersonDayMinor);
  return quoted(of, { validFrom, validTo, at }, [days > of.maxDays && 'too_long'], offered);
};
