/** Calendar dates as `YYYY-MM-DD`: a night is named by the date it begins on, in the property's own time zone. */
import { LRUCache } from 'lru-cache';
import { addMs, DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from './instants.ts';

const at = (date: string): number => Date.parse(`${date}T00:00:00Z`);

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const dateAt = (instant: number): string => instantOf(instant).slice(0, 10);

export const addDays = (date: string, days: number): string => dateAt(at(date) + days * DAY_MS);

/** Nights from `from` to `to`; negative when `to` is earlier. */
export const daysBetween = (from: string, to: string): number => Math.round((at(to) - at(from)) / DAY_MS);

/** Every date from `from` up to, not including, `to`. */
export const datesBetween = (from: string, to: string): string[] => {
  const first = at(from);
  return Array.from({ length: Math.max(0, daysBetween(from, to)) }, (_, day) => dateAt(first + day * DAY_MS));
};

export const weekdayOf = (date: string): Weekday => WEEKDAYS[new Date(at(date)).getUTCDay()] as Weekday;

/** Names of zones are accepted in any letter case, so their number is not bounded by itself. */
const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000 });
/**
 * Clocks of a zone, which show `YYYY-MM-DD HH:MM:SS`: Swedish writes times the ISO way. Kept, because making one takes
 * much longer than reading it.
 * @throws RangeError for a name that is no IANA time zone
 */
const clockIn = (timezone: string): Intl.DateTimeFormat => {
  const known = clocks.get(timezone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timezone, clock);
  return clock;
};

/** The date it is in an IANA time zone at an instant (RFC 3339). */
export const todayIn = (timezone: string, instant: string): string =>
  clockIn(timezone).format(new Date(instant)).slice(0, 'YYYY-MM-DD'.length);

/** What the clocks of an IANA time zone show at an instant: `YYYY-MM-DD HH:MM`. */
export const localTime = (timezone: string, instant: string): string =>
  clockIn(timezone).format(new Date(instant)).slice(0, 'YYYY-MM-DD HH:MM'.length);

/** Names, with what they are renamed from; an offset (`+03:00`) is none: the two stores read its sign differently. */
const ZONE_NAME = /^[A-Za-z]+(\/[\w+-]+)*$/;

/** Whether it is an IANA time zone: `Europe/Moscow`, `UTC`. */
export const isTimezone = (name: string): boolean => {
  if (!ZONE_NAME.test(name)) return false;
  try {
    return clockIn(name) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** Milliseconds that a zone's clocks are ahead of UTC at an instant. */
const offsetAt = (timezone: string, instant: number): number => {
  const wall = clockIn(timezone).format(instant);
  return Date.parse(`${wall.replace(' ', 'T')}Z`) - Math.floor(instant / 1_000) * 1_000;
};

/** Opening hours and schedules ask for the same few instants again and again. */
const instants = new LRUCache<string, string>({ max: 50_000 });

/**
 * The instant at which clocks in `timezone` show `date` and `time` (`HH:MM`). A time that is skipped in spring is taken
 * as much later as the clocks jump; of one that comes twice in autumn, the first.
 */
export const instantIn = (timezone: string, date: string, time: string): string => {
  const key = `${timezone} ${date} ${time}`;
  const known = instants.get(key);
  if (known) return known;
  const wall = Date.parse(`${date}T${time}:00Z`);
  const before = wall - offsetAt(timezone, wall - DAY_MS);
  const after = wall - offsetAt(timezone, wall + DAY_MS);
  const fits = [before, after].find((instant) => instant + offsetAt(timezone, instant) === wall);
  const found = instantOf(fits ?? before);
  instants.set(key, found);
  return found;
};

/**
 * The instant so many calendar days before another, when the clocks of `timezone` show the same time of day. Days of 23
 * and 25 hours count as days; skipped and repeated times are read as by `instantIn`.
 */
export const daysBefore = (timezone: string, instant: string, days: number): string => {
  if (days === 0) return instant;
  const [date = '', time = ''] = localTime(timezone, instant).split(' ');
  // All zones differ from UTC by whole minutes.
  return addMs(instantIn(timezone, addDays(date, -days), time), Date.parse(instant) % MINUTE_MS);
};

/** The month after a month, both as `YYYY-MM`. */
export const nextMonth = (month: string): string => addDays(`${month}-01`, 31).slice(0, 'YYYY-MM'.length);

/** The next instant at which it is this hour (UTC). */
export const nextDaily = (after: string, hour: number): string => {
  const today = Date.parse(`${after.slice(0, 10)}T00:00:00Z`) + hour * HOUR_MS;
  return instantOf(today > Date.parse(after) ? today : today + DAY_MS);
};
