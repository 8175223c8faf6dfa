/** Purchase of ski passes: created and paid in one request. */
import { Type } from '@sinclair/typebox';
import { quotedPasses } from '../../commands/passes/passes.ts';
import { DateOnly, Uuid } from '../../domain/core/schema.ts';
import { route } from '../http/route.ts';
import { bought, buying, MOST, PAYING, split } from '../purchases/purchases.ts';

const passes = (key: 'POST /api/v1/ski-pass/purchase' | 'POST /api/v1/pass/purchase', id: string) =>
  route(key, {
    id,
    access: 'user',
    rate: 'money',
    ...buying({
      tariff_id: Uuid,
      valid_from: DateOnly,
      quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, default: 1 })),
    }),
    summary: 'Purchase ski passes',
    description: `All passes of a purchase have the same tariff. ${PAYING}`,
    handle: ({ body, context, request }, app) => {
      const { item, means } = split(body, request);
      const { tariff_id: tariffId, valid_from: validFrom, quantity = 1 } = item;
      return bought(app, context, quotedPasses({ tariffId, validFrom, quantity }), means);
    },
  });

export const passRoutes = [
  passes('POST /api/v1/ski-pass/purchase', 'purchaseSkiPass'),
  passes('POST /api/v1/pass/purchase', 'purchasePass'),
];
