/** One request to one operation: who calls, how often, with what input; then the handler, then the reply. */
import { createHash } from 'node:crypto';
import type { RouterContext } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { Position } from '../../domain/core/decider.ts';
import { formatPosition, parsePosition } from '../../eventstore/checkpoints.ts';
import { laterOf } from '../../eventstore/subscribe.ts';
import { derivedId, newId } from '../../infra/ids.ts';
import { validator } from '../../infra/validation.ts';
import type { Service } from './access.ts';
import type { App } from './app.ts';
import { actorOf, authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { type Answered, HttpError } from './errors.ts';
import { requireFreshProof } from './freshProof.ts';
import { type Answer, checkKey, type KeyedRequest, once } from './idempotency.ts';
import { inputReader } from './input.ts';
import { chargesFor, chargesForBody, type RateLimits } from './rateLimits.ts';
import { mediaTypeOf, type Route } from './route.ts';

/** How long a reply waits for its projections before it says `x-projected: false`. */
const PROJECTED_WITHIN_MS = 2_000;

/** What is known of a request before and while its operation runs. */
export interface State {
  requestId: string;
  service: Service;
  operation?: string;
  /** The account or key that calls, once it is known. */
  account?: string;
}
export type Context = ParameterizedContext<State>;

/** How errors are answered. */
export type Problems = (error: unknown, requestId: string) => Answered;

const contextOf = (ctx: Context, caller: Caller, commandId: string, wrote: (p: Position) => void): CommandContext => {
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

/** Waits until the projections of a route show what was written, and sends the client the position. */
const waitForProjections = async (ctx: Context, app: App, route: Route, position: Position): Promise<void> => {
  ctx.set('x-event-position', formatPosition(position));
  const { projections } = route.spec;
  if (!projections?.length || /\brespond-async\b/i.test(ctx.get('prefer'))) return;
  if (!(await app.positions.reached(position, PROJECTED_WITHIN_MS, projections))) ctx.set('x-projected', 'false');
};

/** `x-min-position`: the read must show at least what happened up to this position. */
const waitForMinimum = async (ctx: Context, app: App): Promise<void> => {
  const asked = ctx.get('x-min-position');
  if (!asked) return;
  const position = parsePosition(asked);
  if (!position)
    throw new HttpError('validation_failed', 'x-min-position must be a value of the x-event-position header.');
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

/** The handler of a route, for the router. */
export const endpoint = (app: App, limits: RateLimits, problems: Problems, route: Route) => {
  const read = inputReader(route);
  const replyFits = app.http.checkReplies ? validator(route.spec.reply) : undefined;
  const status = route.spec.status ?? 200;

  return async (ctx: RouterContext<State>): Promise<void> => {
    ctx.state.service = route.service;
    ctx.state.operation = route.key;
    const setHeader = (name: string, value: string) => ctx.set(name, value);
    const header = (name: string) => ctx.get(name) || undefined;
    const onKnown = (id: string) => {
      ctx.state.account = id;
    };
    const caller = await authenticate(app, route, header, onKnown).catch((error: unknown) => {
      limits.count(chargesFor(route, null, ctx.ip), setHeader);
      throw error;
    });
    if (caller) onKnown(actorOf(caller).id);
    limits.count(chargesFor(route, caller, ctx.ip), setHeader);
    const countVerified = async (sender: string) =>
      limits.count(route.rate ? [{ policy: route.rate, to: sender }] : [], setHeader);
    const { params, query, body, rawBody } = await read(ctx);
    limits.count(chargesForBody(route, body, ctx.ip), setHeader);
    requireFreshProof(route.spec.freshProof, caller, body);
    if (route.method === 'GET') await waitForMinimum(ctx, app);

    const run = async (commandId: string): Promise<Answer> => {
      let wrote: Position | null = null;
      const context = contextOf(ctx, caller, commandId, (position) => {
        wrote = laterOf(wrote, position);
      });
      const request = { ip: ctx.ip, header, headers: ctx.headers, setHeader, rawBody, countVerified };
      const reply = await route.handle({ params, query, body, caller, context, request }, app);
      if (replyFits && status !== 204 && !replyFits(JSON.parse(JSON.stringify(reply))))
        throw new Error(`the reply of ${route.key} does not fit its schema: ${JSON.stringify(replyFits.errors)}`);
      return { status, reply, position: wrote && formatPosition(wrote) };
    };

    const key = route.spec.idempotent ? header('idempotency-key') : undefined;
    const answer = key
      ? await runOnce(ctx, app, problems, route, caller, checkKey(key), { params, body }, run)
      : await run(newId());
    const position = answer.position ? parsePosition(answer.position) : undefined;
    if (position) await waitForProjections(ctx, app, route, position);
    send(ctx, route, answer.status, answer.reply);
  };
};

const runOnce = async (
  ctx: Context,
  app: App,
  problems: Problems,
  route: Route,
  caller: Caller,
  key: string,
  input: Pick<KeyedRequest, 'params' | 'body'>,
  run: (commandId: string) => Promise<Answer>,
): Promise<Answer> => {
  const who = actorOf(caller).id;
  const person = caller?.kind === 'user' ? caller.id : derivedId('caller', who);
  const answer = await once(app, { caller: who, person, key, operation: route.key, ...input }, (commandId) =>
    run(commandId).catch((error: unknown): Answer => {
      const { problem } = problems(error, ctx.state.requestId);
      if (problem.status >= 500 || problem.status === 429) throw error;
      return { status: problem.status, reply: problem, position: null };
    }),
  );
  if (answer.replayed) ctx.set('idempotency-replayed', 'true');
  return answer;
};
