/**
 * A purchase of ski passes or insurance. Nothing is held: it waits for its payment at its price, and expires unpaid.
 */
import { type Static, Type } from '@sinclair/typebox';
import { DiscountLine, ItemLine } from '../catalog/priceLine.ts';
import { ServiceType } from '../catalog/soldTypes.ts';
import { daysBetween } from '../core/dates.ts';
import {
  type Decider,
  type EventDeclarations,
  type EventsOf,
  Outdated,
  Rejected,
  requireExisting,
} from '../core/decider.ts';
import { addMs, DAY_MS, hasCome, isBefore } from '../core/instants.ts';
import { markOf, saidBefore } from '../core/saidBefore.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';
import { isReadFrom, type Received } from '../payments/payment.ts';
import { AppliedPromotion } from '../promotions/appliedPromotion.ts';
import { PassTerms } from './passTerms.ts';
import { type ReturnedPass, refundOfOne } from './returned.ts';

const Name = Personal(Type.String({ minLength: 1, maxLength: 100 }));
/** An insured person, encrypted with the key of the buyer. */
export const InsuredPerson = Type.Object({ firstName: Name, lastName: Name, birthDate: Personal(DateOnly) });
export type InsuredPerson = Static<typeof InsuredPerson>;

const Made = Type.Object({
  userId: Uuid,
  serviceType: ServiceType,
  productId: Uuid,
  /** The name at the time of the purchase. */
  productName: Type.String(),
  /** Passes, or insured persons. */
  quantity: Type.Integer({ minimum: 1 }),
  persons: Type.Array(InsuredPerson),
  /** The first and last valid date, in the resort's time zone. `startsAt` is the start of the first. */
  validFrom: DateOnly,
  validTo: DateOnly,
  startsAt: Instant,
  /** The end of the last. Absent in purchases of before: as many times 24 hours later as there are days. */
  endsAt: Type.Optional(Instant),
  lines: Type.Array(Type.Union([ItemLine, DiscountLine])),
  currency: Currency,
  totalMinor: Minor,
  /** When it was made; absent before 0.2.0. What is declared later was not known to the buyer. */
  madeAt: Type.Optional(Instant),
  /** To be paid until then. */
  expiresAt: Instant,
  /** Of ski passes; absent before 0.2.0. */
  passTerms: Type.Optional(PassTerms),
  /** Absent: no promo code was used. */
  promotion: Type.Optional(AppliedPromotion),
});
type Made = Static<typeof Made>;

export const purchaseEnders = ['guest', 'admin'] as const;
type Ender = (typeof purchaseEnders)[number];

export const purchaseEvents = {
  PurchaseMade: { data: Made, person: 'userId' },
  /** No other payment can start until this one has ended. */
  PurchasePaymentStarted: { data: Type.Object({ paymentId: Uuid, expiresAt: Instant }) },
  /** The payment ended without money. */
  PurchasePaymentEnded: { data: Type.Object({ paymentId: Uuid }) },
  PurchasePaid: { data: Type.Object({ paymentId: Uuid, amountMinor: Minor }) },
  /** It was not paid in time. */
  PurchaseExpired: { data: Type.Object({}) },
  PurchaseCancelled: {
    data: Type.Object({
      userId: Uuid,
      by: OneOf(purchaseEnders),
      reason: Nullable(Personal(Type.String())),
      /** What goes back of the money received. */
      refundMinor: Minor,
    }),
    person: 'userId',
  },
  /** What goes back for a pass of it that is given back, without the deposit. A later one lowers it. */
  PurchasePassReturned: {
    data: Type.Object({
      number: Type.Integer({ minimum: 1 }),
      units: Type.Integer({ minimum: 0 }),
      refundMinor: Minor,
    }),
  },
  /** The whole price was refunded: the purchase is no longer valid. */
  PurchaseRefunded: { data: Type.Object({}) },
} as const satisfies EventDeclarations;
export type PurchaseEvent = EventsOf<typeof purchaseEvents>;

export const purchaseStatuses = ['pending_payment', 'paid', 'expired', 'cancelled', 'refunded'] as const;
export type PurchaseStatus = (typeof purchaseStatuses)[number];

export interface OpenPurchase extends Readonly<Made> {
  readonly status: PurchaseStatus;
  /** The payment that is open. */
  readonly openPayment: string | null;
  /** When its price would have expired if no payment had been started; null before the first one. */
  readonly keptFrom: string | null;
  /** The payment that paid for it. */
  readonly paymentId: string | null;
  /** The passes of it that were given back, in that order. */
  readonly returned: readonly ReturnedPass[];
  readonly ending: { readonly by: Ender; readonly reason: string | null; readonly refundMinor: number } | null;
}
export type Purchase = { readonly status: 'none' } | OpenPurchase;

export type PurchaseCommand =
  | ({ readonly type: 'MakePurchase' } & Made)
  | { readonly type: 'StartPayment'; readonly paymentId: string; readonly at: string; readonly expiresAt: string }
  | { readonly type: 'EndPayment'; readonly paymentId: string }
  | { readonly type: 'MarkPaid'; readonly paymentId: string; readonly amountMinor: number }
  /** If it is due. */
  | { readonly type: 'Expire'; readonly at: string }
  | {
      readonly type: 'Cancel';
      readonly by: Ender;
      readonly reason: string | null;
      readonly received: Received;
      /**
       * What goes back of the parts that the purchase was divided into, such as passes. They decide, and return their money
       * themselves. Absent: the purchase was not divided.
       */
      readonly returnedMinor?: number;
      readonly at: string;
    }
  /**
   * One of its passes is given back, or was ridden more often than was known. Passes of before the price of each alone was
   * recorded return their equal share, which is not decided here.
   */
  | {
      readonly type: 'ReturnPass';
      readonly number: number;
      readonly units: number;
      /** Its equal share of the price, for these units. */
      readonly shareMinor: number;
      readonly isTakenAway: boolean;
    }
  | { readonly type: 'MarkRefunded' };
type Transition = Exclude<PurchaseCommand['type'], 'MakePurchase'>;

/** Command → the states in which it is allowed. */
const from: Readonly<Record<Transition, readonly PurchaseStatus[]>> = {
  StartPayment: ['pending_payment'],
  EndPayment: purchaseStatuses,
  MarkPaid: ['pending_payment'],
  Expire: ['pending_payment'],
  Cancel: ['pending_payment', 'paid'],
  ReturnPass: ['paid', 'cancelled', 'refunded'],
  MarkRefunded: ['paid', 'cancelled'],
};

/** The states in which it can be cancelled. */
export const cancellableStatuses = from.Cancel;

/** The payment that has paid for it, as a list. */
export const paymentsOf = ({ paymentId }: Pick<OpenPurchase, 'paymentId'>): readonly string[] =>
  paymentId === null ? [] : [paymentId];

/** @throws Rejected `not_found`, `invalid_transition` */
export function assertPurchaseAllows(type: Transition, state: Purchase): asserts state is OpenPurchase {
  requireExisting(state, 'purchase');
  const { status } = state;
  if (!from[type].includes(status))
    throw new Rejected('invalid_transition', `This is not possible while the purchase has the status ${status}.`, {
      status,
    });
}

/** When what was bought has been provided: after its last day. */
export const providedAt = ({ startsAt, endsAt, validFrom, validTo }: Made): string =>
  endsAt ?? addMs(startsAt, (daysBetween(validFrom, validTo) + 1) * DAY_MS);

/** The purchase as if it was valid to another date. */
export const lasting = (state: OpenPurchase, validTo: string): OpenPurchase => {
  if (validTo === state.validTo) return state;
  const { endsAt: _, ...others } = state;
  return { ...others, validTo };
};

/** Whether it can be cancelled, and its last day is not over. */
export const purchaseIsAhead = (state: OpenPurchase, at: string): boolean =>
  cancellableStatuses.includes(state.status) && isBefore(at, providedAt(state));

/** Whether a cancellation refunds everything: before the first day, or if an admin cancels. Otherwise nothing. */
export const purchaseIsRefundable = ({ startsAt }: Pick<OpenPurchase, 'startsAt'>, at: string, by: Ender): boolean =>
  by === 'admin' || isBefore(at, startsAt);

/** Whether this command was already applied. */
const isAlready = (command: Exclude<PurchaseCommand, { type: 'MakePurchase' }>, { status, ...of }: OpenPurchase) => {
  switch (command.type) {
    case 'StartPayment':
      return status === 'pending_payment' && of.openPayment === command.paymentId;
    case 'EndPayment':
      return of.openPayment !== command.paymentId;
    case 'MarkPaid':
      return of.paymentId === command.paymentId;
    case 'Expire':
      return status !== 'pending_payment' || isBefore(command.at, of.expiresAt);
    case 'Cancel':
      return of.ending !== null;
    case 'ReturnPass':
      return of.returned.some(({ number, units }) => number === command.number && units <= command.units);
    case 'MarkRefunded':
      return status === 'refunded';
  }
};

const decide = (command: PurchaseCommand, state: Purchase): PurchaseEvent[] => {
  if (command.type === 'MakePurchase') {
    const { type, ...data } = command;
    return state.status === 'none' ? [{ type: 'PurchaseMade', data }] : [];
  }
  if (state.status !== 'none' && isAlready(command, state))
    return command.type === 'Cancel' && state.ending
      ? saidBefore('This purchase was cancelled before', markOf(state.ending.reason), command.reason)
      : [];
  assertPurchaseAllows(command.type, state);
  switch (command.type) {
    case 'StartPayment': {
      const { paymentId, at, expiresAt } = command;
      if (state.openPayment !== null)
        throw new Rejected('payment_open', 'Another payment for this purchase is open. Finish or cancel it first.', {
          payment_id: state.openPayment,
        });
      if (hasCome(state.expiresAt, at))
        throw new Rejected('hold_expired', 'The time to pay for this purchase is over. Make a new one.');
      return [{ type: 'PurchasePaymentStarted', data: { paymentId, expiresAt } }];
    }
    case 'EndPayment':
      return [{ type: 'PurchasePaymentEnded', data: { paymentId: command.paymentId } }];
    case 'MarkPaid':
      if (command.amountMinor !== state.totalMinor)
        throw new Rejected('conflict', 'The amount differs from the total of the purchase.');
      return [{ type: 'PurchasePaid', data: { paymentId: command.paymentId, amountMinor: command.amountMinor } }];
    case 'Expire':
      return [{ type: 'PurchaseExpired', data: {} }];
    case 'Cancel': {
      const { by, reason, received, returnedMinor, at } = command;
      if (!isReadFrom(received, paymentsOf(state))) throw new Outdated();
      const refundMinor = returnedMinor ?? (purchaseIsRefundable(state, at, by) ? received.minor : 0);
      return [{ type: 'PurchaseCancelled', data: { userId: state.userId, by, reason, refundMinor } }];
    }
    case 'ReturnPass':
      return returnPass(command, state);
    case 'MarkRefunded':
      return [{ type: 'PurchaseRefunded', data: {} }];
  }
};

const returnPass = (
  { number, units, shareMinor, isTakenAway }: Extract<PurchaseCommand, { type: 'ReturnPass' }>,
  { passTerms, returned, totalMinor, promotion }: OpenPurchase,
): PurchaseEvent[] => {
  const together = passTerms?.together;
  if (!passTerms || !together) return [];
  const bought = { totalMinor, ...(promotion && { promotion }) };
  const one = { number, units, shareMinor, isTakenAway };
  const refundMinor = refundOfOne({ ...passTerms, together }, bought, returned, one);
  const before = returned.find((of) => of.number === number)?.refundMinor ?? refundMinor;
  return [{ type: 'PurchasePassReturned', data: { number, units, refundMinor: Math.min(before, refundMinor) } }];
};

const evolve = (state: Purchase, event: PurchaseEvent): Purchase => {
  if (event.type === 'PurchaseMade')
    return {
      ...event.data,
      status: 'pending_payment',
      openPayment: null,
      keptFrom: null,
      paymentId: null,
      returned: [],
      ending: null,
    };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'PurchasePaymentStarted': {
      const { paymentId, expiresAt } = event.data;
      return { ...state, openPayment: paymentId, expiresAt, keptFrom: state.keptFrom ?? expiresAt };
    }
    case 'PurchasePaymentEnded':
      return { ...state, openPayment: null };
    case 'PurchasePaid':
      return { ...state, status: 'paid', openPayment: null, paymentId: event.data.paymentId };
    case 'PurchaseExpired':
      return { ...state, status: 'expired' };
    case 'PurchaseCancelled': {
      const { userId, ...ending } = event.data;
      return { ...state, status: 'cancelled', ending };
    }
    case 'PurchasePassReturned': {
      const others = state.returned.filter(({ number }) => number !== event.data.number);
      return { ...state, returned: [...others, event.data] };
    }
    case 'PurchaseRefunded':
      return { ...state, status: 'refunded' };
  }
};

export const purchase: Decider<Purchase, PurchaseCommand, PurchaseEvent> = {
  category: 'purchase',
  short: 'a purchase ends',
  events: purchaseEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
