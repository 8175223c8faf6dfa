/** Prices of a season: higher at weekends, highest on holidays, which cannot be booked for one night. */
import type { NightPrices } from '../../commands/catalog/rooms.ts';
import { addDays } from '../../domain/core/dates.ts';

interface Holiday {
  /** `MM-DD`, both included. For a period across New Year, the end is the smaller date. */
  readonly from: string;
  readonly to: string;
  readonly factor: number;
  readonly minStay: number;
}

const HOLIDAYS: readonly Holiday[] = [
  { from: '12-28', to: '01-08', factor: 1.9, minStay: 4 },
  { from: '02-20', to: '02-24', factor: 1.5, minStay: 3 },
  { from: '03-06', to: '03-09', factor: 1.4, minStay: 2 },
  { from: '04-30', to: '05-10', factor: 1.3, minStay: 2 },
];
const WEEKEND_FACTOR = 1.25;

const earliest = (...dates: string[]): string => dates.toSorted()[0] ?? '';
const latest = (...dates: string[]): string => dates.toSorted().at(-1) ?? '';

/** Prices are rounded to hundreds. */
const priced = (price: number, factor: number): number => Math.round((price * factor) / 100) * 100;

const holidaysIn = (year: number): { first: string; end: string; holiday: Holiday }[] =>
  HOLIDAYS.map((holiday) => ({
    first: `${year}-${holiday.from}`,
    end: addDays(`${holiday.to < holiday.from ? year + 1 : year}-${holiday.to}`, 1),
    holiday,
  }));

/** Price ranges for `nights` nights from `today`, for a room with the regular price `price`. */
export const season = (today: string, nights: number, price: number): NightPrices[] => {
  const end = addDays(today, nights);
  const year = Number(today.slice(0, 4));
  const holidays = [year - 1, year, year + 1, year + 2]
    .flatMap(holidaysIn)
    .filter(({ first, end: last }) => first < end && last > today)
    .map(({ first, end: last, holiday: { factor, minStay } }) => ({
      from: latest(first, today),
      to: earliest(last, end),
      price: priced(price, factor),
      minStay,
    }));
  return [
    { from: today, to: end, price: priced(price, 1) },
    { from: today, to: end, weekdays: ['fri', 'sat'], price: priced(price, WEEKEND_FACTOR) },
    ...holidays,
    // No departure on New Year's Eve, because the gala dinner is included.
    ...holidays
      .map(({ from }) => `${from.slice(0, 4)}-12-31`)
      .filter((eve, index, all) => all.indexOf(eve) === index && eve >= today && eve < end)
      .map((eve) => ({ from: eve, to: addDays(eve, 1), closedToDeparture: true })),
  ];
};
