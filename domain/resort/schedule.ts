/** When a lift or a slope is open: seasons with hours by weekday, and exceptions. All times are those of the resort. */
import { type Static, Type } from '@sinclair/typebox';
import { addDays, instantIn, WEEKDAYS, weekdayOf } from '../core/dates.ts';
import { Rejected } from '../core/decider.ts';
import { DateOnly, Nullable, OneOf } from '../core/schema.ts';

/** What clocks at the resort show. `24:00` is the end of the day. */
const ClockTime = Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', examples: ['09:00'] });
const Hours = Type.Object({ opens: ClockTime, closes: ClockTime });
type Hours = Static<typeof Hours>;

export const Schedule = Type.Object({
  seasons: Type.Array(
    Type.Object({
      from: DateOnly,
      until: { ...DateOnly, description: 'The last day.' },
      hours: Type.Array(
        Type.Object({
          weekdays: Type.Array(OneOf(WEEKDAYS), { minItems: 1, maxItems: 7, uniqueItems: true }),
          ...Hours.properties,
        }),
        { minItems: 1, maxItems: 14 },
      ),
    }),
    { maxItems: 20 },
  ),
  exceptions: Type.Array(
    Type.Object({
      from: DateOnly,
      until: { ...DateOnly, description: 'The last day.' },
      hours: Type.Array(Hours, { maxItems: 4, description: 'Instead of those of the season; empty: closed.' }),
      note: Nullable(Type.String({ minLength: 1, maxLength: 200 })),
    }),
    { maxItems: 200, description: 'The first one that has a day counts for it.' },
  ),
});
export type Schedule = Static<typeof Schedule>;

const invalid = (field: string, detail: string): never => {
  throw new Rejected('invalid', detail, { fields: [`schedule/${field}`] });
};

interface DatedHours extends Hours {
  readonly from: string;
  readonly until: string;
  readonly weekdays: readonly string[];
  /** Where they stand in the schedule. */
  readonly at: string;
}
/** Whether two hours share a time of one day. */
const overlap = (a: DatedHours, b: DatedHours): boolean =>
  a.from <= b.until &&
  b.from <= a.until &&
  a.opens < b.closes &&
  b.opens < a.closes &&
  a.weekdays.some((weekday) => b.weekdays.includes(weekday));

/** @throws Rejected `invalid` for hours of one day that overlap: which of them is meant would be a guess */
const refuseOverlaps = (hours: readonly DatedHours[]): void => {
  for (const [n, one] of hours.entries())
    for (const other of hours.slice(0, n))
      if (overlap(other, one))
        invalid(
          `${one.at}/opens`,
          `The hours from ${one.opens} to ${one.closes} and those from ${other.opens} to ${other.closes} overlap on the same days. Write each time of a day once.`,
        );
};

/** @throws Rejected `invalid` for periods and hours that end before they begin, and for hours that overlap */
export const checkSchedule = ({ seasons, exceptions }: Schedule): void => {
  const periods = [
    ...seasons.map((period, index) => ({ ...period, at: `seasons/${index}` })),
    ...exceptions.map((period, index) => ({ ...period, at: `exceptions/${index}` })),
  ];
  for (const { from, until, hours, at } of periods) {
    if (until < from)
      invalid(`${at}/until`, `A period of the schedule begins on ${from} and ends before, on ${until}.`);
    for (const [index, { opens, closes }] of hours.entries())
      if (closes <= opens)
        invalid(
          `${at}/hours/${index}/closes`,
          `The hours from ${opens} to ${closes} end before they begin. Divide them at 24:00.`,
        );
  }
  refuseOverlaps(
    seasons.flatMap(({ from, until, hours }, season) =>
      hours.map((each, n) => ({ ...each, from, until, at: `seasons/${season}/hours/${n}` })),
    ),
  );
  // Of exceptions, the first one that has a day counts.
  for (const [exception, { from, until, hours }] of exceptions.entries())
    refuseOverlaps(
      hours.map((each, n) => ({ ...each, from, until, weekdays: WEEKDAYS, at: `exceptions/${exception}/hours/${n}` })),
    );
};

/** The hours of a day, `YYYY-MM-DD`. */
const hoursOn = ({ seasons, exceptions }: Schedule, date: string): readonly Hours[] => {
  const has = ({ from, until }: { from: string; until: string }) => from <= date && date <= until;
  const exception = exceptions.find(has);
  if (exception) return exception.hours;
  const weekday = weekdayOf(date);
  return seasons.filter(has).flatMap(({ hours }) => hours.filter(({ weekdays }) => weekdays.includes(weekday)));
};

/** From an instant (inclusive) to an instant (exclusive), in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const at = (timezone: string, date: string, time: string): number =>
  Date.parse(time === '24:00' ? instantIn(timezone, addDays(date, 1), '00:00') : instantIn(timezone, date, time));

/** When it is open on a day of the resort. Hours that the clocks skip are no time. */
export const openSpans = (schedule: Schedule, timezone: string, date: string): Span[] =>
  hoursOn(schedule, date)
    .map(({ opens, closes }) => ({ from: at(timezone, date, opens), to: at(timezone, date, closes) }))
    .filter(({ from, to }) => from < to);
