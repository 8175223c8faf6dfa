/**
 * The rules of the gates: whether a pass opens one at an instant. Everything that decides or explains uses this function:
 * the scan, the record of a scan without a connection, and the check that only reads.
 */
import { addDays, todayIn } from '../core/dates.ts';
import { HOUR_MS, isAfter, msBetween } from '../core/instants.ts';
import { paidUnits } from '../purchases/passTerms.ts';
import type { ClosedDate } from './closures.ts';
import type { OpenPass } from './passState.ts';
import { PASSBACK_MS, type PassReason } from './refusalReasons.ts';

export { paidUnits } from '../purchases/passTerms.ts';

export interface Attempt {
  /** RFC 3339. */
  readonly at: string;
  /** Of the code that was shown; null: not asked. */
  readonly serial: number | null;
  /** Of the gate; null: it belongs to all. */
  readonly area: number | null;
}

export type Verdict =
  /** `startsDay`: the passage uses a unit, or is the first on a date that the mountain gave back. */
  | { readonly opens: true; readonly reason: null; readonly startsDay: boolean }
  | { readonly opens: false; readonly reason: PassReason; readonly startsDay: false };

type Dated = Pick<OpenPass, 'unit' | 'validFrom' | 'validTo' | 'soldAt' | 'days' | 'count'>;

/** The closed dates that count for a pass: those that were not known when it was sold. */
const closedFor = ({ soldAt }: Pick<OpenPass, 'soldAt'>, closed: readonly ClosedDate[]): string[] =>
  closed.filter(({ at }) => isAfter(at, soldAt)).map(({ date }) => date);

/** The last valid date: each closed date on which it was valid adds one. A season has its own end. */
export const validUntil = (pass: Dated, closed: readonly ClosedDate[]): string => {
  if (pass.unit === 'season') return pass.validTo;
  return closedFor(pass, closed)
    .toSorted()
    .reduce((last, date) => (pass.validFrom <= date && date <= last ? addDays(last, 1) : last), pass.validTo);
};

/**
 * The last valid date, where dates that were closed since have moved it: what a gate without a connection does not know.
 * @param closed ascending by declaration @param told how many of them the gate knows
 */
export const movedUntil = (pass: Dated, closed: readonly ClosedDate[], told: number): string | null => {
  const until = validUntil(pass, closed);
  return until === validUntil(pass, closed.slice(0, told)) ? null : until;
};

/** Whether the mountain was closed on a date on which the pass was valid. */
export const lostDates = (pass: Dated, closed: readonly ClosedDate[]): boolean => {
  const until = validUntil(pass, closed);
  return closedFor(pass, closed).some((date) => pass.validFrom <= date && date <= until);
};

/** The dates that used a unit. Rides on a closed date are free. */
const usedDays = (pass: Dated, closed: readonly ClosedDate[]): string[] => {
  const free = closedFor(pass, closed);
  return pass.days.filter((date) => !free.includes(date));
};

/** Units that can still be ridden; null: any number, in a season. */
export const unitsLeft = (pass: Dated, closed: readonly ClosedDate[]): number | null =>
  pass.unit === 'season' ? null : Math.max(0, paidUnits(pass) - usedDays(pass, closed).length);

/** Whether hours that have begun still run; null: none have begun. */
const hoursRun = (pass: OpenPass, closed: readonly ClosedDate[], at: string): boolean | null => {
  if (pass.startedAt === null || usedDays(pass, closed).length === 0) return null;
  return msBetween(pass.startedAt, at) < pass.count * HOUR_MS;
};

/** Whether a passage on a date uses a further unit, and whether there is one. */
const use = (pass: OpenPass, closed: readonly ClosedDate[], at: string): 'nothing' | 'unit' | 'spent' => {
  const run = pass.unit === 'hour' ? hoursRun(pass, closed, at) : null;
  if (run !== null) return run ? 'nothing' : 'spent';
  if (pass.days.includes(todayIn(pass.timezone, at))) return 'nothing';
  const left = unitsLeft(pass, closed);
  return left === null || left > 0 ? 'unit' : 'spent';
};

/** Whether it was used so shortly before or after: scans without a connection come late. */
const isPassback = ({ passages }: OpenPass, at: string): boolean =>
  passages.some((passage) => Math.abs(passage - Date.parse(at)) < PASSBACK_MS);

const reasonAgainst = (pass: OpenPass, attempt: Attempt, closed: readonly ClosedDate[]): PassReason | undefined => {
  const { at, serial, area } = attempt;
  const day = todayIn(pass.timezone, at);
  if (serial !== null && serial !== pass.serial) return 'replaced';
  if (pass.ended !== null) return 'refunded';
  if (pass.blocked) return 'blocked';
  if (day < pass.validFrom) return 'not_yet_valid';
  if (day > validUntil(pass, closed)) return 'expired';
  if (area !== null && pass.areas.length > 0 && !pass.areas.includes(area)) return 'wrong_area';
  if (use(pass, closed, at) === 'spent') return 'spent';
  return isPassback(pass, at) ? 'passback' : undefined;
};

/** @param closed the dates on which the mountain was closed */
export const judge = (pass: OpenPass, attempt: Attempt, closed: readonly ClosedDate[]): Verdict => {
  const reason = reasonAgainst(pass, attempt, closed);
  if (reason !== undefined) return { opens: false, reason, startsDay: false };
  return { opens: true, reason: null, startsDay: use(pass, closed, attempt.at) === 'unit' };
};

/**
 * Whether a passage that already happened uses a unit, whatever was wrong with it: what was ridden is not refunded. Once
 * the refund is fixed, nothing is left to use.
 */
export const usesUnit = (pass: OpenPass, at: string, closed: readonly ClosedDate[]): boolean =>
  pass.settled === null && use(pass, closed, at) === 'unit';

/** Units whose price can be returned: rides on closed dates count as rides here, because the days were given back. */
export const refundableUnits = (pass: Pick<OpenPass, 'unit' | 'count' | 'days'>): number =>
  Math.max(0, paidUnits(pass) - pass.days.length);

/** The price of unused units, in minor units, rounded down; the whole price when nothing was ridden. */
export const refundOf = (pass: Pick<OpenPass, 'unit' | 'count' | 'priceMinor'>, units: number): number =>
  Math.floor((pass.priceMinor * units) / paidUnits(pass));
