/** Dates and guests of a stay in queries, and the checks that need no data. */
import { Type } from '@sinclair/typebox';
import { MAX_DAYS_AHEAD } from '../../domain/catalog/room.ts';
import { datesAgainst, MAX_NIGHTS, type StayDates } from '../../domain/catalog/stayRules.ts';
import { todayIn } from '../../domain/core/dates.ts';
import { DateOnly } from '../../domain/core/schema.ts';
import { refuseQuery } from '../http/errors.ts';

/** The largest party, in searches and in bookings. */
const MAX_GUESTS = 100;
export const Guests = Type.Integer({ minimum: 1, maximum: MAX_GUESTS });

export const stayQuery = {
  check_in: DateOnly,
  check_out: DateOnly,
  guests: Type.Optional({ ...Guests, default: 1 }),
};

/** The time zones in which a date begins first and ends last. */
const EARLIEST = 'Pacific/Kiritimati';
const LATEST = 'Etc/GMT+12';

const refuse: (field: 'check_in' | 'check_out', code: string, detail: string) => never = refuseQuery;

/**
 * Refuses dates that no room could be had on; where the property's time zone is not known, only what holds in all.
 * @throws HttpError 422
 */
export const refuseImpossible = (dates: StayDates, at: string, timezone?: string): void => {
  if (dates.checkOut <= dates.checkIn) refuse('check_out', 'order', 'must be later than check_in');
  const past = datesAgainst({ ...dates, today: todayIn(timezone ?? LATEST, at) });
  const ahead = datesAgainst({ ...dates, today: todayIn(timezone ?? EARLIEST, at) });
  if (past.includes('past')) refuse('check_in', 'past', 'is in the past');
  if (ahead.includes('too_long')) refuse('check_out', 'too_long', `is more than ${MAX_NIGHTS} nights after check_in`);
  if (ahead.includes('too_far')) refuse('check_out', 'too_far', `is more than ${MAX_DAYS_AHEAD} days ahead`);
};

/** Both dates or none. @throws HttpError 422 */
export const datesOf = (query: { check_in?: string; check_out?: string }, at: string): StayDates | undefined => {
  const { check_in: checkIn, check_out: checkOut } = query;
  if (checkIn === undefined && checkOut === undefined) return undefined;
  if (checkIn === undefined) return refuse('check_in', 'required', 'is required together with check_out');
  if (checkOut === undefined) return refuse('check_out', 'required', 'is required together with check_in');
  refuseImpossible({ checkIn, checkOut }, at);
  return { checkIn, checkOut };
};
