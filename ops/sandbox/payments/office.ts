/**
 * The provider's own office, where people of the shop move money past our system. `POST /sandbox/office {payment_id, action,
 * amount?}`, for payments of both providers: `refund` returns the amount, or all that is left; `capture` takes the amount of
 * what is reserved, or all; `void` lets it go. It accepts only JSON.
 */
import { randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import { Type } from '@sinclair/typebox';
import { toAmount, toMinorUnits } from '../../../commands/payments/yookassa/api.ts';
import { toMinor } from '../../../domain/core/money.ts';
import { OneOf } from '../../../domain/core/schema.ts';
import { validator } from '../../../infra/validation.ts';
import { ApiError } from '../core/apiError.ts';
import { controlBody } from '../core/control.ts';
import type { PaymentService } from './paymentService.ts';
import { cancel, capture, type PaymentRecord, refund } from './payments.ts';

const OfficeAction = Type.Object(
  {
    /** The provider's id of the payment, which ours shows as `txn_id`. */
    payment_id: Type.String(),
    action: OneOf(['refund', 'capture', 'void']),
    /** In the currency of the payment. */
    amount: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  },
  { additionalProperties: false },
);

export const mountOffice = (router: Router, service: PaymentService): void => {
  const isAction = validator(OfficeAction);
  router.post('/sandbox/office', (ctx) => {
    const { payment_id, action, amount } = controlBody(ctx, isAction, {});
    const record = service.payment(payment_id);
    if (!record) throw new ApiError(404, 'not_found', 'There is no such payment');
    const { currency } = record.object.amount;
    const asked = amount === undefined ? undefined : toAmount(toMinor(amount, currency), currency);
    const at = service.now();
    if (action === 'capture') service.apply(capture(record, asked, at));
    if (action === 'void') service.apply(cancel(record));
    if (action === 'refund') {
      const returned = refund(record, { payment_id, amount: asked ?? leftOf(record) }, { id: randomUUID(), at });
      service.refund(returned.record, returned.refund, []);
    }
    ctx.body = service.payment(payment_id)?.object;
  });
};

/** What was captured and has not gone back. */
const leftOf = ({ object: { amount, refunded_amount } }: PaymentRecord) => {
  const refunded = refunded_amount ? toMinorUnits(refunded_amount) : 0;
  return toAmount(toMinorUnits(amount) - refunded, amount.currency);
};
