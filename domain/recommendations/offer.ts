/** Whether a listing is offered at all on some dates: by its schedule, not by what is still free. */
import type { InstructorDetails } from '../catalog/instructor.ts';
import type { RestaurantDetails } from '../catalog/restaurant.ts';
import type { TourDetails } from '../catalog/tour.ts';
import type { TransferDetails } from '../catalog/transfer.ts';
import { datesBetween, type Weekday, weekdayOf } from '../core/dates.ts';

interface Opening {
  readonly weekdays: readonly Weekday[];
  /** First and last date; absent: always. */
  readonly from?: string;
  readonly to?: string;
}

export interface Offer {
  /** The most guests of one party. */
  readonly party: number;
  readonly openings: readonly Opening[];
  readonly closedDates: readonly string[];
}

const largest = (parts: readonly { readonly seats: number; readonly units: number }[]): number =>
  parts.reduce((most, { seats, units }) => (units > 0 ? Math.max(most, seats) : most), 0);

/** What the offer of each kind follows from. */
export const offerOf = {
  tour: ({ seats, schedule, closedDates }: Pick<TourDetails, 'seats' | 'schedule' | 'closedDates'>): Offer => ({
    party: seats,
    openings: schedule,
    closedDates,
  }),
  restaurant: ({
    tables,
    openingHours,
    closedDates,
  }: Pick<RestaurantDetails, 'tables' | 'openingHours' | 'closedDates'>): Offer => ({
    party: largest(tables),
    openings: openingHours.map(({ weekdays }) => ({ weekdays })),
    closedDates,
  }),
  transfer: ({
    vehicles,
    serviceHours,
    closedDates,
  }: Pick<TransferDetails, 'vehicles' | 'serviceHours' | 'closedDates'>): Offer => ({
    party: largest(vehicles),
    openings: serviceHours.map(({ weekdays }) => ({ weekdays })),
    closedDates,
  }),
  instructor: ({
    maxGroup,
    workingHours,
    closedDates,
  }: Pick<InstructorDetails, 'maxGroup' | 'workingHours' | 'closedDates'>): Offer => ({
    party: maxGroup,
    openings: workingHours.map(({ weekdays }) => ({ weekdays })),
    closedDates,
  }),
} as const;

/** Dates of a visit, from the first up to, not including, the last one. */
export interface VisitDates {
  readonly checkIn: string;
  readonly checkOut: string;
}

/** The dates of a visit, each with its day of the week. */
export const daysOf = ({ checkIn, checkOut }: VisitDates): readonly (readonly [string, Weekday])[] =>
  datesBetween(checkIn, checkOut).map((date) => [date, weekdayOf(date)]);

/** Whether a party of this many can be had on one of these days. */
export const isOffered = (
  { party, openings, closedDates }: Offer,
  days: ReturnType<typeof daysOf>,
  guests: number,
): boolean =>
  party >= guests &&
  days.some(
    ([date, weekday]) =>
      !closedDates.includes(date) &&
      openings.some(
        ({ weekdays, from, to }) =>
          weekdays.includes(weekday) && (from === undefined || from <= date) && (to === undefined || date <= to),
      ),
  );
