/** Insurance for some persons and dates, sold by the resort. */
import { type Static, Type } from '@sinclair/typebox';
import { listing, Text } from '../catalog/listing.ts';
import type { ListingKind } from '../catalog/listings.ts';
import { itemLine } from '../catalog/priceLine.ts';
import { tourActivities } from '../catalog/tour.ts';
import { daysBetween } from '../core/dates.ts';
import type { EventsOf } from '../core/decider.ts';
import { OneOf } from '../core/schema.ts';
import { Days, Description, ownedByResort, type ProductQuote, quoteProduct, type Sold, UnitPrice } from './product.ts';

const insuredRisks = ['medical', 'mountain_rescue', 'accident', 'liability', 'equipment', 'trip_cancellation'] as const;

export const InsuranceProductDetails = Type.Object({
  name: Text(200),
  description: Description,
  /** The insured risks, each with its limit per person. */
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

const product = listing({
  name: 'InsuranceProduct',
  isOfResort: true,
  noun: 'insurance',
  details: InsuranceProductDetails,
});
export const insuranceProduct = product.decider;
export type InsuranceProductEvent = EventsOf<typeof product.events>;

export const insuranceKind: ListingKind<InsuranceProductDetails, InsuranceProductEvent> = {
  decider: insuranceProduct,
  details: InsuranceProductDetails,
  ...ownedByResort,
};

/** Insurance of a number of persons from one date to another, both included. `validTo` is not before `validFrom`. */
export const quoteInsurance = (
  of: Sold & Pick<InsuranceProductDetails, 'maxDays' | 'pricePerPersonDayMinor'>,
  { validFrom, validTo, persons, at }: { validFrom: string; validTo: string; persons: number; at: string },
): ProductQuote => {
  const days = daysBetween(validFrom, validTo) + 1;
  const offered = itemLine('person_day', persons * days, of.pricePerPersonDayMinor);
  return quoteProduct(of, { validFrom, validTo, at }, [days > of.maxDays && 'too_long'], [offered]);
};
