/** Released money of owners that refunds under way will take. The ledger does not show it before it has moved. */

import { Type } from '@sinclair/typebox';
import { Currency, Minor, Uuid } from '../../domain/core/schema.ts';
import { ledgerPurpose } from '../../domain/ledger/index.ts';
import { readModel } from '../engine/readModel.ts';

const keys = ({ data }: { readonly data: { readonly refundId: string } }) => [{ refund_id: data.refundId }];

export const refundReservations = readModel('refund_reservations', {
  version: 1,
  row: Type.Object({ refund_id: Uuid, owner_id: Uuid, currency: Currency, amount_minor: Minor }),
  key: 'refund_id',
  personalData: {
    whose: null,
    why: ledgerPurpose,
    retention: { until: 'the refund is done' },
    exported: 'as a part of `balances`',
  },
  on: {
    RefundReserved: {
      keys,
      fold: (_, { data: { refundId: refund_id, ownerId: owner_id, currency, amountMinor: amount_minor } }) => ({
        refund_id,
        owner_id,
        currency,
        amount_minor,
      }),
    },
    RefundReservationEnded: { keys, fold: () => null },
  },
  indexes: ['owner_id, currency'],
});
