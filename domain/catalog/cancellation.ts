/**
 * What cancelling a booking costs. The policy is stored in the booking when it is made, with the time zone of the place. So
 * a quote is arithmetic, and it equals the refund that follows.
 */
import { type Static, Type } from '@sinclair/typebox';
import { daysBefore } from '../core/dates.ts';
import { addMs, HOUR_MS, isAfter } from '../core/instants.ts';
import { percentage } from '../core/money.ts';
import { Instant, OneOf } from '../core/schema.ts';

export const cancellationPolicyNames = ['flexible', 'moderate', 'strict', 'non_refundable'] as const;
export type CancellationPolicyName = (typeof cancellationPolicyNames)[number];

export const CancellationPolicy = Type.Object({
  name: OneOf(cancellationPolicyNames),
  /** From the earliest to the latest. The first rule that has not ended applies (`ruleEnd`). */
  rules: Type.Array(
    Type.Object({
      /** At least this many hours before the start; a multiple of 24: this many calendar days. */
      from: Type.Integer({ minimum: 0 }),
      penaltyPercent: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
    { minItems: 1 },
  ),
});
export type CancellationPolicy = Static<typeof CancellationPolicy>;

const DAY = 24;
const rulesOf: Readonly<Record<CancellationPolicyName, CancellationPolicy['rules']>> = {
  flexible: [
    { from: DAY, penaltyPercent: 0 },
    { from: 0, penaltyPercent: 50 },
  ],
  moderate: [
    { from: 5 * DAY, penaltyPercent: 0 },
    { from: 0, penaltyPercent: 50 },
  ],
  strict: [
    { from: 14 * DAY, penaltyPercent: 0 },
    { from: 7 * DAY, penaltyPercent: 50 },
    { from: 0, penaltyPercent: 100 },
  ],
  non_refundable: [{ from: 0, penaltyPercent: 100 }],
};

/** The current policy, to be stored in a booking. */
export const cancellationPolicy = (name: CancellationPolicyName): CancellationPolicy => ({
  name,
  rules: rulesOf[name],
});

/** When a stay or slot begins, and by which clocks its days are counted. */
export interface Start {
  readonly startsAt: string;
  /** IANA name; absent where it is not known: a day is then 24 hours. */
  readonly timezone?: string | undefined;
  /** Of bookings made when all days had 24 hours: the later of both ends applies, for the guest's sake. */
  readonly countsHours?: boolean;
}

/**
 * Until when a rule applies, that instant included. 120 hours before a stay that begins at 14:00 is 14:00 by the clocks of
 * the place, five dates earlier.
 */
const ruleEnd = (from: number, { startsAt, timezone, countsHours = false }: Start): string => {
  const byHours = addMs(startsAt, -from * HOUR_MS);
  if (timezone === undefined || from % DAY !== 0) return byHours;
  const byDays = daysBefore(timezone, startsAt, from / DAY);
  return countsHours && isAfter(byHours, byDays) ? byHours : byDays;
};

/** A policy for known dates. After the last rule, cancelling costs the whole price. */
export const DatedPolicy = Type.Object({
  name: CancellationPolicy.properties.name,
  rules: Type.Array(
    Type.Object({
      ...CancellationPolicy.properties.rules.items.properties,
      until: { ...Instant, description: 'It applies to cancellations until then, that instant included.' },
    }),
    { minItems: 1 },
  ),
});
export type DatedPolicy = Static<typeof DatedPolicy>;

export const datedPolicy = ({ name, rules }: CancellationPolicy, start: Start): DatedPolicy => ({
  name,
  rules: rules.map((rule) => ({ ...rule, until: ruleEnd(rule.from, start) })),
});

/** After the stay or slot has started, cancelling is never free. */
const AFTER_START = 100;

const ruleAt = (policy: CancellationPolicy, start: Start, at: string) =>
  datedPolicy(policy, start).rules.find(({ until }) => !isAfter(at, until));

/** The penalty, in whole percent of the price, for a guest who cancels at `at`. */
export const penaltyPercentAt = (policy: CancellationPolicy, start: Start, at: string): number =>
  ruleAt(policy, start, at)?.penaltyPercent ?? AFTER_START;

/** Until when cancelling costs a guest no more than at `at`, that instant included; null: it does not become dearer. */
export const penaltyUntil = (policy: CancellationPolicy, start: Start, at: string): string | null =>
  ruleAt(policy, start, at)?.until ?? null;

/** Who ends a booking. Only a guest pays a penalty. */
export const cancellers = ['guest', 'provider', 'admin', 'system'] as const;
export type Canceller = (typeof cancellers)[number];

export interface CancellationTerms extends Start {
  readonly cancellationPolicy: CancellationPolicy;
  readonly totalMinor: number;
  /** What the guest loses at least, in percent: what cancelling cost when the guest changed the booking. */
  readonly floorPercent?: number;
  /** What was kept of former, higher prices; only a guest loses it. */
  readonly keptMinor?: number;
}

export interface CancellationQuote {
  readonly penaltyPercent: number;
  /** The penalty in minor units; never more than the money received. */
  readonly penaltyMinor: number;
  readonly refundMinor: number;
}

/** What a guest loses at `at` by cancelling, in whole percent of the price; of a lower price, by changing. */
export const guestPenaltyPercent = (
  { cancellationPolicy, floorPercent = 0, ...start }: Omit<CancellationTerms, 'totalMinor'>,
  at: string,
): number => Math.max(floorPercent, penaltyPercentAt(cancellationPolicy, start, at));

/** @param receivedMinor what was paid and has not been given back already */
export const quoteCancellation = (
  terms: CancellationTerms,
  receivedMinor: number,
  at: string,
  by: Canceller,
): CancellationQuote => {
  const penaltyPercent = by === 'guest' ? guestPenaltyPercent(terms, at) : 0;
  const keptMinor = by === 'guest' ? (terms.keptMinor ?? 0) : 0;
  const penaltyMinor = Math.min(receivedMinor, keptMinor + percentage(terms.totalMinor, penaltyPercent * 100));
  return { penaltyPercent, penaltyMinor, refundMinor: receivedMinor - penaltyMinor };
};
