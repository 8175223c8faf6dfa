/** A company that sells at the resort, as guests see it. Its listings are in the catalog under its owner. */
import { type Static, Type } from '@sinclair/typebox';
import { bookingTypes } from '../catalog/bookableItem.ts';
import { Nullable, OneOf, WebUrl } from '../core/schema.ts';
import { Images, Location, listing, Text } from './listing.ts';

export const CompanyDetails = Type.Object({
  name: Text(200),
  city: Text(100),
  address: Text(300),
  description: Type.String({ maxLength: 10_000 }),
  /** What kinds of booking it sells. */
  sells: Type.Array(OneOf(bookingTypes), { uniqueItems: true }),
  website: Nullable(WebUrl),
  images: Images,
  location: Location,
});
export type CompanyDetails = Static<typeof CompanyDetails>;

export const { events: companyEvents, decider: company } = listing({
  name: 'Company',
  noun: 'company',
  details: CompanyDetails,
});
