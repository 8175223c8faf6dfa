/** Chargebacks, as admins request them. They are approved like corrections of the ledger. */
import { Type } from '@sinclair/typebox';
import { requestChargeback } from '../../commands/payments/chargebacks.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { toCamel } from '../../infra/naming.ts';
import { adjustments } from '../../projections/ledger/adjustments.ts';
import { route } from '../http/route.ts';
import { Adjusted, adjusted, FOUR_EYES } from '../ledger/adjustments.ts';

const request = route('POST /api/v1/admin/ledger/chargebacks', {
  id: 'requestChargeback',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Request the posting of a chargeback',
  description: `The payer's bank took back the money of an item of the payment; \`item_id\` is required if it has several. By default the whole amount of the item. With its other chargebacks and its refunds, it cannot be more than was paid; its money is not refunded while it is not decided. It is taken from the seller's share first, then from the commission, then from the platform; the seller owes what was already released. ${FOUR_EYES}`,
  body: Type.Object(
    {
      payment_id: Uuid,
      item_id: Type.Optional(Uuid),
      amount: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      reason: Type.String({ minLength: 1, maxLength: 500 }),
    },
    { $id: 'NewChargeback' },
  ),
  reply: Adjusted,
  status: 201,
  errors: ['not_found', 'invalid', 'invalid_transition', 'conflict'],
  projections: [adjustments],
  handle: async ({ body, context }, app) => adjusted(await requestChargeback(app, context, toCamel(body))),
});

export const chargebackRoutes = [request];
