/**
 * Bookable time other than nights: slots in an IANA time zone, on a grid of 15 minutes. Tables, vehicles and
 * instructors are booked by grid cell, so that two slots conflict exactly when they overlap.
 */
import { type Static, Type } from '@sinclair/typebox';
import { addDays, daysBetween, instantIn, todayIn, WEEKDAYS, weekdayOf } from '../core/dates.ts';
import { addMinutes, DAY_MS, instantOf, MINUTE_MS, msBetween } from '../core/instants.ts';
import { DateOnly, OneOf } from '../core/schema.ts';
import { type Confirmation, isTooLateToAsk } from './confirmation.ts';
import { type ItemLine, sumOf } from './priceLine.ts';

export const CELL_MINUTES = 15;
const CELL_MS = CELL_MINUTES * MINUTE_MS;
/** How far ahead slots are sold. */
export const MAX_SLOT_DAYS_AHEAD = 365;

/** `HH:MM` by the clocks of the place, on the grid. */
export const ClockTime = Type.String({ pattern: '^([01]\\d|2[0-3]):(00|15|30|45)$' });
/** Like `ClockTime`, and `24:00` for the end of a day. */
const EndTime = Type.String({ pattern: '^(([01]\\d|2[0-3]):(00|15|30|45)|24:00)$' });
export const Weekdays = Type.Array(OneOf(WEEKDAYS), { minItems: 1, uniqueItems: true });
/** A length of time in minutes, on the grid. */
export const Minutes = (most: number) =>
  Type.Integer({ minimum: CELL_MINUTES, maximum: most, multipleOf: CELL_MINUTES });

/** Open from one time to another on some days of the week; `to` before `from` means past midnight. */
export const Hours = Type.Array(Type.Object({ weekdays: Weekdays, from: ClockTime, to: EndTime }), { maxItems: 50 });
export type Hours = Static<typeof Hours>;
/** Single dates on which nothing is sold. */
export const ClosedDates = Type.Array(DateOnly, { maxItems: 400, uniqueItems: true });

/** Whether an instant (RFC 3339) lies on the grid. */
export const isOnGrid = (instant: string): boolean => Date.parse(instant) % CELL_MS === 0;

/** The inventory keys of a slot: the instants at which its cells begin. */
export const cellsBetween = (slotStart: string, slotEnd: string): string[] => {
  const first = Date.parse(slotStart);
  const count = Math.max(0, Math.ceil((Date.parse(slotEnd) - first) / CELL_MS));
  return Array.from({ length: count }, (_, n) => instantOf(first + n * CELL_MS));
};

/** The instants between which a place is open, for the hours that begin on `date`. */
export const openingsOn = (
  hours: Hours,
  timezone: string,
  date: string,
): { readonly opens: string; readonly closes: string }[] =>
  hours
    .filter(({ weekdays }) => weekdays.includes(weekdayOf(date)))
    .map(({ from, to }) => {
      const nextDay = to <= from || to === '24:00';
      const closes = instantIn(timezone, nextDay ? addDays(date, 1) : date, to === '24:00' ? '00:00' : to);
      return { opens: instantIn(timezone, date, from), closes };
    });

/** Whether the hours that begin on `date` last at an instant, although after midnight the date itself is over. */
export const lastsAt = (
  { hours, timezone }: { readonly hours: Hours; readonly timezone: string },
  date: string,
  at: string,
): boolean => {
  const time = Date.parse(at);
  return openingsOn(hours, timezone, date).some(
    ({ opens, closes }) => Date.parse(opens) <= time && time < Date.parse(closes),
  );
};

/** When a slot of this many minutes can begin, in the hours that begin on `date`; ascending, each once. */
export const startsOn = (
  { hours, closedDates, timezone }: { hours: Hours; closedDates: readonly string[]; timezone: string },
  date: string,
  minutes: number,
): string[] => {
  if (closedDates.includes(date)) return [];
  const starts = openingsOn(hours, timezone, date).flatMap(({ opens, closes }) =>
    cellsBetween(opens, addMinutes(closes, CELL_MINUTES - minutes)),
  );
  return [...new Set(starts)].sort();
};

/**
 * The date in whose opening hours a whole slot lies; null: in none. After midnight that can be the date before: a table
 * at half past midnight belongs to the evening.
 */
export const openingDateOf = (
  { hours, closedDates, timezone }: { hours: Hours; closedDates: readonly string[]; timezone: string },
  slotStart: string,
  slotEnd: string,
): string | null => {
  const date = todayIn(timezone, slotStart);
  const [start, end] = [Date.parse(slotStart), Date.parse(slotEnd)];
  const found = [date, addDays(date, -1)].find(
    (day) =>
      !closedDates.includes(day) &&
      openingsOn(hours, timezone, day).some(
        ({ opens, closes }) => Date.parse(opens) <= start && end <= Date.parse(closes),
      ),
  );
  return found ?? null;
};

/** Whether a whole slot lies within opening hours; those that began the day before count. */
export const isOpen = (...asked: Parameters<typeof openingDateOf>): boolean => openingDateOf(...asked) !== null;

/** Whether the hours, closed dates aside, include the cells of a slot. */
export const coversCells = (hours: Hours, timezone: string, cells: readonly string[]): boolean => {
  const [first = '', last = first] = [cells[0], cells.at(-1)];
  return isOpen({ hours, closedDates: [], timezone }, first, addMinutes(last, CELL_MINUTES));
};

/** Why a slot is not bookable, in words for a person. */
export const slotReasons = {
  closed: 'it takes no bookings',
  past: 'the time has passed',
  too_late: 'the seller could not confirm it in time',
  too_far: `it is more than ${MAX_SLOT_DAYS_AHEAD} days ahead`,
  off_grid: 'times must be full quarters of an hour',
  not_offered: 'it is not offered at this time',
  capacity: 'it is for fewer people',
  too_short: 'a lesson has at least one hour',
  too_long: 'a lesson has at most eight hours',
};
export type SlotReason = keyof typeof slotReasons;

/** The slot as it is booked, and its price. */
export interface SlotOffer {
  /** The date it belongs to, where that is not the one on which it starts. */
  readonly startsOn?: string;
  readonly slotStart: string;
  readonly slotEnd: string;
  readonly lines: readonly ItemLine[];
  readonly totalMinor: number;
}
/** Either an offer, or the reasons against it. Availability is decided by the inventory. */
export type SlotQuote =
  | { readonly offer: SlotOffer; readonly reasons: readonly [] }
  | { readonly offer: null; readonly reasons: readonly SlotReason[] };

/** An offer, unless there is a reason against it. */
export const quoted = (
  reasons: readonly (SlotReason | false)[],
  offer: () => Omit<SlotOffer, 'totalMinor'>,
): SlotQuote => {
  const against = reasons.filter((reason) => reason !== false);
  if (against.length > 0) return { offer: null, reasons: against };
  const found = offer();
  return {
    offer: { ...found, totalMinor: sumOf(found.lines) },
    reasons: [],
  };
};

/** Of no listing in particular: what is too far ahead in one time zone may not be in another. */
const ZONES_DIFFER_DAYS = 2;

/** Whether slots on the date of this one are not sold yet, by the clocks of the place. */
const isTooFar = (slotStart: string, at: string, timezone: string | undefined): boolean => {
  const days = msBetween(at, slotStart) / DAY_MS;
  if (days < MAX_SLOT_DAYS_AHEAD - ZONES_DIFFER_DAYS) return false;
  if (timezone === undefined) return days > MAX_SLOT_DAYS_AHEAD + ZONES_DIFFER_DAYS;
  return daysBetween(todayIn(timezone, at), todayIn(timezone, slotStart)) > MAX_SLOT_DAYS_AHEAD;
};

/** Reasons against any slot of a listing at this time. `at` is now. Without a time zone, those that hold in all of them. */
export const timeAgainst = (
  of: { readonly status: string; readonly confirmation: Confirmation; readonly timezone?: string },
  slotStart: string,
  at: string,
): (SlotReason | false)[] => {
  const { status, confirmation, timezone } = of;
  const ahead = msBetween(at, slotStart);
  return [
    status !== 'published' && 'closed',
    ahead < 0 && 'past',
    ahead >= 0 && isTooLateToAsk(confirmation, slotStart, at) && 'too_late',
    isTooFar(slotStart, at, timezone) && 'too_far',
    !isOnGrid(slotStart) && 'off_grid',
  ];
};
