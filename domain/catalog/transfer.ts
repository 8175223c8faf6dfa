/** A transfer route: rides from one place to another in vehicles of several kinds, each ridden by one party at a time. */
import { type Static, Type } from '@sinclair/typebox';
import { addMinutes } from '../core/instants.ts';
import { OneOf, Uuid } from '../core/schema.ts';
import { Confirmation, defaultConfirmation } from './confirmation.ts';
import { CancellationTerms, Images, Location, listing, type OpenListing, Price, Text } from './listing.ts';
import { itemLine } from './priceLine.ts';
import { refuseTwins } from './restaurant.ts';
import { ClosedDates, Hours, isOpen, Minutes, quoted, type SlotQuote, timeAgainst } from './slots.ts';

export const vehicleClasses = ['economy', 'comfort', 'business', 'minivan', 'minibus', 'bus', 'offroad'] as const;

/** Vehicles of one type. The id is the inventory's. */
export const Vehicle = Type.Object({
  id: Uuid,
  name: Text(100),
  class: OneOf(vehicleClasses),
  /** Passengers. */
  seats: Type.Integer({ minimum: 1, maximum: 100 }),
  luggage: Type.Integer({ minimum: 0, maximum: 200 }),
  units: Type.Integer({ minimum: 0, maximum: 1_000 }),
  /** Of one ride. */
  priceMinor: Price,
});
export type Vehicle = Static<typeof Vehicle>;

const Place = Type.Object({ name: Text(200), location: Location });

export const TransferDetails = Type.Object({
  name: Text(200),
  city: Text(100),
  description: Type.String({ maxLength: 10_000 }),
  origin: Place,
  destination: Place,
  images: Images,
  lengthKm: Type.Number({ minimum: 0, maximum: 5_000 }),
  durationMinutes: Minutes(48 * 60),
  /** Minutes after a ride until the vehicle is available again. */
  turnaroundMinutes: Type.Integer({ minimum: 0, maximum: 48 * 60, multipleOf: 15 }),
  /** When rides may begin. */
  serviceHours: Hours,
  closedDates: ClosedDates,
  vehicles: Type.Array(Vehicle, { maxItems: 50 }),
  cancellationPolicy: CancellationTerms,
  confirmation: Confirmation,
});
export type TransferDetails = Static<typeof TransferDetails>;
export type OpenTransfer = OpenListing<TransferDetails>;

export const { events: transferEvents, decider: transfer } = listing({
  name: 'Transfer',
  noun: 'transfer',
  details: TransferDetails,
  defaults: { confirmation: defaultConfirmation.transfer },
  check: ({ vehicles }: TransferDetails) => refuseTwins(vehicles, 'vehicles'),
});

/** About a kilometre: a pin that is set more exactly is the same place. */
const SAME_PLACE_DEGREES = 0.01;

type Ends = Pick<TransferDetails, 'origin' | 'destination'>;

/** The end of the route that has moved to another place, if one has. A name can be corrected. */
export const otherEnd = (before: Ends, after: Ends): 'origin' | 'destination' | undefined =>
  (['origin', 'destination'] as const).find((end) => {
    const [a, b] = [before[end].location, after[end].location];
    return Math.max(Math.abs(a.latitude - b.latitude), Math.abs(a.longitude - b.longitude)) > SAME_PLACE_DEGREES;
  });

export const quoteRide = (
  of: Pick<OpenTransfer, 'status' | 'confirmation' | 'serviceHours' | 'closedDates' | 'timezone' | 'durationMinutes'>,
  vehicle: Pick<Vehicle, 'name' | 'seats' | 'priceMinor'>,
  { slotStart, guests, at }: { slotStart: string; guests: number; at: string },
): SlotQuote =>
  quoted(
    [
      ...timeAgainst(of, slotStart, at),
      guests > vehicle.seats && 'capacity',
      !isOpen({ ...of, hours: of.serviceHours }, slotStart, slotStart) && 'not_offered',
    ],
    () => ({
      slotStart: addMinutes(slotStart, 0),
      slotEnd: addMinutes(slotStart, of.durationMinutes),
      lines: [itemLine(vehicle.name, 1, vehicle.priceMinor)],
    }),
  );
