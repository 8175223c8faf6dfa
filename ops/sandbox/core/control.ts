/**
 * Endpoints that make the sandbox fail on demand. They accept only JSON, so that no form on a web page can call them.
 * `GET /sandbox/receipts?payment_id=` shows the fiscal receipts of a payment, as the provider got them.
 */
import type Router from '@koa/router';
import type { TSchema } from '@sinclair/typebox';
import type { Context } from 'koa';
import { explain, type Validator, validator } from '../../../infra/validation.ts';
import { ApiError, invalid } from './apiError.ts';
import { FailurePlan, type Failures } from './failures.ts';
import { NotificationMode, type Notifications } from './notifications.ts';
import type { State } from './state.ts';

/**
 * `POST /sandbox/notifications {mode, delay_ms?}` for all notifications from now on, `POST /sandbox/failures {count,
 * kind?, status?}` for the next calls of the API. `GET` returns the current state of each.
 */
export const mountControl = (
  router: Router,
  notifications: Notifications,
  failures: Failures,
  { tables }: State,
): void => {
  const isMode = validator(NotificationMode);
  const isPlan = validator(FailurePlan);
  const status = () => ({ ...notifications.mode, waiting: notifications.waiting() });

  router.get('/sandbox/notifications', (ctx) => {
    ctx.body = status();
  });
  router.post('/sandbox/notifications', (ctx) => {
    notifications.mode = controlBody(ctx, isMode, { delay_ms: notifications.mode.delay_ms });
    ctx.body = status();
  });
  router.get('/sandbox/receipts', (ctx) => {
    const all = [...tables.receipts.values()].filter(({ paymentId }) => paymentId === ctx.query.payment_id);
    ctx.body = all.map(({ object, receipt }) => ({ type: object.type, receipt }));
  });
  router.get('/sandbox/failures', (ctx) => {
    ctx.body = failures.plan;
  });
  router.post('/sandbox/failures', (ctx) => {
    failures.plan = controlBody(ctx, isPlan, { kind: 'before', status: 500 });
    ctx.body = failures.plan;
  });
};

/** The JSON body of a request that changes how the sandbox behaves. @throws ApiError 400, 415 */
export const controlBody = <T extends TSchema>(ctx: Context, fits: Validator<T>, defaults: object): T['static'] => {
  if (!ctx.is('json')) throw new ApiError(415, 'invalid_request', 'Send application/json');
  const body: unknown = { ...defaults, ...(ctx.request.body as object | undefined) };
  if (!fits(body)) throw invalid(explain(fits.errors));
  return body;
};
