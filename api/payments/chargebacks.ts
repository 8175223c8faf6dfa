/** Chargebacks, and those that were won, as admins request them. They are approved like corrections of the ledger. */
import { Type } from '@sinclair/typebox';
import { requestChargeback, requestWonChargeback } from '../../commands/payments/chargebacks.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { toCamel } from '../../infra/naming.ts';
import { adjustments } from '../../projections/ledger/adjustments.ts';
import { ById, route } from '../http/route.ts';
import { Adjusted, adjusted, FOUR_EYES, Reason } from '../ledger/adjustments.ts';

const request = route('POST /api/v1/admin/ledger/chargebacks', {
  id: 'requestChargeback',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Request the posting of a chargeback',
  description: `The payer's bank took back the money of an item of the payment; \`item_id\` is required if it has several. By default the whole amount of the item. With its other chargebacks and its refunds, it cannot be more than was paid; its money is not refunded while it is not decided. It is taken from the seller's share first, then from the commission, then from the platform; the seller owes what was already released. Then a booking that is still ahead, and of which nothing is paid any more, is cancelled, so that its places are sold again; \`keeps_booking\` keeps it. The payer and the seller are told. ${FOUR_EYES}`,
  body: Type.Object(
    {
      payment_id: Uuid,
      item_id: Type.Optional(Uuid),
      amount: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      reason: Reason,
      keeps_booking: Type.Optional(Type.Boolean({ default: false })),
    },
    { $id: 'NewChargeback' },
  ),
  reply: Adjusted,
  status: 201,
  errors: ['not_found', 'invalid', 'invalid_transition', 'conflict'],
  projections: [adjustments],
  handle: async ({ body, context }, app) => adjusted(await requestChargeback(app, context, toCamel(body))),
});

const won = route('POST /api/v1/admin/ledger/chargebacks/:id/won', {
  id: 'requestWonChargeback',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Request to record that a chargeback was won',
  description: `The payer's bank has given all the money of a posted chargeback back. It is then where it was taken from: in the seller's share, in the commission and in what the platform lost. Ski passes that only this chargeback blocked open gates again. A booking that was cancelled stays cancelled: what its guest should have back is refunded as usual, within the dispute window; after that, the share is the seller's. The payer and the seller are told. ${FOUR_EYES}`,
  params: ById,
  body: Type.Object({ reason: Reason }),
  reply: Adjusted,
  status: 201,
  errors: ['not_found', 'invalid_transition', 'conflict'],
  projections: [adjustments],
  handle: async ({ params, body, context }, app) =>
    adjusted(await requestWonChargeback(app, context, params.id, body.reason)),
});

export const chargebackRoutes = [request, won];
