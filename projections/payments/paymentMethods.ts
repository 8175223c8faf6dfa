/** Saved payment methods as their owner sees them: masked, with nothing that could charge them. */

import { Type } from '@sinclair/typebox';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { paymentsPurpose } from '../../domain/payments/index.ts';
import { PaymentMethod } from '../../domain/payments/paymentEvents.ts';
import { methodStatuses } from '../../domain/payments/savedMethods.ts';
import { userChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';

const Row = Type.Object({
  id: Uuid,
  user_id: Uuid,
  method: PaymentMethod,
  /** The payment provider that stores it; null: a preference that only we store. */
  provider: Nullable(Type.String()),
  /** The brand of a card, as the provider names it. */
  brand: Nullable(Type.String()),
  last4: Nullable(Type.String()),
  /** `MM/YY`. */
  exp: Nullable(Type.String()),
  default: Type.Boolean(),
  status: OneOf(methodStatuses),
  /** Why it was not saved. */
  failure_code: Nullable(Type.String()),
  created_at: Instant,
  updated_at: Instant,
});
export type PaymentMethodRow = (typeof Row)['static'];

const { created_at, updated_at, ...shown } = Row.properties;
/**
 * A saved payment method in replies and messages. `token` is what a payment names as `payment_method_id`: our own id.
 * The provider's token is never shown.
 */
export const SavedPaymentMethod = Type.Object({ ...shown, token: Uuid }, { $id: 'PaymentMethod' });
export const paymentMethodWire = wireForm(
  SavedPaymentMethod,
  ({ created_at: _, updated_at: __, ...row }: PaymentMethodRow) => ({ ...row, token: row.id }),
);

/** One stream has all methods of a person: each event names its method. */
const byMethod = ({ data }: { readonly data: { readonly methodId: string } }) => [{ id: data.methodId }];

export const paymentMethods = readModel('payment_methods', {
  version: 2,
  row: Row,
  wire: paymentMethodWire,
  key: 'id',
  personalData: {
    whose: 'user_id',
    texts: ['last4', 'exp'],
    why: paymentsPurpose,
    retention: { until: 'the person removes it, or the account is erased' },
  },
  on: {
    PaymentMethodRequested: {
      keys: byMethod,
      fold: (_, { streamId: user_id, at, data: { methodId: id, method, provider } }) => ({
        id,
        user_id,
        method,
        provider,
        brand: null,
        last4: null,
        exp: null,
        default: false,
        status: 'requires_action' as const,
        failure_code: null,
        created_at: at,
        updated_at: at,
      }),
    },
    PaymentMethodActivated: {
      keys: byMethod,
      fold: (row, { at, data: { brand, last4, exp } }) => {
        return { ...existing(row), brand, last4, exp, status: 'active' as const, updated_at: at };
      },
    },
    PaymentMethodFailed: {
      keys: byMethod,
      fold: (row, { at, data: { code: failure_code } }) => {
        return { ...existing(row), status: 'failed' as const, failure_code, updated_at: at };
      },
    },
    DefaultPaymentMethodChanged: {
      keys: ({ data: { methodId, former } }) => [methodId, former].flatMap((id) => (id === null ? [] : [{ id }])),
      fold: (row, { at, data }, { id }) => ({ ...existing(row), default: id === data.methodId, updated_at: at }),
    },
    PaymentMethodRemoved: { keys: byMethod, fold: () => null },
  },
  indexes: ['user_id, created_at desc, id'],
  publishTo: [{ channel: userChannel, idsOf: ({ user_id }) => [user_id], audience: 'guest' }],
});

/** The methods that a person can pay with or still has to confirm: the default first, then newest first. */
export const listPaymentMethods = (
  db: ReadDb,
  { userId, ...paging }: Paging & { readonly userId: string },
): Promise<Page<PaymentMethodRow>> =>
  pageOf(
    db,
    tables(db, paymentMethods)
      .selectFrom('payment_methods')
      .selectAll()
      .where('user_id', '=', userId)
      .where('status', '<>', 'failed')
      .orderBy('default', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id'),
    paging,
  );
