/** Quotes slots at current prices: seats on a tour, a table, a ride, a lesson. */
import type { BookableItem } from '../../domain/catalog/bookableItem.ts';
import type { CancellationPolicyName } from '../../domain/catalog/cancellation.ts';
import type { Confirmation } from '../../domain/catalog/confirmation.ts';
import { instructor, quoteLesson } from '../../domain/catalog/instructor.ts';
import type { OpenListing } from '../../domain/catalog/listing.ts';
import { quoteTable, restaurant, tablesFor } from '../../domain/catalog/restaurant.ts';
import {
  type SlotOffer,
  type SlotQuote,
  type SlotReason,
  slotReasons,
  timeAgainst,
} from '../../domain/catalog/slots.ts';
import { quoteTour, tour } from '../../domain/catalog/tour.ts';
import { quoteRide, transfer, type Vehicle } from '../../domain/catalog/transfer.ts';
import { todayIn } from '../../domain/core/dates.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { addMinutes, instantOf } from '../../domain/core/instants.ts';
import { loadQuoted } from '../catalog/listings.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { Faults } from '../core/notSold.ts';
import { type Found, notBookable, type Offer } from './offer.ts';

interface Slotted {
  /** The listing. */
  readonly itemId: string;
  /** RFC 3339, with any offset. */
  readonly slotStart: string;
  readonly guests: number;
}
export type TourRequest = { readonly type: 'tour' } & Slotted;
export type TableRequest = { readonly type: 'restaurant' } & Slotted;
/** The cheapest vehicle that seats the party, unless one or a class of them is named. */
export type TransferRequest = {
  readonly type: 'transfer';
  readonly vehicleId?: string;
  readonly vehicleClass?: Vehicle['class'];
} & Slotted;
export type LessonRequest = { readonly type: 'instructor'; readonly slotEnd: string } & Slotted;
export type SlotRequest = TourRequest | TableRequest | TransferRequest | LessonRequest;

type Deps = Pick<CoreDeps, 'aggregates'>;
type Sold = OpenListing<{
  cancellationPolicy: CancellationPolicyName;
  confirmation: Confirmation;
  allowOverlapping?: boolean;
}>;

/** An instant in UTC. @throws Rejected `invalid` for one that no clock of ours shows: a leap second */
export const instant = (text: string, field: 'slot_start' | 'slot_end' = 'slot_start'): string => {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new Rejected('invalid', `${text} is not a valid time.`, { fields: [field] });
  return instantOf(time);
};

/** Reasons that are the request's fault, with the wrong field. The others are the seller's and may pass. */
const faults: Faults<SlotReason> = {
  past: 'slot_start',
  too_far: 'slot_start',
  off_grid: 'slot_start',
  capacity: 'guests',
  too_short: 'slot_end',
  too_long: 'slot_end',
};

const refuse = (reasons: readonly SlotReason[]): never => {
  throw notBookable('slot', reasons, { words: slotReasons, faults });
};

/** The requested slot. A time that does not exist in any calendar is refused before it is looked up in one. */
const asked = (at: string, { slotStart: sent, guests }: Slotted) => {
  const slotStart = instant(sent);
  const against = timeAgainst({ status: 'published', confirmation: 'instant' }, slotStart, at).filter(
    (reason) => reason !== false,
  );
  if (against.length > 0) refuse(against);
  return { slotStart, guests, at };
};

/** One possible unit, and the item that would be booked. */
interface Candidate {
  readonly quote: SlotQuote;
  readonly item: (slot: Pick<SlotOffer, 'slotStart' | 'slotEnd'>) => BookableItem;
}

const found = (of: Sold, guests: number, candidates: readonly Candidate[]): Found => {
  const offers = candidates.flatMap(({ quote, item }): Offer[] => {
    if (!quote.offer) return [];
    const { slotStart, slotEnd, lines, totalMinor, startsOn = todayIn(of.timezone, slotStart) } = quote.offer;
    return [
      {
        item: item({ slotStart, slotEnd }),
        guests,
        startsOn,
        startsAt: slotStart,
        endsAt: slotEnd,
        timezone: of.timezone,
        currency: of.currency,
        lines: [...lines],
        totalMinor,
      },
    ];
  });
  if (offers.length === 0) refuse(candidates[0]?.quote.reasons ?? ['capacity']);
  const { ownerId, cancellationPolicy, confirmation, allowOverlapping } = of;
  return {
    ownerId,
    cancellationPolicy,
    confirmation,
    ...(allowOverlapping !== undefined && { allowOverlapping }),
    offers,
  };
};

export const findSeats = async (deps: Deps, at: string, request: TourRequest): Promise<Found> => {
  const { type, itemId, guests } = request;
  const { of, listingRevision } = await loadQuoted(deps, tour, itemId);
  const quote = quoteTour(of, asked(at, request));
  return found(of, guests, [
    { quote, item: (slot) => ({ type, listingId: itemId, unitId: itemId, listingRevision, ...slot, seats: guests }) },
  ]);
};

export const findLesson = async (deps: Deps, at: string, request: LessonRequest): Promise<Found> => {
  const { type, itemId, guests } = request;
  const { of, listingRevision } = await loadQuoted(deps, instructor, itemId);
  const quote = quoteLesson(of, { ...asked(at, request), slotEnd: instant(request.slotEnd, 'slot_end') });
  return found(of, guests, [
    { quote, item: (slot) => ({ type, listingId: itemId, unitId: itemId, listingRevision, ...slot }) },
  ]);
};

/** Every kind of table that seats the party, the smallest first. */
export const findTables = async (deps: Deps, at: string, request: TableRequest): Promise<Found> => {
  const { type, itemId: listingId, guests } = request;
  const { of, listingRevision } = await loadQuoted(deps, restaurant, listingId);
  const slot = asked(at, request);
  const candidates = tablesFor(of.tables, guests).map(
    (table): Candidate => ({
      quote: quoteTable(of, table, slot),
      item: (sitting) => ({ type, listingId, unitId: table.id, listingRevision, ...sitting }),
    }),
  );
  return found(of, guests, candidates);
};

/** Every kind of vehicle that seats the party, the cheapest first. */
export const findRides = async (deps: Deps, at: string, request: TransferRequest): Promise<Found> => {
  const { type, itemId: listingId, guests, vehicleId, vehicleClass } = request;
  const { of, listingRevision } = await loadQuoted(deps, transfer, listingId);
  if (vehicleId !== undefined && !of.vehicles.some(({ id }) => id === vehicleId)) throw notFound('vehicle');
  const slot = asked(at, request);
  const candidates = of.vehicles
    .filter(({ id }) => vehicleId === undefined || id === vehicleId)
    .filter((vehicle) => vehicleClass === undefined || vehicle.class === vehicleClass)
    .filter(({ seats, units }) => seats >= guests && units > 0)
    .sort((a, b) => a.priceMinor - b.priceMinor || a.seats - b.seats)
    .map(
      (vehicle): Candidate => ({
        quote: quoteRide(of, vehicle, slot),
        item: (ride) => {
          const busyUntil = addMinutes(ride.slotEnd, of.turnaroundMinutes);
          return { type, listingId, unitId: vehicle.id, listingRevision, ...ride, busyUntil };
        },
      }),
    );
  return found(of, guests, candidates);
};
