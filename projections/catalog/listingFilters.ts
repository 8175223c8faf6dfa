/** How each kind of listing is searched: its filters and its lowest price. */
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { bookingTypes } from '../../domain/catalog/bookableItem.ts';
import { disciplines, levels } from '../../domain/catalog/instructor.ts';
import { tourActivities, tourDifficulties } from '../../domain/catalog/tour.ts';
import { vehicleClasses } from '../../domain/catalog/transfer.ts';
import { weekdayOf } from '../../domain/core/dates.ts';
import { listedText } from '../../domain/core/folded.ts';
import { DateOnly, OneOf } from '../../domain/core/schema.ts';
import { computed } from '../engine/statements.ts';
import { searched } from './listingSearch.ts';
import { companies, instructors, restaurants, tours, transfers } from './listings.ts';
import { and, type Condition, hasWords, type Sql } from './sql.ts';

const asked = <T extends TSchema>(schema: T, description: string) => Type.Optional({ ...schema, description });

const Words = Type.String({ minLength: 1, maxLength: 100 });
const Guests = Type.Integer({ minimum: 1, maximum: 100 });
const Language = Type.String({ pattern: '^[a-z]{2}$' });

const is = (column: string, value: string | undefined): Condition =>
  value !== undefined && sql`${sql.raw(column)} = ${value}`;
/** Whether a list (`jsonb`) contains the value. */
const has = (column: string, value: string | undefined): Condition =>
  value !== undefined && sql`${sql.raw(column)} ? ${value}`;

const departsOn = (date: string): Sql => sql`not closed_dates ? ${date} and exists (
  select from jsonb_array_elements(schedule) as rule
  where rule->>'from' <= ${date} and ${date} <= rule->>'to' and rule->'weekdays' ? ${computed(date, weekdayOf)}
)`;

const rideFilters = {
  vehicle_class: asked(OneOf(vehicleClasses), 'Only transfers with a vehicle of this class.'),
  passengers: asked(Guests, 'Only transfers with a vehicle for this number of passengers.'),
  from: asked(Words, 'Words in the name of the origin.'),
  to: asked(Words, 'Words in the name of the destination.'),
};
type Ride = Static<TObject<typeof rideFilters>>;

/** The vehicles of a transfer that match the filters. */
const vehicles = (columns: string, { vehicle_class, passengers }: Ride): Sql => sql`
  select ${sql.raw(columns)} from jsonb_array_elements(vehicles) as v where ${and([
    sql`(v->>'units')::int > 0`,
    is("v->>'class'", vehicle_class),
    passengers !== undefined && sql`(v->>'seats')::int >= ${passengers}`,
  ])}`;

export const searchedKinds = {
  tour: searched({
    model: tours,
    filters: {
      activity: asked(OneOf(tourActivities), 'Only tours with this activity.'),
      difficulty: asked(OneOf(tourDifficulties), 'Only tours of this difficulty.'),
      language: asked(Language, 'Only tours with a guide who speaks this language.'),
      date: asked(DateOnly, 'Only tours that depart on this date.'),
      guests: asked(Guests, 'Only tours with at least this number of seats.'),
    },
    where: ({ activity, difficulty, language, date, guests }) => [
      is('activity', activity),
      is('difficulty', difficulty),
      has('languages', language),
      date !== undefined && departsOn(date),
      guests !== undefined && sql`seats >= ${guests}`,
    ],
    price: () => sql`price_per_person_minor`,
    locations: ['location'],
  }),
  restaurant: searched({
    model: restaurants,
    filters: {
      cuisine: asked(Words, 'Only restaurants with this cuisine. Case does not matter.'),
      guests: asked(Guests, 'Only restaurants with a table for this number of guests.'),
    },
    where: ({ cuisine, guests }) => [
      cuisine !== undefined && sql`strpos(folded_cuisines, ${computed(cuisine, listedText)}) > 0`,
      guests !== undefined &&
        sql`exists (
          select from jsonb_array_elements(tables) as t where (t->>'units')::int > 0 and (t->>'seats')::int >= ${guests}
        )`,
    ],
    price: () => sql`average_bill_minor`,
    locations: ['location'],
  }),
  transfer: searched({
    model: transfers,
    filters: rideFilters,
    where: (ride) => [
      (ride.vehicle_class ?? ride.passengers) !== undefined && sql`exists (${vehicles('', ride)})`,
      ride.from !== undefined && hasWords('folded_origin', ride.from),
      ride.to !== undefined && hasWords('folded_destination', ride.to),
    ],
    price: (ride) => sql`(${vehicles("min((v->>'price_minor')::bigint)", ride)})`,
    locations: ["(origin->'location')", "(destination->'location')"],
  }),
  instructor: searched({
    model: instructors,
    filters: {
      discipline: asked(OneOf(disciplines), 'Only instructors who teach this discipline.'),
      level: asked(OneOf(levels), 'Only instructors who teach this level.'),
      language: asked(Language, 'Only instructors who speak this language.'),
      guests: asked(Guests, 'Only instructors who teach groups of this size.'),
    },
    where: ({ discipline, level, language, guests }) => [
      has('disciplines', discipline),
      has('levels', level),
      has('languages', language),
      guests !== undefined && sql`max_group >= ${guests}`,
    ],
    price: () => sql`price_per_hour_minor`,
    locations: ['location'],
  }),
  company: searched({
    model: companies,
    filters: { sells: asked(OneOf(bookingTypes), 'Only companies that sell bookings of this type.') },
    where: ({ sells }) => [has('sells', sells)],
    price: null,
    // What its owner sells.
    ratedBy: 'owner_id',
    locations: ['location'],
  }),
};
