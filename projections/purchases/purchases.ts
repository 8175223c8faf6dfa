/** Purchases of ski passes and insurance, as their buyers see them. */

import { Type } from '@sinclair/typebox';
import { ServiceType } from '../../domain/catalog/soldTypes.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { ShownPromotion, shownPromotion } from '../../domain/promotions/appliedPromotion.ts';
import { purchasesPurpose } from '../../domain/purchases/index.ts';
import {
  type OpenPurchase,
  type PurchaseStatus,
  purchase,
  purchaseEnders,
  purchaseStatuses,
} from '../../domain/purchases/purchase.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { userChannel } from '../accounts/channels.ts';
import { linesOf, PriceLines, StoredLine } from '../catalog/priceLines.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { filtersOf, type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';

/** Plain text, because the text that replaces an erased date is no date. */
const Person = Type.Object({ first_name: Type.String(), last_name: Type.String(), birth_date: Type.String() });

const Row = Type.Object({
  id: Uuid,
  user_id: Uuid,
  service_type: ServiceType,
  product_id: Uuid,
  /** The name at the time of the purchase. */
  product_name: Type.String(),
  status: OneOf(purchaseStatuses),
  /** The number of passes or of insured persons. */
  quantity: Type.Integer(),
  persons: Type.Array(Person),
  /** First and last date of validity, in the local time of the resort. */
  valid_from: DateOnly,
  valid_to: DateOnly,
  /** The start of the first date: until then a cancellation refunds everything. */
  starts_at: Instant,
  price_lines: Type.Array(StoredLine),
  currency: Currency,
  total_minor: Minor,
  /** The discount of a promo code; null where none was used. */
  promotion: Nullable(snakeSchema(ShownPromotion)),
  /** The payment deadline; null once the purchase is paid or ended. */
  expires_at: Nullable(Instant),
  /** The payment that paid for it. */
  payment_id: Nullable(Uuid),
  /** The payment that is in progress. */
  open_payment_id: Nullable(Uuid),
  /** How it was cancelled. */
  ending: Nullable(Type.Object({ by: OneOf(purchaseEnders), reason: Nullable(Type.String()), refund_minor: Minor })),
  created_at: Instant,
  updated_at: Instant,
});
export type PurchaseRow = (typeof Row)['static'];

const { price_lines: _, ending, promotion, ...columns } = Row.properties;

/** A purchase in replies and messages: `…_minor` are in minor units, the fields without it in major units. */
export const Purchase = Type.Object(
  {
    ...columns,
    price_lines: PriceLines,
    total: Type.Number(),
    /** The discount of a promo code; null where none was used. */
    promotion: Nullable(Type.Object({ ...promotion.anyOf[0].properties, discount: Type.Number() })),
    /** How it was cancelled. */
    ending: Nullable(Type.Object({ ...ending.anyOf[0].properties, refund: Type.Number() })),
  },
  { $id: 'Purchase' },
);

export const purchaseWire = wireForm(Purchase, (row: PurchaseRow) => {
  const major = (minor: number) => toMajor(minor, row.currency);
  return {
    ...row,
    price_lines: linesOf(row),
    total: major(row.total_minor),
    promotion: row.promotion && { ...row.promotion, discount: major(row.promotion.discount_minor) },
    ending: row.ending && { ...row.ending, refund: major(row.ending.refund_minor) },
  };
});

/** A purchase as its columns, from its state on the write side. */
export const purchaseColumns = (
  id: string,
  {
    openPayment,
    keptFrom,
    paymentId,
    expiresAt,
    lines,
    ending,
    promotion,
    passTerms,
    returned: _,
    ...state
  }: OpenPurchase,
  created_at: string,
  updated_at: string,
): PurchaseRow => ({
  id,
  ...toSnake(state),
  price_lines: toSnake(lines),
  promotion: promotion ? toSnake(shownPromotion(promotion)) : null,
  expires_at: state.status === 'pending_payment' ? expiresAt : null,
  payment_id: paymentId,
  open_payment_id: openPayment,
  ending: ending && toSnake(ending),
  created_at,
  updated_at,
});

type Moved = { readonly at: string };
const moved = (row: PurchaseRow | undefined, { at }: Moved, more: Partial<PurchaseRow>): PurchaseRow => ({
  ...existing(row),
  ...more,
  updated_at: at,
});
/** The columns of a purchase that no longer needs to be paid. */
const became = (status: PurchaseStatus, more: Partial<PurchaseRow> = {}) => ({ ...more, status, expires_at: null });

export const purchases = readModel('purchases', {
  version: 3,
  row: Row,
  wire: purchaseWire,
  key: 'id',
  personalData: {
    whose: 'user_id',
    texts: ['persons.*.first_name', 'persons.*.last_name', 'persons.*.birth_date', 'ending.reason'],
    why: purchasesPurpose,
    retention: forTheBooks,
  },
  on: {
    PurchaseMade: (_, event) => {
      const state = purchase.evolve(purchase.initial, event);
      return purchaseColumns(event.streamId, existing(state.status === 'none' ? undefined : state), event.at, event.at);
    },
    PurchasePaymentStarted: (row, event) =>
      moved(row, event, { open_payment_id: event.data.paymentId, expires_at: event.data.expiresAt }),
    PurchasePaymentEnded: (row, event) => moved(row, event, { open_payment_id: null }),
    PurchasePaid: (row, event) =>
      moved(row, event, became('paid', { payment_id: event.data.paymentId, open_payment_id: null })),
    PurchaseExpired: (row, event) => moved(row, event, became('expired')),
    PurchaseCancelled: (row, event) => {
      const { userId, ...ending } = event.data;
      return moved(row, event, became('cancelled', { ending: toSnake(ending) }));
    },
    PurchaseRefunded: (row, event) => moved(row, event, became('refunded')),
  },
  indexes: ['user_id, created_at desc, id'],
  publishTo: [{ channel: userChannel, idsOf: ({ user_id }) => [user_id], audience: 'guest' }],
});

export const purchaseById = (db: ReadDb, id: string): Promise<PurchaseRow | undefined> =>
  tables(db, purchases).selectFrom('purchases').selectAll().where('id', '=', id).executeTakeFirst();

export interface PurchaseFilter extends Paging {
  readonly userId: string;
  readonly serviceType?: PurchaseRow['service_type'] | undefined;
  readonly status?: PurchaseStatus | undefined;
}

/** Newest first. */
export const listPurchases = async (
  db: ReadDb,
  { userId, serviceType, status, ...paging }: PurchaseFilter,
): Promise<Page<PurchaseRow>> => {
  const equal = filtersOf({ user_id: userId, service_type: serviceType, status });
  const matching = tables(db, purchases)
    .selectFrom('purchases')
    .where((q) => q.and(equal));
  return pageOf(db, matching.selectAll().orderBy('created_at', 'desc').orderBy('id'), paging);
};
