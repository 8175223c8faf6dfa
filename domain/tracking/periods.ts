/** Days, ISO weeks, months and seasons. A day is one of the resort, so that what follows from it needs no time zone. */
import { addDays, weekdayOf } from '../core/dates.ts';

export const periodKinds = ['day', 'week', 'month', 'season'] as const;
export type PeriodKind = (typeof periodKinds)[number];

/** Both days belong to it; `YYYY-MM-DD`. */
export interface Period {
  readonly startsOn: string;
  readonly endsOn: string;
}

const MONDAY_FIRST = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const weekOf = (day: string): Period => {
  const startsOn = addDays(day, -MONDAY_FIRST.indexOf(weekdayOf(day)));
  return { startsOn, endsOn: addDays(startsOn, 6) };
};

const monthOf = (day: string): Period => {
  const startsOn = `${day.slice(0, 7)}-01`;
  return { startsOn, endsOn: addDays(`${addDays(startsOn, 31).slice(0, 7)}-01`, -1) };
};

const seasonOf = (day: string, begins: string): Period => {
  const year = Number(day.slice(0, 4)) - (day.slice(5) < begins ? 1 : 0);
  return { startsOn: `${year}-${begins}`, endsOn: addDays(`${year + 1}-${begins}`, -1) };
};

/** The period that a day lies in. @param seasonBegins `MM-DD` */
export const periodOf = (kind: PeriodKind, day: string, seasonBegins: string): Period => {
  switch (kind) {
    case 'day':
      return { startsOn: day, endsOn: day };
    case 'week':
      return weekOf(day);
    case 'month':
      return monthOf(day);
    case 'season':
      return seasonOf(day, seasonBegins);
  }
};
