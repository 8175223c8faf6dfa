/** Cross-origin calls from browsers. No cookies are used, so an allowed origin needs no credentials mode. */
import type { Context } from 'koa';

const EXPOSED = [
  'etag',
  'idempotency-replayed',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-channel-offset',
  'x-event-position',
  'x-projected',
  'x-request-id',
  'x-response-time-ms',
  'x-service',
].join(', ');

/**
 * Sets the headers that let browsers of other origins read the reply, and answers their preflights.
 * @param origins exact origins; `*` allows any.
 * @returns whether the request was a preflight, which is answered with that
 */
export const cors = (origins: readonly string[]): ((ctx: Context) => boolean) => {
  const any = origins.includes('*');
  return (ctx) => {
    const { origin } = ctx.headers;
    if (!any) ctx.vary('Origin');
    if (!origin || !(any || origins.includes(origin))) return false;
    ctx.set('access-control-allow-origin', any ? '*' : origin);
    ctx.set('access-control-expose-headers', EXPOSED);
    if (ctx.method !== 'OPTIONS' || !ctx.get('access-control-request-method')) return false;
    ctx.set('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
    ctx.set('access-control-allow-headers', ctx.get('access-control-request-headers'));
    ctx.set('access-control-max-age', '600');
    ctx.status = 204;
    return true;
  };
};
