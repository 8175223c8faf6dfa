/** What would go back of a purchase that is cancelled. */
import { Type } from '@sinclair/typebox';
import { previewCancellation } from '../../commands/purchases/cancelPurchase.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Minor } from '../../domain/core/schema.ts';
import { ById, route } from '../http/route.ts';

const quote = route('GET /api/v1/purchases/:id/cancellation-quote', {
  id: 'getPurchaseCancellationQuote',
  previews: 'POST /api/v1/purchases/:id/cancel',
  access: 'user',
  summary: 'Preview the refund of a cancelled purchase',
  description:
    'What goes back if the caller cancels now. Of ski passes, gates without a connection can tell passages within a day, which lower it.',
  params: ById,
  reply: Type.Object(
    { refund: Type.Number(), refund_minor: Minor, currency: Currency },
    { $id: 'PurchaseCancellationQuote' },
  ),
  errors: ['not_found', 'invalid_transition', 'conflict'],
  handle: async ({ params: { id }, context }, app) => {
    const { refundMinor, currency } = await previewCancellation(app, context, id);
    return { refund: toMajor(refundMinor, currency), refund_minor: refundMinor, currency };
  },
});

export const cancellationRoutes = [quote];
