/**
 * The slots that can be booked, their prices and how many places are left. The rules are those of the domain. Only the
 * inventory decides, at the booking, whether a slot is still free.
 */
import { type BookableItem, inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { quoteLesson } from '../../domain/catalog/instructor.ts';
import { quoteTable, type Table, tablesFor } from '../../domain/catalog/restaurant.ts';
import { type SlotOffer, type SlotQuote, startsOn } from '../../domain/catalog/slots.ts';
import { departuresOf, quoteTour } from '../../domain/catalog/tour.ts';
import { quoteRide, type Vehicle } from '../../domain/catalog/transfer.ts';
import { addDays } from '../../domain/core/dates.ts';
import { addMinutes } from '../../domain/core/instants.ts';
import { toCamel } from '../../infra/naming.ts';
import type { ReadDb } from '../engine/readDb.ts';
import type { InstructorRow, RestaurantRow, TourRow, TransferRow } from './listings.ts';
import { takenSlots } from './slotHolds.ts';

interface Party {
  readonly guests: number;
  /** Now. */
  readonly at: string;
  /** With what is out of sale: tables and vehicles of which there are none. */
  readonly all?: boolean;
}
/** A slot that may be offered. */
interface Candidate<Part> {
  /** The table or vehicle; null where the listing itself is booked. */
  readonly part: Part;
  readonly capacity: number;
  readonly quote: SlotQuote;
  readonly item: (slot: Pick<SlotOffer, 'slotStart' | 'slotEnd'>) => BookableItem;
}
export interface OfferedSlot<Part = null> extends SlotOffer {
  readonly part: Part;
  /** Seats of a departure; tables or vehicles of the kind. Negative where more is sold than there is. */
  readonly left: number;
  /** Whether that is enough for the party. */
  readonly available: boolean;
}

const offered = async <Part>(db: ReadDb, candidates: readonly Candidate<Part>[]): Promise<OfferedSlot<Part>[]> => {
  const offers = candidates.flatMap(({ part, capacity, quote: { offer }, item }) => {
    if (!offer) return [];
    const { slotStart, slotEnd } = offer;
    return [{ offer, part, capacity, ...inventoryDemand(item({ slotStart, slotEnd })) }];
  });
  const keys = offers.flatMap((one) => one.keys).sort();
  const taken = await takenSlots(db, [...new Set(offers.map(({ unitId }) => unitId))], {
    from: keys[0] ?? '',
    to: keys.at(-1) ?? '',
  });
  return offers.map(({ offer, part, capacity, unitId, keys: own, quantity }) => {
    const left = capacity - Math.max(...own.map((key) => taken(unitId).get(key) ?? 0));
    return { ...offer, part, left, available: left >= quantity };
  });
};

/** The departures of a tour from the first date to the last. */
export const offeredDepartures = (
  db: ReadDb,
  row: TourRow,
  { first, last, ...party }: { readonly first: string; readonly last: string } & Party,
): Promise<OfferedSlot[]> => {
  const of = toCamel(row);
  const item = { type: 'tour', listingId: of.id, unitId: of.id, seats: party.guests } as const;
  const candidates = departuresOf(of, first, addDays(last, 1)).map(
    ({ slotStart }): Candidate<null> => ({
      part: null,
      capacity: of.seats,
      quote: quoteTour(of, { slotStart, ...party }),
      item: (slot) => ({ ...item, ...slot }),
    }),
  );
  return offered(db, candidates);
};

/** The sittings of a restaurant in the opening hours of a date, for each table type that seats the party. */
export const offeredTables = (
  db: ReadDb,
  row: RestaurantRow,
  { date, ...party }: { readonly date: string } & Party,
): Promise<OfferedSlot<Table>[]> => {
  const of = toCamel(row);
  const seating = of.tables.filter(({ seats }) => seats >= party.guests);
  const tables = party.all ? seating : tablesFor(of.tables, party.guests);
  const starts = startsOn({ ...of, hours: of.openingHours }, date, of.sittingMinutes);
  const candidates = starts.flatMap((slotStart) => {
    const quote = quoteTable(of, { seats: party.guests }, { slotStart, ...party }); // all of these seat the party
    return tables.map(
      (part): Candidate<Table> => ({
        part,
        capacity: part.units,
        quote,
        item: (slot) => ({ type: 'restaurant', listingId: of.id, unitId: part.id, ...slot }),
      }),
    );
  });
  return offered(db, candidates);
};

/** Each vehicle type that can take the party at an instant, the cheapest first. */
export const offeredRides = (
  db: ReadDb,
  row: TransferRow,
  { slotStart, ...party }: { readonly slotStart: string } & Party,
): Promise<OfferedSlot<Vehicle>[]> => {
  const of = toCamel(row);
  const candidates = of.vehicles
    .filter(({ units }) => party.all || units > 0)
    .sort((a, b) => a.priceMinor - b.priceMinor)
    .map(
      (part): Candidate<Vehicle> => ({
        part,
        capacity: part.units,
        quote: quoteRide(of, part, { slotStart, ...party }),
        item: (slot) => {
          const busyUntil = addMinutes(slot.slotEnd, of.turnaroundMinutes);
          return { type: 'transfer', listingId: of.id, unitId: part.id, ...slot, busyUntil };
        },
      }),
    );
  return offered(db, candidates);
};

/** The lessons of this length that an instructor can give in the working hours of a date. */
export const offeredLessons = (
  db: ReadDb,
  row: InstructorRow,
  { date, minutes, ...party }: { readonly date: string; readonly minutes: number } & Party,
): Promise<OfferedSlot[]> => {
  const of = toCamel(row);
  const starts = startsOn({ ...of, hours: of.workingHours }, date, minutes);
  const candidates = starts.map(
    (slotStart): Candidate<null> => ({
      part: null,
      capacity: 1,
      quote: quoteLesson(of, { slotStart, slotEnd: addMinutes(slotStart, minutes), ...party }),
      item: (slot) => ({ type: 'instructor', listingId: of.id, unitId: of.id, ...slot }),
    }),
  );
  return offered(db, candidates);
};
