/** The state of one pass. It is bounded, and has nothing personal. */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, snapshot } from '../core/decider.ts';
import { WordsMark } from '../core/saidBefore.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Uuid } from '../core/schema.ts';
import { Areas, holderAges, passUnits } from '../purchases/passTerms.ts';
import { Days } from '../purchases/product.ts';
import { passReasons } from './refusalReasons.ts';

/** What was bought. */
export const SoldPass = Type.Object({
  purchaseId: Uuid,
  userId: Uuid,
  /** Of the passes of the purchase, from 1. */
  number: Type.Integer({ minimum: 1 }),
  tariffId: Uuid,
  /** The name at the time of the purchase. */
  tariffName: Type.String(),
  ageGroup: OneOf(holderAges),
  unit: OneOf(passUnits),
  count: Days,
  /** First and last valid date in the time zone, both included. `startsAt` is the first moment. */
  validFrom: DateOnly,
  validTo: DateOnly,
  startsAt: Instant,
  timezone: Type.String(),
  areas: Areas,
  refundsUnused: Type.Boolean(),
  currency: Currency,
  /** Paid for the pass, without its card. */
  priceMinor: Minor,
  depositMinor: Minor,
  /** When its purchase was made, in 0.1.0 when it was paid. A closure after that gives days back. */
  soldAt: Instant,
});
export type SoldPass = Static<typeof SoldPass>;

export const passEnders = ['guest', 'admin', 'system'] as const;

/** A pass was given back: no gate opens any more. */
const Ended = Type.Object({
  by: OneOf(passEnders),
  /** How many unused units can be refunded at most. */
  units: Type.Integer({ minimum: 0 }),
  /** When scans of gates without a connection can no longer come, so that the refund is fixed. */
  settlesAt: Instant,
  /** When it was given back; null: an earlier release has not kept it. */
  at: Nullable(Instant),
  /** Why. */
  words: WordsMark,
});

/** A code of the pass. */
const Issued = Type.Object({ serial: Type.Integer({ minimum: 1 }), at: Nullable(Instant) });
/** From when until when it was blocked; null: not known, or not over. */
const Block = Type.Object({ from: Nullable(Instant), to: Nullable(Instant), isOver: Type.Boolean() });

/** A scan that was recorded, for its repetitions. */
const Answered = Type.Object({
  id: Type.String(),
  /** Whether somebody passed, and with which conflict or refusal. */
  passed: Type.Boolean(),
  reason: Nullable(OneOf(passReasons)),
});

const Open = Type.Object({
  status: Type.Literal('open'),
  ...SoldPass.properties,
  /** Of the newest issued code; older codes open no gate. 0: none. */
  serial: Type.Integer({ minimum: 0 }),
  /** The public key of the phone that shows the code; null: a printed code. */
  deviceKey: Nullable(Type.String()),
  /** The newest codes, for passages that become known later. */
  codes: Type.Array(Issued),
  photoId: Nullable(Uuid),
  blocked: Type.Boolean(),
  /** The newest times in which it was blocked, for passages that become known later. */
  blocks: Type.Array(Block),
  /** What blocks it now: chargebacks by their ids, and `admin`. */
  blockedFor: Type.Array(Type.String()),
  /** Why an admin blocked it the last time. */
  blockWords: WordsMark,
  /** The newest chargebacks that blocked it, also if somebody has unblocked it since. */
  chargebacks: Type.Array(Uuid),
  /** How often somebody has unblocked it. */
  unblocks: Type.Integer({ minimum: 0 }),
  /** The dates with a passage that used a unit, or that were free because the mountain closed. Ascending. */
  days: Type.Array(DateOnly),
  /** The first passage of hours that are running; otherwise of the newest day. */
  startedAt: Nullable(Instant),
  /** The newest passages, in milliseconds since 1970. */
  passages: Type.Array(Type.Number()),
  scans: Type.Array(Answered),
  ended: Nullable(Ended),
  /** Units and money of the refund, once they are fixed. */
  settled: Nullable(Type.Object({ units: Type.Integer(), refundMinor: Minor })),
  cardReturned: Type.Boolean(),
});
export type OpenPass = Readonly<Static<typeof Open>>;

const State = Type.Union([Type.Object({ status: Type.Literal('none') }), Open]);
export type Pass = Readonly<Static<typeof State>>;

export const passSnapshot = snapshot<Pass, typeof State>({
  version: 6,
  packed: State,
  pack: (state) => state,
  unpack: (packed) => packed,
}) satisfies Decider<Pass, never, never>['snapshot'];

/** Repetitions of older scans are recognised by their day only, and use nothing. */
export const KEPT_SCANS = 200;
export const KEPT_PASSAGES = 50;
export const KEPT_CHARGEBACKS = 20;
export const KEPT_CODES = 20;
export const KEPT_BLOCKS = 20;
