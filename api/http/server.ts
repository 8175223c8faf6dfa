/** Koa, put together: what every request goes through, in order, and the mounting of the declared routes. */
import Router, { type RouterMiddleware } from '@koa/router';
import Koa from 'koa';
import { newId } from '../../infra/ids.ts';
import { rateKeyOf } from '../../infra/network.ts';
import { logSecurity, type SecurityEvent } from '../../infra/securityLog.ts';
import type { Service } from './access.ts';
import type { App } from './app.ts';
import { cors } from './cors.ts';
import { mountDocuments } from './documents.ts';
import { type Context, endpoint, type Problems, type State } from './endpoint.ts';
import { type Answered, type ErrorCode, HttpError, toProblem } from './errors.ts';
import { createInFlight } from './inFlight.ts';
import { type ApiModule, routesOf } from './module.ts';
import { createRateCounts } from './rateCounts.ts';
import { createRateLimits } from './rateLimits.ts';
import { addressesOf } from './route.ts';
import { securityHeaders } from './securityHeaders.ts';
import { serviceFinder } from './services.ts';

/** Requests beyond this many at once are refused with 503. An address can be that of a hotel. */
const IN_FLIGHT = { total: 2_000, perAddress: 400 };

/** Outermost: request id, timing, the answering service, errors as problem+json, one log line. */
const envelope = (app: App, serviceOf: (path: string) => Service, problems: Problems): Koa.Middleware<State> => {
  const inFlight = createInFlight(IN_FLIGHT);
  return async (ctx, next) => {
    const started = process.hrtime.bigint();
    ctx.state.requestId = newId();
    ctx.state.service = serviceOf(ctx.path);
    ctx.set('x-request-id', ctx.state.requestId);
    const address = rateKeyOf(ctx.ip);
    const hasPlace = inFlight.enter(address);
    try {
      if (!hasPlace)
        throw new HttpError('unavailable', 'The server is at capacity. Try again shortly.', {
          headers: { 'retry-after': '1' },
        });
      await next();
    } catch (error) {
      sendProblem(ctx, app, error, problems(error, ctx.state.requestId));
    } finally {
      if (hasPlace) inFlight.leave(address);
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      ctx.set('x-service', ctx.state.service);
      ctx.set('x-response-time-ms', ms.toFixed(1));
      app.observe.request(ctx.state.operation ?? 'none', ctx.status, ms);
      const { operation, requestId } = ctx.state;
      app.log.debug({ operation, status: ctx.status, ms: Math.round(ms), request_id: requestId }, 'request');
    }
  };
};

/** Which refusals are for the security log. */
const SECURITY: Partial<Record<ErrorCode, SecurityEvent>> = {
  insufficient_rights: 'refused',
  token_refused: 'refused',
  fresh_proof_required: 'proof_missing',
  bad_signature: 'forged_notification',
  origin_not_allowed: 'key_from_wrong_domain',
};
const CREDENTIALS = ['authorization', 'x-api-key', 'x-admin-token'];

const securityEventOf = (ctx: Context, code: ErrorCode): SecurityEvent | undefined => {
  if (code === 'unauthenticated') return CREDENTIALS.some((name) => ctx.get(name) !== '') ? 'refused' : undefined;
  return SECURITY[code];
};

const sendProblem = (ctx: Context, app: App, error: unknown, { problem, headers, unexpected }: Answered): void => {
  const event = securityEventOf(ctx, problem.code as ErrorCode);
  const account = ctx.state.account ?? (error instanceof HttpError ? error.about : undefined);
  if (event) logSecurity(app.log, event, { ip: ctx.ip, account });
  if (unexpected)
    app.log.error({ err: error, request_id: ctx.state.requestId, operation: ctx.state.operation }, 'request failed');
  ctx.status = problem.status;
  ctx.set(headers);
  ctx.body = JSON.stringify(problem);
  ctx.set('content-type', 'application/problem+json');
};

/** Fixed segments win over parameters, whatever the order of declaration. */
const bySpecificity = (a: { address: string }, b: { address: string }): number =>
  Number(a.address.includes(':')) - Number(b.address.includes(':')) || b.address.length - a.address.length;

/** Answers what no route has handled: 405 where the path exists with other methods, else 404. */
const fallback =
  (services: ReadonlyMap<string, Service>): RouterMiddleware<State> =>
  async (ctx) => {
    const matched = ctx.matched ?? [];
    const service = services.get(String(matched[0]?.path));
    if (service) ctx.state.service = service;
    const allowed = [...new Set(matched.flatMap((layer) => layer.methods))];
    if (allowed.length > 0 && !allowed.includes(ctx.method))
      throw new HttpError('method_not_allowed', `This address does not support ${ctx.method}.`, {
        headers: { allow: allowed.join(', ') },
      });
    throw new HttpError('no_such_path', 'No operation has this address. See /docs.');
  };

/** The HTTP API of the given modules. The caller starts listening. */
export const createServer = (app: App, modules: readonly ApiModule[]): Koa<State> => {
  const koa = new Koa<State>({ proxy: app.http.trustProxy > 0, maxIpsCount: app.http.trustProxy });
  koa.silent = true; // errors are answered and logged in `envelope`
  const router = new Router<State>();
  const counts = createRateCounts({
    db: app.pool,
    fingerprint: (key) => app.vault.fingerprint('rate', key),
    log: app.log,
    signal: app.stopping,
  });
  const limits = createRateLimits(app.http.rateLimits, counts);
  const routes = routesOf(modules);
  const mappings = modules.flatMap(({ errors = [] }) => errors);
  const problems: Problems = (error, requestId) => toProblem(error, requestId, mappings);

  mountDocuments(router, app, routes, limits);
  const mounted = routes.flatMap((route) => {
    const run = endpoint(app, limits, problems, route);
    return addressesOf(route).map((address) => ({ route, address, run }));
  });
  for (const { route, address, run } of mounted.toSorted(bySpecificity)) router.register(address, [route.method], run);

  koa.use(envelope(app, serviceFinder(routes), problems));
  koa.use(securityHeaders(app.settings.publicUrl));
  koa.use(cors(app.http.corsOrigins));
  koa.use(router.routes());
  koa.use(fallback(new Map(mounted.map(({ route, address }) => [address, route.service]))));
  return koa;
};
