/**
 * What can be paid for. Payments know no other module: each module that sells something declares a kind of payable in its
 * manifest, and payments call it. Every method is safe to repeat with the same context.
 */
import { type Actor, Rejected } from '../../domain/core/decider.ts';
import type { PaymentItem } from '../../domain/payments/payment.ts';
import type { CommandContext } from '../core/handle.ts';
import type { Mail } from '../mail/mailTo.ts';

/** An item that is paid for, by its kind and id. */
export type PayableRef = Pick<PaymentItem, 'kind' | 'id'>;

/** What one payment is for. */
export interface Payees {
  readonly things: readonly PayableRef[];
  /** The trip that the items were booked as. */
  readonly tripId?: string;
}

/** One item to be paid for. It names its open payment, so that it is not paid twice. */
export interface Payable {
  /** At its whole price. */
  readonly item: PaymentItem;
  readonly currency: string;
  /** The service that the platform itself sells; null when it sells for others. */
  readonly serviceType: string | null;
  /** The payment that is open for it. */
  readonly openPayment: string | null;
  /**
   * Reserves it for the payer and records the payment as open.
   * @throws Rejected `payment_open` when another payment is open; other codes when it is no longer available
   */
  readonly start: (context: CommandContext, paymentId: string) => Promise<void>;
}

/** What a module has decided to return of an item, so far. */
export interface RefundLimit {
  readonly minor: number;
  /** How it is decided to return more, as a sentence. */
  readonly otherwise: string;
}

export interface PayableKind {
  /** Request fields that name items of this kind, such as `booking_id`. */
  readonly fields: readonly string[];
  /**
   * What a request field names.
   * @param field one of `fields`
   * @throws Rejected `not_found`, `invalid_transition` when nothing is left to pay
   */
  payees(actor: Actor, field: string, id: string): Promise<Payees>;
  /** @throws Rejected `not_found` unless the actor may pay for it, `invalid_transition` */
  find(actor: Actor, id: string): Promise<Payable>;
  /** The payment ended without money: it is no longer open for this item. */
  end(context: CommandContext, paymentId: string, id: string): Promise<void>;
  /** Before a capture: whether the item is still available. Reserves it where that is possible. */
  keep(context: CommandContext, paymentId: string, item: PaymentItem): Promise<boolean>;
  /** The money was taken at `paidAt`: the item is paid, or the money goes back (`giveBack`). */
  settle(context: CommandContext, paymentId: string, item: PaymentItem, paidAt: string): Promise<void>;
  /**
   * How much of the item's money people may have refunded, in all; absent or undefined: all of it. A limit only ever rises,
   * so that a refund within one that was read a moment ago is right.
   */
  refundLimit?(paymentId: string, item: PaymentItem): Promise<RefundLimit | undefined>;
  /** Money of the item was refunded, or charged back. */
  refunded?(context: CommandContext, paymentId: string, item: PaymentItem): Promise<void>;
  /** What e-mails to the payer call an item; absent: as `describe`. */
  title?(item: PaymentItem, language: Mail['language']): Promise<string>;
  /** What the payer reads at the provider; undefined: a generic text. Must not contain personal data. */
  describe(payment: { readonly items: readonly PaymentItem[]; readonly tripId: string | null }): string | undefined;
}

/** How a module registers a kind. `Deps`: what the kind needs. */
export interface PayableDeclaration<Deps> {
  /** Stored as the `kind` of a payment's items: never renamed. */
  readonly kind: string;
  readonly fields: readonly string[];
  readonly bind: (deps: Deps) => Omit<PayableKind, 'fields'>;
}

/** Part of the manifest of a module that sells something. */
export interface PaidModule<Deps = never> {
  readonly payables: readonly PayableDeclaration<Deps>[];
}

/** What can be paid for, by the `kind` of a payment's items. Other modules register it in their manifests. */
export interface PayablesPort {
  readonly payables: ReadonlyMap<string, PayableKind>;
}

export const payableKind = ({ payables }: PayablesPort, kind: string): PayableKind => {
  const found = payables.get(kind);
  if (!found) throw new Error(`no module has registered the payable kind ${kind}`);
  return found;
};

/** @throws Rejected `not_found`, `invalid_transition` */
export const findPayable = (deps: PayablesPort, actor: Actor, { kind, id }: PayableRef): Promise<Payable> =>
  payableKind(deps, kind).find(actor, id);

/**
 * What a request wants to pay for.
 * @param named field → id, such as `booking_id`; absent fields are undefined
 * @throws Rejected `invalid` unless exactly one field is given, and as `PayableKind.payees`
 */
export const payeesOf = (
  { payables }: PayablesPort,
  actor: Actor,
  named: Readonly<Record<string, string | undefined>>,
): Promise<Payees> => {
  const kinds = [...payables.values()];
  const [one, another] = kinds.flatMap((kind) =>
    kind.fields.flatMap((field) => {
      const id = named[field];
      return id === undefined ? [] : [{ kind, field, id }];
    }),
  );
  if (!one || another) {
    const fields = kinds.flatMap((kind) => kind.fields);
    const detail = `Send exactly one of these fields to say what is paid for: ${fields.join(', ')}.`;
    throw new Rejected('invalid', detail, { fields: ['', ...fields] });
  }
  return one.kind.payees(actor, one.field, one.id);
};
