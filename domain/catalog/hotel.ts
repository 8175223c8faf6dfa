/** A hotel: its description, location, charges and cancellation rules. */
import { type Static, Type } from '@sinclair/typebox';
import type { EventsOf } from '../core/decider.ts';
import { BPS } from '../core/money.ts';
import { OneOf } from '../core/schema.ts';
import { Confirmation, defaultConfirmation } from './confirmation.ts';
import { CancellationTerms, Images, Location, listing, type OpenListing, Price, Text } from './listing.ts';

export const Amenities = Type.Array(Text(60), { maxItems: 100, uniqueItems: true });
const charge = { kind: OneOf(['tax', 'fee'] as const), name: Text(100) };
/** A tax or fee beside the nights: a percentage of their price, or a fixed amount for each of them. */
export const Charge = Type.Union([
  Type.Object({ ...charge, bps: Type.Integer({ minimum: 0, maximum: BPS }) }, { additionalProperties: false }),
  Type.Object({ ...charge, perNightMinor: Price }, { additionalProperties: false }),
]);
export type Charge = Static<typeof Charge>;

/** Details that the owner may change at any time; existing bookings keep the details they were made with. */
export const HotelDetails = Type.Object({
  name: Text(200),
  city: Text(100),
  address: Text(300),
  stars: Type.Integer({ minimum: 0, maximum: 5 }),
  description: Type.String({ maxLength: 10_000 }),
  amenities: Amenities,
  images: Images,
  location: Location,
  cancellationPolicy: CancellationTerms,
  confirmation: Confirmation,
  charges: Type.Array(Charge, { maxItems: 20 }),
});
export type HotelDetails = Static<typeof HotelDetails>;

export type Hotel = OpenListing<HotelDetails>;

export const { events: hotelEvents, decider: hotel } = listing({
  name: 'Hotel',
  noun: 'hotel',
  details: HotelDetails,
  defaults: { confirmation: defaultConfirmation.hotel },
});
export type HotelEvent = EventsOf<typeof hotelEvents>;
