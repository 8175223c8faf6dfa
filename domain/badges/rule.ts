/** What a badge is given for, and how far somebody is. Everything is counted exactly, in whole units. */
import { type Static, Type } from '@sinclair/typebox';
import { Rejected } from '../core/decider.ts';
import { Nullable, OneOf } from '../core/schema.ts';
import { type Period, periodKinds, periodOf } from '../tracking/periods.ts';

/**
 * `days`: ski days, by tracks. `passes`: days on which a pass of one's own was used, by scans. `bookings`: completed.
 * `reviews`: published. `friends`: now.
 */
const badgeMetrics = [
  'sessions',
  'vertical',
  'distance',
  'runs',
  'days',
  'passes',
  'bookings',
  'reviews',
  'friends',
] as const;
export type BadgeMetric = (typeof badgeMetrics)[number];
/** The metrics that tracks count for. */
export const trackMetrics = [
  'sessions',
  'vertical',
  'distance',
  'runs',
  'days',
] as const satisfies readonly BadgeMetric[];

export const badgeWindows = [...periodKinds, 'ever'] as const;

export const BadgeRule = Type.Object({
  metric: OneOf(badgeMetrics),
  threshold: Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Metres, or a number.' }),
  window: OneOf(badgeWindows, { description: 'All of it must happen in one day, ISO week, month or season; or ever.' }),
  season: Nullable(
    Type.Integer({ minimum: 2000, maximum: 2100, description: 'Only in the season that begins in this year.' }),
  ),
});
export type BadgeRule = Static<typeof BadgeRule>;

/** @throws Rejected `invalid` */
export const checkRule = ({ metric, window, season }: BadgeRule): void => {
  if (metric === 'friends' && (window !== 'ever' || season !== null))
    throw new Rejected('invalid', 'Friends are counted as they are now: `window` must be `ever` and `season` null.', {
      fields: ['window', 'season'],
    });
};

/** What a person has done on a day. */
export interface Fact {
  readonly metric: BadgeMetric;
  readonly day: string;
  readonly amount: number;
}

/** Earlier and later than every day. */
const EVER: Period = { startsOn: '0001-01-01', endsOn: '9999-12-31' };

/** The season that begins in a year. @param seasonBegins `MM-DD` */
const seasonFrom = (year: number, seasonBegins: string): Period =>
  periodOf('season', `${year}-${seasonBegins}`, seasonBegins);

/** The days that a rule counts at all. */
export const daysOfRule = ({ season }: Pick<BadgeRule, 'season'>, seasonBegins: string): Period =>
  season === null ? EVER : seasonFrom(season, seasonBegins);

/** The days that count together with a day; undefined: the rule does not count this day. */
const windowOf = (rule: BadgeRule, day: string, seasonBegins: string): Period | undefined => {
  const all = daysOfRule(rule, seasonBegins);
  if (day < all.startsOn || day > all.endsOn) return undefined;
  if (rule.window === 'ever') return all;
  const { startsOn, endsOn } = periodOf(rule.window, day, seasonBegins);
  return {
    startsOn: startsOn < all.startsOn ? all.startsOn : startsOn,
    endsOn: endsOn > all.endsOn ? all.endsOn : endsOn,
  };
};

const sumIn = (facts: readonly Fact[], metric: BadgeMetric, { startsOn, endsOn }: Period): number =>
  facts.reduce(
    (sum, one) => (one.metric === metric && one.day >= startsOn && one.day <= endsOn ? sum + one.amount : sum),
    0,
  );

/** What counts in the window of a day: 0 where the rule does not count this day. */
export const valueOn = (rule: BadgeRule, facts: readonly Fact[], day: string, seasonBegins: string): number => {
  const window = windowOf(rule, day, seasonBegins);
  return window ? sumIn(facts, rule.metric, window) : 0;
};

/** Whether the facts reach the threshold in any window. */
export const isReached = (rule: BadgeRule, facts: readonly Fact[], seasonBegins: string): boolean => {
  const days = new Set(facts.filter(({ metric }) => metric === rule.metric).map(({ day }) => day));
  return [...days].some((day) => valueOn(rule, facts, day, seasonBegins) >= rule.threshold);
};

/** Rounded down. 100 is awarded: people who have reached it are about to get it. */
export const progressPct = (value: number, threshold: number, isAwarded: boolean): number =>
  isAwarded ? 100 : Math.min(99, Math.floor((Math.max(0, value) * 100) / threshold));
