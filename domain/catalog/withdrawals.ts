/** What a change of a listing would no longer offer: parts that are missing afterwards, times, and a route that moves. */
import { isDeepStrictEqual } from 'node:util';
import { type AnyEvent, Rejected } from '../core/decider.ts';
import type { BookingsAhead } from './inventoryPlaces.ts';
import type { OpenListing } from './listing.ts';
import type { ListingKind } from './listings.ts';

/** All of a unit, or some of its times. */
export interface Withdrawal {
  readonly unitId: string;
  /** Of the table or vehicle. */
  readonly name?: string;
  /** The details field from which it is missing afterwards: `tables`, `workingHours`. */
  readonly field: string;
  /** What the editor can do instead. */
  readonly advice: string;
  /** What is left of the unit: 0 where all of it goes. */
  readonly capacity: number;
  /** Whether a hold with these keys would no longer be offered. */
  readonly goes: (keys: readonly string[]) => boolean;
}

/** What says what a listing offers. */
export type OffersOf<Details extends object, Event extends AnyEvent> = Pick<
  ListingKind<Details, Event>,
  'stockOf' | 'parts' | 'times' | 'becomesAnother'
>;

const KEEP_PART = 'Send it with its id (with `units: 0` it takes no new bookings), or end its bookings first.';
const KEEP_TIMES =
  'Keep these times until then (`closed_dates` takes single dates out of sale), or end the bookings first.';
const KEEP_ROUTE = 'Keep the route until then, and add another transfer for the new one.';

/** Closing dates and lowering units withdraw nothing: what is sold stays. */
export const withdrawals = <Details extends object, Event extends AnyEvent>(
  { stockOf, parts, times, becomesAnother }: OffersOf<Details, Event>,
  id: string,
  before: OpenListing<Details>,
  after: OpenListing<Details>,
): Withdrawal[] => {
  const named = (parts ? before[parts] : []) as readonly { readonly id: string; readonly name: string }[];
  const names = new Map(named.map((part) => [part.id, { name: part.name }]));
  const kept = new Set(stockOf(id, after).map(({ unitId }) => unitId));
  const isChanged = times !== undefined && !isDeepStrictEqual(before[times.field], after[times.field]);
  const other = becomesAnother?.(before, after);
  return stockOf(id, before).flatMap(({ unitId, capacity }): Withdrawal[] => {
    const unit = { unitId, ...names.get(unitId) };
    if (!kept.has(unitId)) return [{ ...unit, field: parts ?? '', advice: KEEP_PART, capacity: 0, goes: () => true }];
    if (other !== undefined) return [{ ...unit, field: other, advice: KEEP_ROUTE, capacity, goes: () => true }];
    if (!isChanged) return [];
    const goes = (keys: readonly string[]) => times.include(before, keys) && !times.include(after, keys);
    return [{ ...unit, field: times.field, advice: KEEP_TIMES, capacity, goes }];
  });
};

/** What a listing lacks of what is booked: its table or vehicle, or its time; undefined: it offers both. */
export const missingOf = <Details extends object, Event extends AnyEvent>(
  { stockOf, times }: Pick<ListingKind<Details, Event>, 'stockOf' | 'times'>,
  id: string,
  listing: OpenListing<Details>,
  { unitId, keys }: { readonly unitId: string; readonly keys: readonly string[] },
): 'unit' | 'time' | undefined => {
  if (!stockOf(id, listing).some((stock) => stock.unitId === unitId)) return 'unit';
  return times && !times.include(listing, keys) ? 'time' : undefined;
};

/** Bookings that are named in a refusal. */
const MOST_NAMED = 20;

const counted = (bookings: number): string => (bookings === 1 ? '1 booking' : `${bookings} bookings`);

/** The refusal of withdrawals that have bookings ahead. */
export const refusedFor = (
  found: readonly { readonly withdrawal: Withdrawal; readonly ahead: BookingsAhead }[],
): Rejected => {
  const ahead = found.map(({ withdrawal: { unitId, name }, ahead: { bookingIds, starts, until } }) => ({
    id: unitId,
    ...(name !== undefined && { name }),
    bookings: bookingIds.length,
    until,
    starts: starts.slice(0, MOST_NAMED),
    booking_ids: bookingIds.slice(0, MOST_NAMED),
  }));
  const all = ahead
    .map(({ id, name = id, bookings, until }) => `${name} has ${counted(bookings)} until ${until}`)
    .join('; ');
  const advice = [...new Set(found.map(({ withdrawal }) => withdrawal.advice))].join(' ');
  return new Rejected('bookings_ahead', `${all}. ${advice}`, { ids: ahead.map(({ id }) => id), ahead });
};
