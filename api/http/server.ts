/** Koa, put together: what every request goes through, in order, and the mounting of the declared routes. */
import Koa, { type ParameterizedContext } from 'koa';
import { newId } from '../../infra/ids.ts';
import type { Logger } from '../../infra/log.ts';
import { networkOf, rateKeyOf } from '../../infra/network.ts';
import { logSecurity, type SecurityEvent } from '../../infra/securityLog.ts';
import type { Service } from './access.ts';
import type { App } from './app.ts';
import { refuseWrongHost } from './brokenRequests.ts';
import { cors } from './cors.ts';
import { mountDocuments } from './documents.ts';
import { type Context, endpoint, type Problems, type Run, type State } from './endpoint.ts';
import { type Answered, type ErrorCode, HttpError, toProblem } from './errors.ts';
import { type ApiModule, routesOf } from './module.ts';
import { createPlaces, HEALTH_PATHS, type Place, type Places } from './places.ts';
import { createRateCounts } from './rateCounts.ts';
import { createRateLimits } from './rateLimits.ts';
import { addressesOf } from './route.ts';
import { canonicalPath, createRouting, type Found } from './routing.ts';
import { securityHeaders } from './securityHeaders.ts';
import { serviceFinder } from './services.ts';

/**
 * The line of a request. No address of an operation has anything personal in it, and neither the path that was asked for nor
 * the whole address of the caller is named.
 */
const logRequest = (
  log: Logger,
  { state, method, path, status, ip }: ParameterizedContext<State>,
  ms: number,
): void => {
  const { operation, requestId, account, code } = state;
  const line = {
    method,
    route: operation?.slice(operation.indexOf(' ') + 1) ?? 'none',
    status,
    ...(code && { problem: code }),
    ms: Math.round(ms),
    request_id: requestId,
    ...(account && { actor: account }),
    network: networkOf(ip),
  };
  // A line for each probe would hide the others.
  log[HEALTH_PATHS.has(path) ? 'debug' : 'info'](line, 'request');
};

/** What a request goes through before and after `answer`: request id, timing, the answering service, errors, one log line. */
const envelope = (
  app: App,
  serviceOf: (path: string) => Service,
  places: Places,
  refuse: (ctx: Context, error: unknown) => void,
  answer: (ctx: ParameterizedContext<State>) => unknown,
): Koa.Middleware<State> => {
  const headers = Object.entries(securityHeaders(app.settings.publicUrl));
  return async (ctx) => {
    const started = performance.now();
    const { state, res } = ctx;
    state.requestId = newId();
    res.setHeader('x-request-id', state.requestId);
    for (const [name, value] of headers) res.setHeader(name, value);
    let place: Place | undefined;
    try {
      refuseWrongHost(ctx.req);
      ctx.path = canonicalPath(ctx.path);
      place = places.take(ctx.path, rateKeyOf(ctx.ip));
      state.place = place;
      await answer(ctx);
    } catch (error) {
      refuse(ctx, error);
    } finally {
      place?.leave();
      const ms = performance.now() - started;
      res.setHeader('x-service', state.service ?? serviceOf(ctx.path));
      res.setHeader('x-response-time-ms', ms.toFixed(1));
      app.observe.request(state.operation ?? 'none', ctx.status, ms);
      logRequest(app.log, ctx, ms);
    }
  };
};

/** Which refusals are for the security log. */
const SECURITY: Partial<Record<ErrorCode, SecurityEvent>> = {
  insufficient_rights: 'refused',
  token_refused: 'refused',
  fresh_proof_required: 'proof_missing',
  bad_signature: 'forged_notification',
  not_signed: 'forged_notification',
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
  ctx.state.code = problem.code;
  for (const [name, value] of Object.entries(headers)) ctx.res.setHeader(name, value);
  // Before the body, so that Koa does not look for a type that fits.
  ctx.res.setHeader('content-type', 'application/problem+json');
  ctx.body = JSON.stringify({ ...problem, ...ctx.state.problemFields });
};

/**
 * Why no route has handled a request: 405 where the path exists with other methods, else 404. It is returned and not
 * thrown, because the engine never optimizes a function that always throws.
 */
const fallback =
  (services: ReadonlyMap<string, Service>) =>
  ({ state, method }: Context, found: Found<Run> | undefined): HttpError => {
    if (!found) return new HttpError('no_such_path', 'No operation has this address. See /docs.');
    const service = services.get(found.address);
    if (service) state.service = service;
    return new HttpError('method_not_allowed', `This address does not support ${method}.`, {
      headers: { allow: found.methods.join(', ') },
    });
  };

/** The HTTP API of the given modules. The caller starts listening. */
export const createServer = (app: App, modules: readonly ApiModule[]): Koa<State> => {
  const koa = new Koa<State>({ proxy: app.http.trustProxy > 0, maxIpsCount: app.http.trustProxy });
  koa.silent = true; // errors are answered and logged in `envelope`, those of streams by `StreamReply`
  const routing = createRouting<Run>();
  const counts = createRateCounts({
    db: app.pool,
    fingerprint: (key) => app.vault.fingerprint('rate', key),
    log: app.log,
    signal: app.stopping,
  });
  const limits = createRateLimits(app.http.rateLimits, counts);
  const routes = routesOf(modules);
  const mappings = modules.flatMap(({ errors = [] }) => errors);
  const guards = modules.flatMap(({ guard = [] }) => guard);
  const places = createPlaces(routes);
  const problems: Problems = (error, requestId) => toProblem(error, requestId, mappings);

  mountDocuments(routing, app, routes, limits);
  const mounted = routes.flatMap((route) => {
    const run = endpoint(app, { limits, guards, problems, places }, route);
    return addressesOf(route).map((address) => ({ route, address, run }));
  });
  for (const { route, address, run } of mounted) routing.mount(address, route.method, run);
  // Where services share an address, the first counts, as it does where no operation is mounted.
  const otherwise = fallback(new Map(mounted.toReversed().map(({ route, address }) => [address, route.service])));
  const isPreflight = cors(app.http.corsOrigins);

  const refuse = (ctx: Context, error: unknown) => sendProblem(ctx, app, error, problems(error, ctx.state.requestId));
  const answer = (ctx: Context) => {
    if (isPreflight(ctx)) return undefined;
    const found = routing.find(ctx.path, ctx.method);
    return found?.run ? found.run(ctx, found.params) : refuse(ctx, otherwise(ctx, found));
  };
  koa.use(envelope(app, serviceFinder(routes), places, refuse, answer));
  return koa;
};
