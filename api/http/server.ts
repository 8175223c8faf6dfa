/** Koa, put together: what every request goes through, in order, and the mounting of the declared routes. */
import { createHash } from 'node:crypto';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { Position } from '../../domain/core/decider.ts';
import { formatPosition, parsePosition } from '../../eventstore/checkpoints.ts';
import { laterOf } from '../../eventstore/subscribe.ts';
import { derivedId, newId } from '../../infra/ids.ts';
import { validator } from '../../infra/validation.ts';
import type { App } from './app.ts';
import { actorOf, authenticate } from './authenticate.ts';
import { cors } from './cors.ts';
import { mountDocuments } from './documents.ts';
import { HttpError, toProblem } from './errors.ts';
import { type Answer, checkKey, once } from './idempotency.ts';
import { inputReader } from './input.ts';
import { type Service, services } from './operations.ts';
import { createRateLimits, type RateLimits } from './rateLimits.ts';
import { addressesOf, type Caller, mediaTypeOf, type Route } from './route.ts';

/** How long a reply waits for its projections before it says `x-projected: false`. */
const PROJECTED_WITHIN_MS = 2_000;
/** More at once are turned away with 503: a queue that only grows helps nobody. */
const MAX_IN_FLIGHT = 2_000;

interface State {
  requestId: string;
  service: Service;
  operation?: string;
  caller?: Caller;
}

/** Paths that no route knows: the prefix says which service would have had them, `platform` is the fallback. */
const serviceOf = (path: string): Service => {
  if (path.startsWith('/ota/')) return 'catalog';
  if (path.startsWith('/auth/')) return 'auth';
  const [, first] = /^\/api\/v1\/([^/]+)/.exec(path) ?? [];
  return services.find((service) => service === first) ?? 'platform';
};

/** Outermost: request id, timing, who answered, errors as problem+json, one log line. */
const envelope = (app: App): Koa.Middleware<State> => {
  let inFlight = 0;
  return async (ctx, next) => {
    const started = process.hrtime.bigint();
    ctx.state.requestId = newId();
    ctx.state.service = serviceOf(ctx.path);
    ctx.set('x-request-id', ctx.state.requestId);
    inFlight += 1;
    try {
      if (inFlight > MAX_IN_FLIGHT)
        throw new HttpError('unavailable', 'too busy, try again shortly', { headers: { 'retry-after': '1' } });
      await next();
    } catch (error) {
      sendProblem(ctx as unknown as Context & { state: State }, app, error);
    } finally {
      inFlight -= 1;
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      ctx.set('x-service', ctx.state.service);
      ctx.set('x-response-time-ms', ms.toFixed(1));
      app.observe.request(ctx.state.operation ?? 'none', ctx.status, ms);
      const { operation, requestId } = ctx.state;
      app.log.debug({ operation, status: ctx.status, ms: Math.round(ms), request_id: requestId }, 'request');
    }
  };
};

const sendProblem = (ctx: Context & { state: State }, app: App, error: unknown): void => {
  const { problem, headers, unexpected } = toProblem(error, ctx.state.requestId);
  if (unexpected)
    app.log.error({ err: error, request_id: ctx.state.requestId, operation: ctx.state.operation }, 'request failed');
  ctx.status = problem.status;
  ctx.set(headers);
  ctx.body = JSON.stringify(problem);
  ctx.set('content-type', 'application/problem+json');
};

const contextOf = (
  ctx: Context & { state: State },
  caller: Caller,
  commandId: string,
  wrote: (p: Position) => void,
): CommandContext => {
  const correlation = ctx.get('x-correlation-id');
  return {
    correlationId: /^[\w-]{8,64}$/.test(correlation) ? correlation : ctx.state.requestId,
    causationId: ctx.state.requestId,
    commandId,
    actor: actorOf(caller),
    ip: ctx.ip,
    at: new Date().toISOString(),
    onSettled: wrote,
  };
};

/** Waits for the projections a reply is about, and says how far the log is. */
const waitForProjections = async (ctx: Context, app: App, route: Route, position: Position): Promise<void> => {
  ctx.set('x-event-position', formatPosition(position));
  if (!route.spec.projections?.length || /\brespond-async\b/i.test(ctx.get('prefer'))) return;
  if (!(await app.positions.reached(position, PROJECTED_WITHIN_MS))) ctx.set('x-projected', 'false');
};

/** `x-min-position`: a read that must show at least what the client has seen happen. */
const waitForMinimum = async (ctx: Context, app: App): Promise<void> => {
  const asked = ctx.get('x-min-position');
  if (!asked) return;
  const position = parsePosition(asked);
  if (!position)
    throw new HttpError('validation_failed', 'x-min-position must be a position as x-event-position gives it');
  if (!(await app.positions.reached(position, PROJECTED_WITHIN_MS))) ctx.set('x-projected', 'false');
};

/**
 * If-None-Match, compared weakly (RFC 9110, 13.1.2). Koa's own `fresh` also heeds the request's Cache-Control, which is
 * meant for caches on the way: `fetch` sends `no-cache` with every conditional request.
 */
const hasCurrent = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

const send = (ctx: Context, route: Route, status: number, reply: unknown): void => {
  ctx.status = status;
  if (status === 204) return;
  const type = status >= 400 ? 'application/problem+json' : mediaTypeOf(route.spec.reply);
  const text = type === 'text/plain' ? String(reply) : JSON.stringify(reply);
  ctx.type = type;
  if (route.spec.cache) {
    ctx.set('cache-control', `private, max-age=${route.spec.cache.maxAge}`);
    const etag = `"${createHash('sha1').update(text).digest('base64url')}"`;
    ctx.set('etag', etag);
    if (hasCurrent(ctx.get('if-none-match'), etag)) {
      ctx.status = 304;
      return;
    }
  } else ctx.set('cache-control', 'no-store');
  ctx.body = text;
};

/** One request to one route: who, how often, what, then the handler. */
const endpoint = (app: App, limits: RateLimits, route: Route) => {
  const read = inputReader(route);
  const replyFits = app.http.checkReplies ? validator(route.spec.reply) : undefined;
  const status = route.spec.status ?? 200;

  return async (ctx: Context & { state: State; params: Record<string, string> }): Promise<void> => {
    ctx.state.service = route.service;
    ctx.state.operation = route.key;
    const setHeader = (name: string, value: string) => ctx.set(name, value);
    const header = (name: string) => ctx.get(name) || undefined;
    const caller = await authenticate(app, route.access, header).catch(async (error: unknown) => {
      await limits.count(null, ctx.ip, route.rate, setHeader);
      throw error;
    });
    ctx.state.caller = caller;
    await limits.count(caller, ctx.ip, route.rate, setHeader);
    const { params, query, body, rawBody } = await read(ctx);
    if (route.method === 'GET') await waitForMinimum(ctx, app);

    const run = async (commandId: string): Promise<Answer> => {
      let wrote: Position | null = null;
      const context = contextOf(ctx, caller, commandId, (position) => {
        wrote = laterOf(wrote, position);
      });
      const request = { ip: ctx.ip, header, headers: ctx.headers, setHeader, rawBody };
      const reply = await route.handle({ params, query, body, caller, context, request }, app);
      if (replyFits && status !== 204 && !replyFits(JSON.parse(JSON.stringify(reply))))
        throw new Error(`the reply of ${route.key} does not fit its schema: ${JSON.stringify(replyFits.errors)}`);
      return { status, reply, position: wrote && formatPosition(wrote) };
    };

    const key = route.spec.idempotent ? header('idempotency-key') : undefined;
    const answer = key ? await runOnce(ctx, app, route, caller, checkKey(key), body, run) : await run(newId());
    const position = answer.position ? parsePosition(answer.position) : undefined;
    if (position) await waitForProjections(ctx, app, route, position);
    send(ctx, route, answer.status, answer.reply);
  };
};

const runOnce = async (
  ctx: Context & { state: State },
  app: App,
  route: Route,
  caller: Caller,
  key: string,
  body: unknown,
  run: (commandId: string) => Promise<Answer>,
): Promise<Answer> => {
  const who = actorOf(caller).id;
  const person = caller?.kind === 'user' ? caller.id : derivedId('caller', who);
  const answer = await once(app, { caller: who, person, key, operation: route.key, path: ctx.path, body }, () =>
    run(derivedId('idempotency', who, route.key, key)).catch((error: unknown): Answer => {
      const { problem } = toProblem(error, ctx.state.requestId);
      if (problem.status >= 500 || problem.status === 429) throw error;
      return { status: problem.status, reply: problem, position: null };
    }),
  );
  if (answer.replayed) ctx.set('idempotency-replayed', 'true');
  return answer;
};

/** Fixed segments win over parameters, whatever the order of declaration. */
const bySpecificity = (a: { address: string }, b: { address: string }): number =>
  Number(a.address.includes(':')) - Number(b.address.includes(':')) || b.address.length - a.address.length;

/** The whole HTTP face. Listening is up to the caller. */
export const createServer = (app: App, routes: readonly Route[]): Koa => {
  const koa = new Koa<State>({ proxy: app.http.trustProxy > 0, maxIpsCount: app.http.trustProxy });
  koa.silent = true; // errors are answered and logged in `envelope`
  const router = new Router();
  const limits = createRateLimits(app.http.rateLimits);

  mountDocuments(router, app, routes);
  const mounted = routes.flatMap((route) => addressesOf(route).map((address) => ({ route, address })));
  const endpoints = new Map(routes.map((route) => [route, endpoint(app, limits, route)]));
  for (const { route, address } of mounted.toSorted(bySpecificity)) {
    const run = endpoints.get(route);
    if (run) router.register(address, [route.method], (ctx) => run(ctx as never));
  }

  koa.use(envelope(app));
  koa.use(cors(app.http.corsOrigins));
  koa.use(router.routes() as unknown as Koa.Middleware<State>);
  koa.use(async (ctx) => {
    const matched = (ctx as unknown as { matched?: { methods: string[] }[] }).matched ?? [];
    const allowed = [...new Set(matched.flatMap((layer) => layer.methods))];
    if (allowed.length > 0 && !allowed.includes(ctx.method))
      throw new HttpError('method_not_allowed', `${ctx.method} is not possible here`, {
        headers: { allow: allowed.join(', ') },
      });
    throw new HttpError('no_such_path', 'there is nothing at this address');
  });
  return koa as unknown as Koa;
};
