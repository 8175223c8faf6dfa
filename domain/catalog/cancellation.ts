/**
 * What cancelling a booking costs. The policy is stored in the booking when it is made, with its hours turned into
 * instants of the property's time zone. So a quote is arithmetic, and it equals the refund that follows.
 */
import { type Static, Type } from '@sinclair/typebox';
import { HOUR_MS, msBetween } from '../core/instants.ts';
import { percentage } from '../core/money.ts';
import { OneOf } from '../core/schema.ts';

export const cancellationPolicyNames = ['flexible', 'moderate', 'strict', 'non_refundable'] as const;
export type CancellationPolicyName = (typeof cancellationPolicyNames)[number];

export const CancellationPolicy = Type.Object({
  name: OneOf(cancellationPolicyNames),
  /**
   * From the earliest to the latest. The first rule whose `from` is not more than the hours left before the start
   * applies.
   */
  rules: Type.Array(
    Type.Object({
      /** At least this many hours before the start. */
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

/** After the stay or slot has started, cancelling is never free. */
const AFTER_START = 100;

/** The penalty, in whole percent of the price, for a guest who cancels at `at`. */
export const penaltyPercentAt = ({ rules }: CancellationPolicy, startsAt: string, at: string): number => {
  const hoursLeft = msBetween(at, startsAt) / HOUR_MS;
  return rules.find(({ from }) => from <= hoursLeft)?.penaltyPercent ?? AFTER_START;
};

/** Who ends a booking. Only a guest pays a penalty. */
export const cancellers = ['guest', 'provider', 'admin', 'system'] as const;
export type Canceller = (typeof cancellers)[number];

export interface CancellationTerms {
  readonly cancellationPolicy: CancellationPolicy;
  /** When the stay or slot begins. */
  readonly startsAt: string;
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
  { cancellationPolicy, startsAt, floorPercent = 0 }: Omit<CancellationTerms, 'totalMinor'>,
  at: string,
): number => Math.max(floorPercent, penaltyPercentAt(cancellationPolicy, startsAt, at));

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
