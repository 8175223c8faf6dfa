/** The period that numbers are asked for: dates at the resort, both included. */
import { Type } from '@sinclair/typebox';
import { addDays, daysBetween, instantIn, todayIn } from '../../domain/core/dates.ts';
import { DateOnly } from '../../domain/core/schema.ts';
import { refuseQuery } from '../http/errors.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

export const periodQuery = {
  from: Type.Optional({ ...DateOnly, description: 'First day at the resort; by default 30 days until `to`.' }),
  to: Type.Optional({ ...DateOnly, description: 'Last day at the resort, included; today by default.' }),
};
/** The fields of a reply that say which period it is about. */
export const periodReply = { from: DateOnly, to: DateOnly };

export interface AskedPeriod {
  readonly dates: { readonly from: string; readonly to: string };
  /** The same as instants; `to` is not included. */
  readonly instants: { readonly from: string; readonly to: string; readonly timezone: string };
}

/** @param now RFC 3339 @throws HttpError 422 for a period that ends before it begins, or is longer than a year */
export const periodOf = (
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  timezone: string,
  now: string,
): AskedPeriod => {
  const { to = todayIn(timezone, now) } = query;
  const { from = addDays(to, 1 - DEFAULT_DAYS) } = query;
  const days = daysBetween(from, to) + 1;
  if (days < 1) refuseQuery('to', 'minimum', 'must not be before from');
  if (days > MAX_DAYS) refuseQuery('from', 'maximum', `must be at most ${MAX_DAYS} days before to`);
  const begins = (date: string) => instantIn(timezone, date, '00:00');
  return { dates: { from, to }, instants: { from: begins(from), to: begins(addDays(to, 1)), timezone } };
};
