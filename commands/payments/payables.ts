/**
 * What can be paid for, as paying sees it. Each such thing knows the one payment that is under way for it, so that nobody
 * pays twice.
 */
import { assertAllowed, booking } from '../../domain/bookings/booking.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { type Actor, Rejected } from '../../domain/core/decider.ts';
import type { PaymentItem } from '../../domain/payments/payment.ts';
import { assertPurchaseAllows, purchase } from '../../domain/purchases/purchase.ts';
import { loadBooking, partyOf } from '../bookings/bookings.ts';
import { extendedUntil } from '../bookings/holds.ts';
import type { CommandDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { loadPurchase } from '../purchases/purchases.ts';

type Deps = Pick<CommandDeps, 'aggregates' | 'settings'>;

export interface Payable {
  /** For its price, whole. */
  readonly item: PaymentItem;
  readonly currency: string;
  /** What the platform itself sells with it; null when it sells for others. */
  readonly serviceType: string | null;
  /** The payment that is under way for it. */
  readonly openPayment: string | null;
  /**
   * Keeps it for the payer, and notes that this payment is under way. May be repeated.
   * @throws Rejected `payment_open` when it is another one; other codes when it is not to be had any more
   */
  readonly start: (context: CommandContext, paymentId: string) => Promise<void>;
  /** Notes that this payment brought nothing. */
  readonly end: (context: CommandContext, paymentId: string) => Promise<void>;
}

/** @throws Rejected `not_found` for those who may not pay for it, `invalid_transition` */
const payableBooking = async (deps: Deps, actor: Actor, bookingId: string): Promise<Payable> => {
  const { aggregates, settings } = deps;
  const state = await loadBooking(deps, bookingId);
  const { userId, sellerId, totalMinor, commission, currency, holdId, item, openPayment } = state;
  if (userId !== actor.id) throw new Rejected('not_found', 'There is no such booking.');
  assertAllowed('StartPayment', state, partyOf(state, actor, 'StartPayment'));
  const { commissionMinor } = commission;
  return {
    item: { kind: 'booking', id: bookingId, ownerId: sellerId, amountMinor: totalMinor, commissionMinor },
    currency,
    serviceType: null,
    openPayment,
    start: async (context, paymentId) => {
      const { at } = context;
      const holdExpiresAt = extendedUntil(state, at, settings);
      if (holdExpiresAt === null) throw new Rejected('hold_expired', 'The time to pay for this booking has run out.');
      const extend = { type: 'ExtendHold', holdId, expiresAt: holdExpiresAt, at } as const;
      await aggregates.handle(inventory, inventoryDemand(item).unitId, extend, followUp(context, 'extend'));
      const start = { type: 'StartPayment', by: 'guest', paymentId, holdExpiresAt } as const;
      await aggregates.handle(booking, bookingId, start, followUp(context, 'start'));
    },
    end: async (context, paymentId) => {
      const end = { type: 'EndPayment', by: 'system', paymentId } as const;
      await aggregates.handle(booking, bookingId, end, followUp(context, 'end'));
    },
  };
};

/** @throws Rejected `not_found` for those who did not make it, `invalid_transition` */
const payablePurchase = async (deps: Deps, actor: Actor, purchaseId: string): Promise<Payable> => {
  const { aggregates, settings } = deps;
  const state = await loadPurchase(deps, purchaseId);
  if (state.userId !== actor.id) throw new Rejected('not_found', 'There is no such purchase.');
  assertPurchaseAllows('StartPayment', state);
  const { totalMinor, currency, serviceType, openPayment } = state;
  return {
    item: { kind: 'purchase', id: purchaseId, ownerId: null, amountMinor: totalMinor, commissionMinor: 0 },
    currency,
    serviceType,
    openPayment,
    start: async (context, paymentId) => {
      const expiresAt = new Date(Date.parse(context.at) + settings.holdTtlMs).toISOString();
      const start = { type: 'StartPayment', paymentId, expiresAt } as const;
      await aggregates.handle(purchase, purchaseId, start, followUp(context, 'start'));
    },
    end: async (context, paymentId) => {
      await aggregates.handle(purchase, purchaseId, { type: 'EndPayment', paymentId }, followUp(context, 'end'));
    },
  };
};

type PayableOf = (deps: Deps, actor: Actor, id: string) => Promise<Payable>;
const kinds: Readonly<Record<PaymentItem['kind'], PayableOf>> = { booking: payableBooking, purchase: payablePurchase };

/** @throws Rejected `not_found`, `invalid_transition` */
export const payable = (deps: Deps, actor: Actor, { kind, id }: Pick<PaymentItem, 'kind' | 'id'>): Promise<Payable> =>
  kinds[kind](deps, actor, id);
