/** The state of a payment and of its money. */
import type { Static } from '@sinclair/typebox';
import { Rejected } from '../core/decider.ts';
import { contributionOf, drawn, type PaidItem, type Parts, partsOf, payersMinor } from '../ledger/ledger.ts';
import type { mismatchKinds, PaymentItem, paymentEvents } from './paymentEvents.ts';

/** States by rank. A report of a lower rank is outdated. Captured money outranks every other end. */
export const ranks = {
  pending: 0,
  requires_action: 1,
  processing: 2,
  authorized: 3,
  failed: 4,
  cancelled: 4,
  expired: 4,
  succeeded: 5,
} as const;
export type PaymentStatus = keyof typeof ranks;
export const paymentStatuses = Object.keys(ranks) as readonly PaymentStatus[];

/** Whether the payment ended without money. */
export const isDead = (status: PaymentStatus): boolean => ranks[status] === ranks.failed;

export const refundStatuses = ['pending', 'succeeded', 'failed', 'manual_review'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export interface Refund {
  readonly itemId: string;
  readonly amountMinor: number;
  /** What the platform's part returns in any case; it returns more where the owner's part does not suffice. */
  readonly commissionMinor: number;
  readonly status: RefundStatus;
  readonly providerRefundId: string | null;
  /** From 1. Each attempt is a refund of its own for the provider. */
  readonly attempt: number;
  /** When this attempt was sent, if that was recorded; from then on it may have been carried out. */
  readonly sentAt: string | null;
  /** In review, and certain not to have been made: a retry is a new attempt. */
  readonly isKnownToHaveFailed: boolean;
}

export const duplicateStatuses = ['pending', 'returned', 'manual_review'] as const;

/** A second charge of the payment, which goes back to the payer. */
export interface DuplicateCharge {
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: (typeof duplicateStatuses)[number];
}

/** How the provider's record of the payment differs. */
export interface Mismatch {
  readonly kind: (typeof mismatchKinds)[number];
  /** What we have; amounts in minor units. */
  readonly ours: string;
  readonly theirs: string;
  /** An operator has accepted it. */
  readonly isAccepted: boolean;
}

/** An owner's part that waits, or has waited, on the provider's nominal account. */
export interface Escrow {
  readonly escrowId: string;
  readonly providerEscrowId: string | null;
  readonly amountMinor: number;
  readonly status: 'requested' | 'held' | 'released' | 'cancelled';
}

/** Money of an item that the payer's bank takes back, or has taken. */
export interface Dispute {
  readonly itemId: string;
  readonly amountMinor: number;
  /** Where the money was taken from; null: the chargeback was requested, and is not posted yet. */
  readonly taken: Taken | null;
  /** The bank has given the money back. */
  readonly isWon: boolean;
}

export interface OpenPayment extends Readonly<Static<typeof paymentEvents.PaymentCreated.data>> {
  readonly status: PaymentStatus;
  readonly providerPaymentId: string | null;
  readonly redirectUrl: string | null;
  readonly capturedMinor: number;
  /** By id. */
  readonly refunds: Readonly<Record<string, Refund>>;
  /** By item, once money has arrived: how much is left, and on which account. */
  readonly parts: Readonly<Record<string, Parts>>;
  /** Items whose owner's part has been released. */
  readonly released: readonly string[];
  /** By item: the newest. */
  readonly escrows: Readonly<Record<string, Escrow>>;
  /** Chargebacks that were posted, also those that were won since. */
  readonly chargebacks: readonly string[];
  /** Chargebacks that were requested or posted, by id. Rejected ones are not among them. */
  readonly disputes: Readonly<Record<string, Dispute>>;
  /** Items whose prepayment has a closing receipt. */
  readonly closedReceipts: readonly string[];
  /** By the provider's id of the charge. */
  readonly duplicates: Readonly<Record<string, DuplicateCharge>>;
  /** null: the provider's record agrees, as far as is known. */
  readonly mismatch: Mismatch | null;
}
export type Payment = { readonly status: 'none' } | OpenPayment;

/** An item in the form that the ledger takes. */
export const paidItem = ({ serviceType }: Pick<OpenPayment, 'serviceType'>, item: PaymentItem): PaidItem => ({
  ...item,
  service: serviceType,
});

/** The parts of all items, as the money comes. */
export const partsOfAll = (state: OpenPayment): Record<string, Parts> =>
  Object.fromEntries(state.items.map((item) => [item.id, partsOf(paidItem(state, item))]));

/** Whether the payment pays for an item. One that was named by it and broke off may have been made without it. */
export const paysFor = ({ items }: Pick<OpenPayment, 'items'>, itemId: string): boolean =>
  items.some(({ id }) => id === itemId);

/** @throws Rejected `not_found` */
export const itemOf = ({ items }: OpenPayment, itemId: string): PaymentItem => {
  const found = items.find(({ id }) => id === itemId);
  if (!found) throw new Rejected('not_found', 'This payment has no such item.');
  return found;
};

/** @throws Rejected `invalid_transition` */
export const assertPaid = ({ status }: OpenPayment): void => {
  if (status !== 'succeeded')
    throw new Rejected(
      'invalid_transition',
      `Money can be moved only from a payment with the status succeeded. This one has the status ${status}.`,
      { status },
    );
};

const nothing: Parts = { heldMinor: 0, availableMinor: 0, platformMinor: 0 };
/** What is left of an item's money; pending refunds are not subtracted. */
export const partsLeft = (state: OpenPayment, itemId: string): Parts => state.parts[itemId] ?? nothing;

/** The refunds of an item that may still take money, in the order of their requests. */
const returning = ({ refunds }: OpenPayment, itemId: string): readonly [string, Refund][] =>
  Object.entries(refunds).filter(
    ([, refund]) => refund.itemId === itemId && (refund.status === 'pending' || refund.status === 'manual_review'),
  );

/** What is being refunded of an item. */
export const returningMinor = (state: OpenPayment, itemId: string): number =>
  returning(state, itemId).reduce((sum, [, { amountMinor }]) => sum + amountMinor, 0);

/**
 * Which parts of an item its requested refunds take, by refund, and what they leave. A refund made at the provider may
 * have taken what was reserved for them: they then take what is left.
 */
const setApart = (state: OpenPayment, itemId: string) => {
  const draws: Record<string, Parts> = {};
  let left = partsLeft(state, itemId);
  for (const [refundId, { amountMinor, commissionMinor }] of returning(state, itemId)) {
    const draw = drawn(left, Math.min(amountMinor, payersMinor(left)), commissionMinor);
    draws[refundId] = draw;
    left = without(left, draw);
  }
  return { draws, left };
};

/** Which parts of its item a requested refund takes, after the refunds that were requested before it. */
export const drawOf = (state: OpenPayment, refundId: string): Parts => {
  const itemId = state.refunds[refundId]?.itemId;
  return (itemId && setApart(state, itemId).draws[refundId]) || nothing;
};

/** Parts of an item that money which has gone already takes, and what it takes beyond them. */
export interface Taken {
  readonly draw: Parts;
  readonly lossMinor: number;
}

const takenFrom = (left: Parts, amountMinor: number): Taken => {
  const leftMinor = payersMinor(left);
  return { draw: drawn(left, Math.min(amountMinor, leftMinor)), lossMinor: Math.max(0, amountMinor - leftMinor) };
};

/** Which parts of an item a chargeback takes, and what it takes beyond what is left. */
export const chargebackDraw = (state: OpenPayment, itemId: string, amountMinor: number): Taken =>
  takenFrom(setApart(state, itemId).left, amountMinor);

/** The same for a refund made at the provider: it takes what is reserved for other refunds only where it must. */
export const madeThereDraw = (state: OpenPayment, itemId: string, amountMinor: number): Taken => {
  const { left } = setApart(state, itemId);
  return takenFrom(amountMinor <= payersMinor(left) ? left : partsLeft(state, itemId), amountMinor);
};

/** The payer's money of an item that has not gone back, reserved or not. */
export const leftMinor = (state: OpenPayment, itemId: string): number => payersMinor(partsLeft(state, itemId));

/** Which parts of an item a new refund would take. @throws RangeError when it is more than is left */
export const nextDraw = (state: OpenPayment, itemId: string, amountMinor: number): Parts =>
  drawn(setApart(state, itemId).left, amountMinor);

/** What a new refund takes out of an item's parts: the payer's money, and the platform's contribution to it. */
export const withContribution = (state: OpenPayment, itemId: string, amountMinor: number): number =>
  amountMinor + contributionOf(setApart(state, itemId).left, amountMinor);

/** What was refunded to the payer, of all items. */
export const refundedMinor = ({ refunds }: Pick<OpenPayment, 'refunds'>): number =>
  Object.values(refunds).reduce((sum, { status, amountMinor }) => sum + (status === 'succeeded' ? amountMinor : 0), 0);

/** What is kept of an item for chargebacks that are not decided yet. */
const disputedMinor = ({ disputes }: OpenPayment, itemId: string): number =>
  Object.values(disputes).reduce(
    (sum, of) => sum + (of.itemId === itemId && of.taken === null ? of.amountMinor : 0),
    0,
  );

/** What can still be refunded of an item: captured, and neither refunded, nor being refunded or charged back. */
export const refundableMinor = (state: Payment, itemId: string): number => {
  if (state.status === 'none') return 0;
  return Math.max(0, leftMinor(state, itemId) - returningMinor(state, itemId) - disputedMinor(state, itemId));
};

/** The money received for an item and not refunded. */
export interface Received {
  /** The payments that it was read from: all that have paid for the item, oldest first. */
  readonly paymentIds: readonly string[];
  readonly minor: number;
}

/** Whether the money was read from exactly these payments. */
export const isReadFrom = (received: Received, paymentIds: readonly string[]): boolean =>
  received.paymentIds.join() === paymentIds.join();

/** The parts of an item that are not being refunded. */
export const freeParts = (state: OpenPayment, itemId: string): Parts => setApart(state, itemId).left;

/** The owner's held share of an item that is not being refunded. */
export const freeMinor = (state: OpenPayment, itemId: string): number => freeParts(state, itemId).heldMinor;

/** What is left of an item's parts after these are taken. */
export const without = (left: Parts, taken: Parts): Parts => ({
  heldMinor: left.heldMinor - taken.heldMinor,
  availableMinor: left.availableMinor - taken.availableMinor,
  platformMinor: left.platformMinor - taken.platformMinor,
  ...(left.promotionMinor !== undefined && { promotionMinor: left.promotionMinor - (taken.promotionMinor ?? 0) }),
});

/** The payer's money of an item that is not being refunded. */
export const unreturnedMinor = (state: OpenPayment, itemId: string): number =>
  payersMinor(setApart(state, itemId).left);

/** `amountMinor` of the held money is now available to the owner. */
export const withReleased = (state: OpenPayment, itemId: string, amountMinor: number): OpenPayment => {
  const { heldMinor, availableMinor, ...left } = partsLeft(state, itemId);
  const parts = { ...left, heldMinor: heldMinor - amountMinor, availableMinor: availableMinor + amountMinor };
  const released = [...new Set([...state.released, itemId])];
  return { ...state, parts: { ...state.parts, [itemId]: parts }, released };
};
