/**
 * An instructor: one person who teaches one group at a time, in working hours. The first version of their events encrypted
 * what is `Personal` here with the person's own key.
 */
import { type Static, Type } from '@sinclair/typebox';
import { addMinutes, minutesBetween } from '../core/instants.ts';
import { OneOf, Personal } from '../core/schema.ts';
import { Confirmation, defaultConfirmation } from './confirmation.ts';
import { CancellationTerms, Images, Languages, Location, listing, type OpenListing, Price, Text } from './listing.ts';
import { AllowOverlapping, NO_OVERLAPPING } from './onePlace.ts';
import { itemLine } from './priceLine.ts';
import { ClosedDates, Hours, isOnGrid, isOpen, quoted, type SlotQuote, timeAgainst } from './slots.ts';

export const disciplines = ['ski', 'snowboard', 'freeride', 'cross_country', 'telemark'] as const;
export const levels = ['beginner', 'intermediate', 'advanced', 'expert', 'kids'] as const;

export const InstructorDetails = Type.Object({
  name: Personal(Text(200)),
  city: Text(100),
  description: Personal(Type.String({ maxLength: 10_000 })),
  disciplines: Type.Array(OneOf(disciplines), { minItems: 1, uniqueItems: true }),
  levels: Type.Array(OneOf(levels), { minItems: 1, uniqueItems: true }),
  languages: Languages,
  images: Images,
  /** Where lessons start. */
  location: Location,
  pricePerHourMinor: Price,
  maxGroup: Type.Integer({ minimum: 1, maximum: 50 }),
  workingHours: Hours,
  closedDates: ClosedDates,
  cancellationPolicy: CancellationTerms,
  confirmation: Confirmation,
  allowOverlapping: AllowOverlapping,
});
export type InstructorDetails = Static<typeof InstructorDetails>;
export type OpenInstructor = OpenListing<InstructorDetails>;

export const { events: instructorEvents, decider: instructor } = listing({
  name: 'Instructor',
  noun: 'instructor',
  details: InstructorDetails,
  defaults: { confirmation: defaultConfirmation.instructor, ...NO_OVERLAPPING },
});

const LEAST_LESSON_MINUTES = 60;
const LONGEST_LESSON_MINUTES = 8 * 60;

export const quoteLesson = (
  of: Pick<
    OpenInstructor,
    'status' | 'confirmation' | 'workingHours' | 'closedDates' | 'timezone' | 'pricePerHourMinor' | 'maxGroup'
  >,
  { slotStart, slotEnd, guests, at }: { slotStart: string; slotEnd: string; guests: number; at: string },
): SlotQuote => {
  const minutes = minutesBetween(slotStart, slotEnd);
  return quoted(
    [
      ...timeAgainst(of, slotStart, at),
      !isOnGrid(slotEnd) && isOnGrid(slotStart) && 'off_grid',
      guests > of.maxGroup && 'capacity',
      minutes < LEAST_LESSON_MINUTES && 'too_short',
      minutes > LONGEST_LESSON_MINUTES && 'too_long',
      !isOpen({ ...of, hours: of.workingHours }, slotStart, slotEnd) && 'not_offered',
    ],
    () => ({
      slotStart: addMinutes(slotStart, 0),
      slotEnd: addMinutes(slotEnd, 0),
      lines: [itemLine('lesson', 1, Math.round((of.pricePerHourMinor * minutes) / 60))],
    }),
  );
};
