/** What payments were started for, one row for each item, so that they are found by the item. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import { paymentsPurpose } from '../../domain/payments/index.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { readModel } from '../engine/readModel.ts';

export const paymentItems = readModel('payment_items', {
  version: 1,
  row: Type.Object({ item_id: Uuid, payment_id: Uuid, user_id: Uuid }),
  key: ['item_id', 'payment_id'],
  personalData: {
    whose: 'user_id',
    why: paymentsPurpose,
    retention: forTheBooks,
    exported: 'as a part of `payments`',
  },
  on: {
    PaymentCreated: {
      keys: ({ streamId, data }) => data.items.map(({ id }) => ({ item_id: id, payment_id: streamId })),
      fold: (_, { data }, key) => ({ ...key, user_id: data.userId }),
      makesRow: true,
    },
  },
  indexes: ['user_id'],
});
