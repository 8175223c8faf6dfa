/** Helpers for the sample offers other than hotels. Nothing depends on the time of seeding. */
import type { ListingInput } from '../../commands/catalog/listings.ts';
import { WEEKDAYS, type Weekday } from '../../domain/core/dates.ts';

/** An offer of the demo resort; its id derives from the slug. It is confirmed as offers of its kind are by default. */
export interface Sample<Details> {
  readonly slug: string;
  readonly details: ListingInput<Omit<Details, 'images' | 'confirmation' | 'allowOverlapping'>>;
}

/** Roubles in minor units. */
export const rub = (roubles: number): number => roubles * 100;

export const DAILY: Weekday[] = [...WEEKDAYS];
export const at = (latitude: number, longitude: number) => ({ location: { latitude, longitude } });

/** Number of winters and summers that the demo covers. */
const YEARS = Array.from({ length: 10 }, (_, n) => 2025 + n);
const ranges = (from: string, to: string, nextYear = 0) =>
  YEARS.map((year) => ({ from: `${year}-${from}`, to: `${year + nextYear}-${to}` }));

export const WINTERS = ranges('12-01', '04-20', 1);
export const SUMMERS = ranges('05-15', '10-31');
export const ALL_YEAR = [{ from: '2025-01-01', to: '2035-12-31' }];

/** Departures at certain times on certain weekdays, for all seasons. */
export const departures = (
  seasons: readonly { readonly from: string; readonly to: string }[],
  weekdays: Weekday[],
  ...times: string[]
) => times.flatMap((time) => seasons.map((season) => ({ ...season, weekdays, time })));
