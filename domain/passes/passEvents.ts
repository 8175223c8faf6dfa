/** What is stored of a pass. */
import { type Static, Type } from '@sinclair/typebox';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';
import { Areas, holderAges, passUnits } from '../purchases/passTerms.ts';
import { Days } from '../purchases/product.ts';
import { passReasons } from './refusalReasons.ts';

export const MAX_SERIAL = 65_535;

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

/** A scan at a gate, as the gate tells it. */
export const Scan = Type.Object({
  /** Chosen by the gate: the same scan has the same id. */
  scanId: Uuid,
  gateId: Type.String({ minLength: 1, maxLength: 64 }),
  liftId: Nullable(Uuid),
  area: Nullable(Type.Integer()),
  /** By the clock of the server, or by that of the gate without what it was ahead. */
  scannedAt: Instant,
  /** How much the clock of the gate was ahead when it told this, in milliseconds. */
  skewMs: Type.Integer(),
});
export type Scan = Readonly<Static<typeof Scan>>;

/** `userId`: who bought the pass. */
const Recorded = { userId: Uuid, ...Scan.properties, isOnline: Type.Boolean() };
/** Whoever blocks or ends it says why, which can be about a person. */
const Reason = Nullable(Personal(Type.String()));

/** When it happened; absent in events of earlier releases. Passages of gates without a connection are judged by it. */
const At = Type.Optional(Instant);

export const passEvents = {
  PassSold: { data: SoldPass },
  /** A new code: the ones before open no gate any more. */
  PassIssued: {
    data: Type.Object({
      serial: Type.Integer({ minimum: 1, maximum: MAX_SERIAL }),
      deviceKey: Nullable(Type.String()),
      at: At,
    }),
  },
  PassHolderChanged: {
    data: Type.Object({ userId: Uuid, holderName: Nullable(Personal(Type.String())), photoId: Nullable(Uuid) }),
    person: 'userId',
  },
  /** Somebody passed. `conflict`: why the gate should not have opened, had it known. */
  PassScanned: {
    data: Type.Object({
      ...Recorded,
      /** The date in the time zone of the resort. */
      day: DateOnly,
      /** Whether it used a unit. */
      startsDay: Type.Boolean(),
      /** Of the first one to use a unit: which pass it is, for those who are told. */
      startsPass: Nullable(Type.Pick(SoldPass, ['purchaseId', 'number', 'tariffName'])),
      conflict: Nullable(OneOf(passReasons)),
    }),
  },
  PassScanRefused: { data: Type.Object({ ...Recorded, reason: OneOf(passReasons) }) },
  /** `chargebackId`: the payer's bank took back money that its price was paid with. Absent: an admin blocks it. */
  PassBlocked: {
    data: Type.Object({ userId: Uuid, reason: Reason, chargebackId: Type.Optional(Uuid), at: At }),
    person: 'userId',
  },
  /** `chargebackId`: the newest of the chargebacks that blocked it, all of which were won. Absent: an admin unblocks it. */
  PassUnblocked: { data: Type.Object({ chargebackId: Type.Optional(Uuid), at: At }) },
  /** It opens no gate any more. The refund is fixed at `settlesAt`. */
  PassGivenBack: {
    data: Type.Object({
      userId: Uuid,
      by: OneOf(passEnders),
      reason: Reason,
      units: Type.Integer({ minimum: 0 }),
      settlesAt: Instant,
      at: At,
    }),
    person: 'userId',
  },
  /** What goes back of its price. */
  PassRefundSettled: { data: Type.Object({ units: Type.Integer({ minimum: 0 }), refundMinor: Minor }) },
  /** The deposit goes back. */
  PassCardReturned: { data: Type.Object({ refundMinor: Minor }) },
} as const satisfies EventDeclarations;
export type PassEvent = EventsOf<typeof passEvents>;
