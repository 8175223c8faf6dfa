/** Slots that can be booked: tour departures, tables, transfers and lessons, with free capacity and price. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Table } from '../../domain/catalog/restaurant.ts';
import { lastsAt, MAX_SLOT_DAYS_AHEAD, Minutes, timeAgainst } from '../../domain/catalog/slots.ts';
import { Vehicle } from '../../domain/catalog/transfer.ts';
import { addDays, daysBetween, todayIn } from '../../domain/core/dates.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, DateOnly, Instant, Minor } from '../../domain/core/schema.ts';
import { snakeSchema } from '../../infra/naming.ts';
import { searchedKinds } from '../../projections/catalog/listingFilters.ts';
import {
  type OfferedSlot,
  offeredDepartures,
  offeredLessons,
  offeredRides,
  offeredTables,
} from '../../projections/catalog/slotOffers.ts';
import { refuseQuery } from '../http/errors.ts';
import { ById, route } from '../http/route.ts';
import { findWholeListing } from './listingQueries.ts';
import { sellsIt, shownLeft } from './ownStock.ts';
import { Guests } from './stays.ts';

const MAX_DAYS = 31;
const LESSON_MINUTES = 60;

const guestsQuery = { guests: Type.Optional({ ...Guests, default: 1 }) };
const cache = { maxAge: 15 };

const Slot = Type.Object(
  {
    slot_start: Instant,
    slot_end: Instant,
    available: Type.Boolean(),
    left: Type.Integer({
      description:
        'Free seats of the departure; free tables or vehicles of this kind. Its seller sees a negative number where more is sold than there is.',
    }),
    total: Type.Number({ description: 'Price for the party; for a table, the deposit.' }),
    total_minor: Minor,
  },
  { $id: 'Slot' },
);
type Slot = Static<typeof Slot>;

const Slots = <T extends TSchema>(slot: T) =>
  Type.Object({ timezone: Type.String(), currency: Currency, guests: Type.Integer(), slots: Type.Array(slot) });

const slotOf = (
  { slotStart, slotEnd, available, left, totalMinor }: OfferedSlot<unknown>,
  { currency }: { readonly currency: string },
  all: boolean,
): Slot => ({
  slot_start: slotStart,
  slot_end: slotEnd,
  available,
  left: shownLeft(left, all),
  total: toMajor(totalMinor, currency),
  total_minor: totalMinor,
});

/** Refuses dates in the past or too far ahead, in the time zone of the place. @throws HttpError 422 */
const refuseDistant = (field: string, date: string, { timezone }: { readonly timezone: string }, at: string): void => {
  const today = todayIn(timezone, at);
  if (date < today) refuseQuery(field, 'past', 'is in the past');
  if (date > addDays(today, MAX_SLOT_DAYS_AHEAD))
    refuseQuery(field, 'too_far', `is more than ${MAX_SLOT_DAYS_AHEAD} days ahead`);
};

const departures = route('GET /api/v1/tours/:id/departures', {
  id: 'listTourDepartures',
  access: 'public',
  summary: 'List the departures of a tour',
  description: `By default the week from today, at most ${MAX_DAYS} days. Sold-out departures are included with \`available: false\`.`,
  params: ById,
  query: Type.Object({
    from: Type.Optional({ ...DateOnly, description: 'In the local time of the place.' }),
    to: Type.Optional({ ...DateOnly, description: 'The last date, included.' }),
    ...guestsQuery,
  }),
  reply: Slots(Slot),
  errors: ['not_found'],
  cache,
  handle: async ({ params: { id }, query, caller, context: { at } }, app) => {
    const tour = await findWholeListing(app, searchedKinds.tour, id);
    const all = sellsIt(caller, tour);
    const { timezone, currency } = tour;
    const { guests = 1, from: first = todayIn(timezone, at) } = query;
    refuseDistant('from', first, tour, at);
    const last = query.to ?? addDays(first, 6);
    if (last < first) refuseQuery('to', 'order', 'must not be before from');
    if (daysBetween(first, last) >= MAX_DAYS) refuseQuery('to', 'too_long', `is more than ${MAX_DAYS} days after from`);
    const slots = await offeredDepartures(app.db, tour, { first, last, guests, at, all });
    return { timezone, currency, guests, slots: slots.map((slot) => slotOf(slot, tour, all)) };
  },
});

const TableSlot = Type.Object({ ...Slot.properties, table: Type.Omit(Table, ['units']) }, { $id: 'TableSlot' });

const tables = route('GET /api/v1/restaurants/:id/availability', {
  id: 'getRestaurantAvailability',
  access: 'public',
  summary: 'Get the availability of a restaurant',
  description: 'Sittings after midnight belong to the date on which the opening hours begin.',
  params: ById,
  query: Type.Object({ date: DateOnly, ...guestsQuery }),
  reply: Slots(TableSlot),
  errors: ['not_found'],
  cache,
  handle: async ({ params: { id }, query: { date, guests = 1 }, caller, context: { at } }, app) => {
    const restaurant = await findWholeListing(app, searchedKinds.restaurant, id);
    const all = sellsIt(caller, restaurant);
    const { timezone, currency, opening_hours: hours } = restaurant;
    if (!lastsAt({ hours, timezone }, date, at)) refuseDistant('date', date, restaurant, at);
    const slots = await offeredTables(app.db, restaurant, { date, guests, at, all });
    const shown = slots.map((slot) => {
      const { units: _, ...table } = slot.part;
      return { ...slotOf(slot, restaurant, all), table };
    });
    return { timezone, currency, guests, slots: shown };
  },
});

const { units: _units, price_minor: _price, ...vehicleFields } = snakeSchema(Vehicle).properties;
const RideSlot = Type.Object({ ...Slot.properties, vehicle: Type.Object(vehicleFields) }, { $id: 'RideSlot' });

const rides = route('GET /api/v1/transfers/:id/availability', {
  id: 'getTransferAvailability',
  access: 'public',
  summary: 'Get the availability of a transfer',
  params: ById,
  query: Type.Object({ slot_start: Instant, ...guestsQuery }),
  reply: Slots(RideSlot),
  errors: ['not_found'],
  cache,
  handle: async ({ params: { id }, query: { slot_start: slotStart, guests = 1 }, caller, context: { at } }, app) => {
    // RFC 3339 allows leap seconds; Date does not.
    if (Number.isNaN(Date.parse(slotStart))) refuseQuery('slot_start', 'invalid', 'is not a valid time');
    const anyListing = { status: 'published', confirmation: 'instant' } as const;
    const [against] = timeAgainst(anyListing, slotStart, at).filter((reason) => reason !== false);
    if (against) refuseQuery('slot_start', against, `cannot be booked: ${against}`);
    const transfer = await findWholeListing(app, searchedKinds.transfer, id);
    const all = sellsIt(caller, transfer);
    const { timezone, currency } = transfer;
    const slots = await offeredRides(app.db, transfer, { slotStart, guests, at, all });
    const shown = slots.map((slot) => {
      const { units: _, priceMinor: __, ...vehicle } = slot.part;
      return { ...slotOf(slot, transfer, all), vehicle };
    });
    return { timezone, currency, guests, slots: shown };
  },
});

const lessons = route('GET /api/v1/instructors/:id/availability', {
  id: 'getInstructorAvailability',
  access: 'public',
  summary: 'Get the availability of an instructor',
  params: ById,
  query: Type.Object({
    date: DateOnly,
    minutes: Type.Optional({ ...Minutes(8 * 60), default: LESSON_MINUTES, description: 'Length of the lesson.' }),
    ...guestsQuery,
  }),
  reply: Slots(Slot),
  errors: ['not_found'],
  cache,
  handle: async ({ params: { id }, query, caller, context: { at } }, app) => {
    const { date, minutes = LESSON_MINUTES, guests = 1 } = query;
    const instructor = await findWholeListing(app, searchedKinds.instructor, id);
    const all = sellsIt(caller, instructor);
    refuseDistant('date', date, instructor, at);
    const { timezone, currency } = instructor;
    const slots = await offeredLessons(app.db, instructor, { date, minutes, guests, at, all });
    return { timezone, currency, guests, slots: slots.map((slot) => slotOf(slot, instructor, all)) };
  },
});

export const slotRoutes = [departures, tables, rides, lessons];
