/** Whether a lift or a slope is open: what a person has set counts until its time, otherwise the schedule does. */
import { type Static, Type } from '@sinclair/typebox';
import { addDays, instantIn, todayIn } from '../core/dates.ts';
import { Rejected } from '../core/decider.ts';
import { hasCome, instantOf } from '../core/instants.ts';
import { Instant, Nullable, OneOf } from '../core/schema.ts';
import { openSpans, type Schedule, type Span } from './schedule.ts';

/** `hold`: stopped for a short time. `scheduled`: closed, and opens later on the same day. */
export const operatingStatuses = ['open', 'hold', 'scheduled', 'closed'] as const;
export type OperatingStatus = (typeof operatingStatuses)[number];

export const Reason = Type.String({ minLength: 1, maxLength: 300 });
/** What a person has set, against the schedule. */
export const Override = Type.Object({
  status: OneOf(['open', 'closed', 'hold']),
  until: Nullable({ ...Instant, description: 'null: until it is changed.' }),
  reason: Nullable(Reason),
});
export type Override = Static<typeof Override>;

/** @throws Rejected `invalid` for a hold without a reason, and for a time that has passed */
export const checkOverride = ({ status, until, reason }: Override, at: string): void => {
  if (status === 'hold' && reason === null)
    throw new Rejected('invalid', 'Say in `reason` why it is stopped: guests see it.', { fields: ['reason'] });
  if (until !== null && hasCome(until, at))
    throw new Rejected('invalid', '`until` must be in the future. Leave it out if the end is not known.', {
      fields: ['until'],
    });
};

/**
 * What a person has set, with the end of an opening that was set without one: when the schedule closes next on that day,
 * otherwise midnight. So nothing runs all night because somebody forgot to close it. What was closed or stopped stays so,
 * since only a person knows that it is safe again.
 * @param timezone IANA name, of the resort
 */
export const withEnd = (override: Override, schedule: Schedule | null, timezone: string, at: string): Override => {
  if (override.status !== 'open' || override.until !== null || schedule === null) return override;
  const today = todayIn(timezone, at);
  const midnight = Date.parse(instantIn(timezone, addDays(today, 1), '00:00'));
  const closings = openSpans(schedule, timezone, today).map(({ to }) => to);
  const end = Math.min(midnight, ...closings.filter((to) => to > Date.parse(at)));
  return { ...override, until: instantOf(end) };
};

export const OperatingState = Type.Object({
  status: OneOf(operatingStatuses),
  /** What it follows from. `none`: it has no schedule, or is retired. */
  source: OneOf(['manual', 'schedule', 'none']),
  reason: Nullable(Reason),
  /** When the state changes next, as far as it is known. */
  until: Nullable(Instant),
});
export type OperatingState = Static<typeof OperatingState>;

export interface Operated {
  readonly schedule: Schedule | null;
  readonly override: Override | null;
  readonly isRetired: boolean;
}

type Now = Omit<OperatingState, 'until'>;
interface Days {
  readonly spans: readonly Span[];
  /** The midnights at which the days begin. */
  readonly midnights: readonly number[];
}

const without = { reason: null };
const timeOf = (instant: string | null): number => (instant === null ? Number.POSITIVE_INFINITY : Date.parse(instant));

const stateIn = ({ schedule, override, isRetired }: Operated, { spans, midnights }: Days, time: number): Now => {
  if (isRetired) return { status: 'closed', source: 'none', ...without };
  if (override && time < timeOf(override.until))
    return { status: override.status, source: 'manual', reason: override.reason };
  if (schedule === null) return { status: 'closed', source: 'none', ...without };
  if (spans.some(({ from, to }) => from <= time && time < to))
    return { status: 'open', source: 'schedule', ...without };
  const midnight = midnights.find((begins) => begins > time) ?? time;
  const opensToday = spans.some(({ from }) => time < from && from < midnight);
  return { status: opensToday ? 'scheduled' : 'closed', source: 'schedule', ...without };
};

/** The next change is searched this many days ahead. */
const DAYS_AHEAD = 8;

const daysFrom = (schedule: Schedule | null, timezone: string, time: number): Days => {
  if (schedule === null) return { spans: [], midnights: [] };
  const today = todayIn(timezone, instantOf(time));
  const dates = Array.from({ length: DAYS_AHEAD + 1 }, (_, n) => addDays(today, n));
  return {
    spans: dates.slice(0, DAYS_AHEAD).flatMap((date) => openSpans(schedule, timezone, date)),
    midnights: dates.map((date) => Date.parse(instantIn(timezone, date, '00:00'))),
  };
};

const isSame = (a: Now, b: Now): boolean => a.status === b.status && a.source === b.source && a.reason === b.reason;

/**
 * The state at an instant (RFC 3339), and when it changes.
 * @param timezone IANA name, of the resort
 */
export const stateAt = (operated: Operated, timezone: string, instant: string): OperatingState => {
  const time = Date.parse(instant);
  const days = daysFrom(operated.schedule, timezone, time);
  const now = stateIn(operated, days, time);
  const edges = [
    ...days.spans.flatMap(({ from, to }) => [from, to]),
    ...days.midnights,
    timeOf(operated.override?.until ?? null),
  ];
  const changes = edges
    .filter((edge) => Number.isFinite(edge) && edge > time)
    .toSorted((a, b) => a - b)
    .find((edge) => !isSame(now, stateIn(operated, days, edge)));
  return { ...now, until: changes === undefined ? null : instantOf(changes) };
};

/**
 * When it is open between two instants, in milliseconds since the epoch: what a person has set counts until its time, or
 * for good if that is not known.
 * @param timezone IANA name, of the resort
 */
export const openWithin = (operated: Operated, timezone: string, { from, to }: Span): Span[] => {
  const days = daysFrom(operated.schedule, timezone, from);
  const edges = [
    from,
    ...days.spans.flatMap((span) => [span.from, span.to]),
    timeOf(operated.override?.until ?? null),
    to,
  ]
    .filter((edge) => from <= edge && edge <= to)
    .toSorted((a, b) => a - b);
  const open: Span[] = [];
  for (const [n, begins] of edges.slice(0, -1).entries()) {
    const ends = edges[n + 1] as number;
    if (begins === ends || stateIn(operated, days, begins).status !== 'open') continue;
    const last = open.at(-1);
    if (last?.to === begins) open[open.length - 1] = { from: last.from, to: ends };
    else open.push({ from: begins, to: ends });
  }
  return open;
};
