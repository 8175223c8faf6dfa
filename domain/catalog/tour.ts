/** A guided tour: it departs by a schedule, and each departure has a number of seats. */
import { type Static, Type } from '@sinclair/typebox';
import { addDays, datesBetween, instantIn, todayIn, weekdayOf } from '../core/dates.ts';
import { Rejected } from '../core/decider.ts';
import { addMinutes } from '../core/instants.ts';
import { DateOnly, OneOf } from '../core/schema.ts';
import { Confirmation, defaultConfirmation } from './confirmation.ts';
import { CancellationTerms, Images, Languages, Location, listing, type OpenListing, Price, Text } from './listing.ts';
import { AllowOverlapping, NO_OVERLAPPING } from './onePlace.ts';
import { itemLine } from './priceLine.ts';
import { ClockTime, ClosedDates, Minutes, quoted, type SlotQuote, timeAgainst, Weekdays } from './slots.ts';

export const tourDifficulties = ['easy', 'moderate', 'hard', 'expert'] as const;
export const tourActivities = ['ski', 'freeride', 'snowmobile', 'snowshoe', 'hike', 'sightseeing', 'other'] as const;

/** Departs at `time` on these days of the week, from the first date to the last. */
const Departures = Type.Object({ from: DateOnly, to: DateOnly, weekdays: Weekdays, time: ClockTime });

export const TourDetails = Type.Object({
  name: Text(200),
  city: Text(100),
  description: Type.String({ maxLength: 10_000 }),
  activity: OneOf(tourActivities),
  difficulty: OneOf(tourDifficulties),
  languages: Languages,
  images: Images,
  /** Where it starts. */
  meetingPoint: Text(300),
  location: Location,
  durationMinutes: Minutes(14 * 24 * 60),
  /** Of each departure. */
  seats: Type.Integer({ minimum: 1, maximum: 500 }),
  pricePerPersonMinor: Price,
  schedule: Type.Array(Departures, { maxItems: 100 }),
  closedDates: ClosedDates,
  cancellationPolicy: CancellationTerms,
  confirmation: Confirmation,
  allowOverlapping: AllowOverlapping,
});
export type TourDetails = Static<typeof TourDetails>;
export type OpenTour = OpenListing<TourDetails>;

export const { events: tourEvents, decider: tour } = listing({
  name: 'Tour',
  noun: 'tour',
  details: TourDetails,
  defaults: { confirmation: defaultConfirmation.tour, ...NO_OVERLAPPING },
  check: ({ schedule }: TourDetails) => {
    for (const [index, { from, to }] of schedule.entries())
      if (to < from)
        throw new Rejected('invalid', `The schedule ends on ${to}, before it starts on ${from}.`, {
          fields: [`schedule/${index}/to`],
        });
  },
});

export type ScheduledTour = Pick<OpenTour, 'schedule' | 'closedDates' | 'timezone' | 'durationMinutes'>;

/** The departures on the dates from `from` up to, not including, `to`; ascending, each once. */
export const departuresOf = (
  { schedule, closedDates, timezone, durationMinutes }: ScheduledTour,
  from: string,
  to: string,
): { readonly slotStart: string; readonly slotEnd: string }[] => {
  const starts = datesBetween(from, to)
    .filter((date) => !closedDates.includes(date))
    .flatMap((date) =>
      schedule
        .filter((rule) => rule.from <= date && date <= rule.to && rule.weekdays.includes(weekdayOf(date)))
        .map(({ time }) => instantIn(timezone, date, time)),
    );
  return [...new Set(starts)]
    .sort()
    .map((slotStart) => ({ slotStart, slotEnd: addMinutes(slotStart, durationMinutes) }));
};

/** Whether a tour departs at an instant. */
export const departs = (tourOf: ScheduledTour, slotStart: string): boolean => {
  const date = todayIn(tourOf.timezone, slotStart);
  return departuresOf(tourOf, date, addDays(date, 1)).some(
    (departure) => Date.parse(departure.slotStart) === Date.parse(slotStart),
  );
};

export const quoteTour = (
  of: Pick<OpenTour, 'status' | 'confirmation' | 'seats' | 'pricePerPersonMinor' | 'name'> & ScheduledTour,
  { slotStart, guests, at }: { slotStart: string; guests: number; at: string },
): SlotQuote =>
  quoted(
    [...timeAgainst(of, slotStart, at), guests > of.seats && 'capacity', !departs(of, slotStart) && 'not_offered'],
    () => ({
      slotStart: addMinutes(slotStart, 0),
      slotEnd: addMinutes(slotStart, of.durationMinutes),
      lines: [itemLine('seat', guests, of.pricePerPersonMinor)],
    }),
  );
