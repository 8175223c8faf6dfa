/** Cross-origin calls from browsers. No cookies are used, so an allowed origin needs no credentials mode. */
import type { Middleware } from 'koa';

const EXPOSED = [
  'etag',
  'idempotency-replayed',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-event-position',
  'x-projected',
  'x-request-id',
  'x-response-time-ms',
  'x-service',
].join(', ');

/** @param origins exact origins; `*` allows any. */
export const cors =
  (origins: readonly string[]): Middleware =>
  async (ctx, next) => {
    const origin = ctx.get('origin');
    const any = origins.includes('*');
    if (!any) ctx.vary('Origin');
    if (!origin || !(any || origins.includes(origin))) return next();
    ctx.set('access-control-allow-origin', any ? '*' : origin);
    ctx.set('access-control-expose-headers', EXPOSED);
    if (ctx.method !== 'OPTIONS' || !ctx.get('access-control-request-method')) return next();
    ctx.set('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
    ctx.set('access-control-allow-headers', ctx.get('access-control-request-headers'));
    ctx.set('access-control-max-age', '600');
    ctx.status = 204;
  };
