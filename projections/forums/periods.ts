/**
 * In which day, month and year something was written (UTC), for a search that begins with the newest. An index of words has
 * no order: it is asked for the words and some periods, and for more of them until enough is found.
 */
import { addMs, DAY_MS } from '../../domain/core/instants.ts';

const dayOf = (at: string): string => at.slice(0, 10);
const monthOf = (at: string): string => at.slice(0, 7);
const yearOf = (at: string): string => at.slice(0, 4);

/** `2026-11-29 2026-11 2026`: for a column that is stored beside a row. */
export const periodsOf = (at: string): string => [dayOf(at), monthOf(at), yearOf(at)].join(' ');
/** The periods in such a column, as SQL: what an index has of it. */
export const inPeriods = (column: string): string => `string_to_array(${column}, ' ')`;

const daysBefore = (at: string, days: number) => Array.from({ length: days }, (_, n) => dayOf(addMs(at, -n * DAY_MS)));
const monthsBefore = (at: string, months: number) => {
  const [year = 0, month = 0] = monthOf(at).split('-').map(Number);
  return Array.from({ length: months }, (_, n) => monthOf(new Date(Date.UTC(year, month - 1 - n)).toISOString()));
};
const yearsBefore = (at: string, years: number) =>
  Array.from({ length: years }, (_, n) => String(Number(yearOf(at)) - n));

/**
 * Each time more of them, each of which contains those before: what is in none of them is older than what is in one.
 * `undefined`: whenever. Clocks may differ: they begin tomorrow.
 */
export const everLonger = (at: string): readonly (readonly string[] | undefined)[] => {
  const from = addMs(at, DAY_MS);
  return [
    ...[3, 9].map((days) => daysBefore(from, days)),
    ...[3, 12].map((months) => monthsBefore(from, months)),
    ...[3, 6, 12].map((years) => yearsBefore(from, years)),
    undefined,
  ];
};
