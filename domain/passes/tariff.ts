/** Ski pass tariffs: what a pass costs, for whom, and on which dates it opens a gate. */
import { type Static, Type } from '@sinclair/typebox';
import { Images, listing, type OpenListing, Text } from '../catalog/listing.ts';
import type { ListingKind } from '../catalog/listings.ts';
import { itemLine } from '../catalog/priceLine.ts';
import { addDays } from '../core/dates.ts';
import { type EventsOf, Rejected } from '../core/decider.ts';
import { DateOnly, OneOf } from '../core/schema.ts';
import {
  Days,
  Description,
  ownedByResort,
  type ProductQuote,
  quoteProduct,
  type Sold,
  UnitPrice,
} from '../purchases/product.ts';

export const ageGroups = ['adult', 'child', 'senior'] as const;

export const SkiPassTariffDetails = Type.Object({
  name: Text(200),
  description: Description,
  images: Images,
  ageGroup: OneOf(ageGroups),
  /** Hours count from the first gate passage; days are those with a gate passage. */
  duration: Type.Object({ unit: OneOf(['hour', 'day'] as const), count: Days }),
  /** The pass must be used within so many dates, the first one included: `3` days within `5`. */
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
      throw new Rejected('invalid', `The season ends on ${season.to}, before it starts on ${season.from}.`);
    if (unit === 'hour' && (count > 24 || withinDays > 1))
      throw new Rejected('invalid', 'A pass for hours has at most 24 hours and must be used within 1 day.');
    if (unit === 'day' && withinDays < count)
      throw new Rejected('invalid', `${count} days cannot be used within ${withinDays} days.`);
  },
});
export type SkiPassTariffEvent = EventsOf<typeof skiPassTariffEvents>;

export const tariffKind: ListingKind<SkiPassTariffDetails, SkiPassTariffEvent> = {
  decider: skiPassTariff,
  details: SkiPassTariffDetails,
  ...ownedByResort,
};

/**
 * Quotes a number of passes from a date on. The season may end the validity early, but never before the days that were
 * bought.
 */
export const quotePasses = (
  of: Sold & Pick<SkiPassTariffDetails, 'duration' | 'withinDays' | 'season' | 'priceMinor'>,
  { validFrom, quantity, at }: { validFrom: string; quantity: number; at: string },
): ProductQuote => {
  const { duration, season, priceMinor } = of;
  const lastNeeded = addDays(validFrom, duration.unit === 'day' ? duration.count - 1 : 0);
  const last = addDays(validFrom, of.withinDays - 1);
  return quoteProduct(
    of,
    { validFrom, validTo: last < season.to ? last : season.to, at },
    [(validFrom < season.from || lastNeeded > season.to) && 'out_of_season'],
    itemLine('pass', quantity, priceMinor),
  );
};
