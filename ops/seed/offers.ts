/** What the samples of things beside hotels have in common. Nothing of it depends on when the demo is seeded. */
import type { ListingInput } from '../../commands/catalog/listings.ts';
import { WEEKDAYS, type Weekday } from '../../domain/core/dates.ts';

/** A thing that could be offered at the demo's resort; its id follows from the slug. */
export interface Sample<Details> {
  readonly slug: string;
  readonly details: ListingInput<Omit<Details, 'images'>>;
}

/** Roubles in minor units. */
export const rub = (roubles: number): number => roubles * 100;

export const DAILY: Weekday[] = [...WEEKDAYS];
export const at = (latitude: number, longitude: number) => ({ location: { latitude, longitude } });

/** How many winters and summers the demo knows. */
const YEARS = Array.from({ length: 10 }, (_, n) => 2025 + n);
const ranges = (from: string, to: string, nextYear = 0) =>
  YEARS.map((year) => ({ from: `${year}-${from}`, to: `${year + nextYear}-${to}` }));

export const WINTERS = ranges('12-01', '04-20', 1);
export const SUMMERS = ranges('05-15', '10-31');
export const ALL_YEAR = [{ from: '2025-01-01', to: '2035-12-31' }];

/** Departures at some times of some days, season after season. */
export const departures = (
  seasons: readonly { readonly from: string; readonly to: string }[],
  weekdays: Weekday[],
  ...times: string[]
) => times.flatMap((time) => seasons.map((season) => ({ ...season, weekdays, time })));
