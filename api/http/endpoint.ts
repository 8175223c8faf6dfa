/** One request to one operation: who calls, how often, with what input; then the handler, then the reply. */
import { createHash } from 'node:crypto';
import type { TSchema } from '@sinclair/typebox';
import type { ParameterizedContext } from 'koa';
import type { CommandContext } from '../../commands/core/handle.ts';
import { type Position, Rejected } from '../../domain/core/decider.ts';
import { formatPosition, parsePosition } from '../../eventstore/checkpoints.ts';
import { laterOf } from '../../eventstore/subscribe.ts';
import { leftOf, withDeadline } from '../../infra/deadline.ts';
import { newId } from '../../infra/ids.ts';
import { jsonOf } from '../../infra/jsonText.ts';
import { formerOwnerOf } from '../../infra/tokens.ts';
import { explain, validator } from '../../infra/validation.ts';
import { addressOf } from '../../projections/engine/channels.ts';
import type { Service } from './access.ts';
import type { App } from './app.ts';
import { isGuarded } from './appModule.ts';
import { actorOf, authenticate, bearerToken, type Header } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { asksForChannelOffset, CHANNEL_OFFSET_HEADER, readAtOffset } from './channelOffset.ts';
import { changedStream, etagOf, hasCurrent, onlyAt, revisionsIn } from './conditional.ts';
import { type Answered, refuseHeader } from './errors.ts';
import { requireFreshProof } from './harm.ts';
import { type Answer, checkKey, type Worked } from './idempotency.ts';
import { inputReader } from './input.ts';
import type { Guard } from './module.ts';
import { withPointers } from './namedFields.ts';
import type { Place, Places } from './places.ts';
import { chargesFor, chargesForBody, type RateLimits } from './rateLimits.ts';
import { honoursKey, mediaTypeOf, type RequestFacts, type Route, successesOf, WithStatus } from './route.ts';
import { runOnce } from './runOnce.ts';
import { StreamReply } from './streamed.ts';

/** How long a reply waits for its projections before it says `x-projected: false`; in an emergency, no longer than is left. */
const PROJECTED_WITHIN_MS = 2_000;
/** In an emergency, what the stores may take together: what they do not do by then is not waited for. */
const IN_EMERGENCY_MS = 1_500;

/** What is known of a request before and while its operation runs. */
export interface State {
  requestId: string;
  place: Place;
  /** Undefined until it is known which operation answers. */
  service?: Service;
  operation?: string;
  /** The account or key that calls, once it is known. */
  account?: string;
  /** Of a problem that is answered. */
  code?: string;
  /** Further fields of a problem that is answered. */
  problemFields?: object;
}
export type Context = ParameterizedContext<State>;
/** Answers a request to an address. @param params the values in the place of its parameters, decoded */
export type Run = (ctx: Context, params: Readonly<Record<string, string>>) => unknown;

/** How errors are answered. */
export type Problems = (error: unknown, requestId: string) => Answered;

const contextOf = (
  ctx: Context,
  caller: Caller,
  command: Pick<CommandContext, 'commandId' | 'isFirstAttempt' | 'onlyAt'>,
  onSettled: CommandContext['onSettled'] & object,
): CommandContext => {
  const correlation = ctx.get('x-correlation-id');
  return {
    correlationId: /^[\w-]{8,64}$/.test(correlation) ? correlation : ctx.state.requestId,
    causationId: ctx.state.requestId,
    ...command,
    actor: actorOf(caller),
    ip: ctx.ip,
    at: new Date().toISOString(),
    onSettled,
  };
};

/** Waits until the projections of a route show what was written, and sends the client the position. */
const waitForProjections = async (ctx: Context, app: App, route: Route, position: Position): Promise<void> => {
  ctx.set('x-event-position', formatPosition(position));
  const { projections } = route.spec;
  if (!projections?.length || /\brespond-async\b/i.test(ctx.get('prefer'))) return;
  if (!(await app.positions.reached(position, leftOf(PROJECTED_WITHIN_MS), projections)))
    ctx.set('x-projected', 'false');
};

/** `x-min-position`: the read must show at least what happened up to this position. */
const waitForMinimum = async (ctx: Context, app: App, { spec }: Route): Promise<void> => {
  const asked = ctx.get('x-min-position');
  if (!asked) return;
  const position = parsePosition(asked);
  if (!position)
    return refuseHeader('x-min-position', 'format', 'x-min-position must be a value of the x-event-position header.');
  if (!(await app.positions.reached(position, PROJECTED_WITHIN_MS, spec.reads))) ctx.set('x-projected', 'false');
};

/** @throws Rejected `unavailable` */
const requireBuilt = ({ positions }: App, { spec: { needs } }: Route): void => {
  if (needs && !positions.areBuilt(needs))
    throw new Rejected('unavailable', 'This is prepared after an upgrade. Try again in some minutes.', {
      retry_after_s: 60,
    });
};

/** @param types of the successes, by status */
const send = (
  ctx: Context,
  app: App,
  route: Route,
  types: ReadonlyMap<number, string>,
  { status, reply }: Pick<Answer, 'status' | 'reply'>,
): void | Promise<void> => {
  if (reply instanceof StreamReply)
    return reply.send(ctx, {
      mediaType: mediaTypeOf(route.spec.reply),
      // When the connection has ended first, the client has all that it wanted: the rest of the stream fails by that.
      onFailure: (err) => ctx.res.destroyed || app.log.error({ err, operation: route.key }, 'a reply was cut off'),
    });
  ctx.status = status;
  if (status === 204) return;
  const type = types.get(status) ?? 'application/problem+json';
  // Encoded once, to be hashed, measured and sent.
  const body = Buffer.from(type.startsWith('text/') ? String(reply) : jsonOf(reply));
  ctx.type = type;
  const { cache } = route.spec;
  if (cache) {
    if (cache.shared === 'signed_out') ctx.vary('Authorization');
    // A reply without the position in the channel must not be given to who asks for it.
    if (route.spec.channel) ctx.vary('Prefer');
    const isShared = cache.shared === true || (cache.shared === 'signed_out' && ctx.state.account === undefined);
    const isOwn = cache.shared === 'signed_out' && !isShared;
    ctx.set(
      'cache-control',
      isOwn ? 'private, no-cache' : `${isShared ? 'public' : 'private'}, max-age=${cache.maxAge}`,
    );
    const { revisionOf } = cache;
    const [told] = revisionsIn(ctx.response.get('etag') || undefined) ?? [];
    if (revisionOf === 'told' && told === undefined) throw new Error(`${route.key} tells no revision`);
    const revision = typeof revisionOf === 'function' ? revisionOf(reply as never) : told;
    const etag = etagOf(createHash('sha1').update(body).digest('base64url'), revision);
    ctx.set('etag', etag);
    if (hasCurrent(ctx.get('if-none-match'), etag)) {
      ctx.status = 304;
      return;
    }
  } else ctx.set('cache-control', 'no-store');
  ctx.body = body;
};

/** Runs the operation; where the client prefers it, on one snapshot, whose place in a channel the reply then has. */
const handle = async (ctx: Context, app: App, route: Route, input: unknown): Promise<unknown> => {
  const { channel } = route.spec;
  const id = channel && asksForChannelOffset(ctx.get('prefer')) ? channel.id(input as never) : undefined;
  if (!channel || id === undefined) return route.handle(input, app);
  const read = async (at: App) => route.handle(input, at);
  const { reply, offset } = await readAtOffset(app, addressOf(channel.of, id), read);
  if (offset) ctx.set(CHANNEL_OFFSET_HEADER, offset);
  return reply;
};

/** What all operations share. */
interface Shared {
  readonly limits: RateLimits;
  readonly guards: readonly Guard[];
  readonly problems: Problems;
  readonly places: Places;
}

/** The handler of a route, for the router. */
export const endpoint = (everyday: App, { limits, guards, problems, places }: Shared, route: Route): Run => {
  const app = route.access === 'emergency' ? (everyday.forEmergencies ?? everyday) : everyday;
  const read = inputReader(route);
  const usual = route.spec.status ?? 200;
  const successes = [...successesOf(route.spec)];
  const fits = new Map(app.http.checkReplies ? successes.map(([status, { reply }]) => [status, validator(reply)]) : []);
  const { digestOf } = route.spec;
  const isSecret = Object.values<TSchema>(route.spec.body?.properties ?? {}).some(
    ({ writeOnly }) => writeOnly === true,
  );
  const types = new Map(successes.map(([status, { reply }]) => [status, mediaTypeOf(reply)]));
  /** @throws Error when the reply is not one that the route declares */
  const check = (status: number, reply: unknown): void => {
    if (!successes.some(([declared]) => declared === status))
      throw new Error(`${route.key} does not declare the status ${status}`);
    const replyFits = fits.get(status);
    if (replyFits && status !== 204 && !(reply instanceof StreamReply) && !replyFits(JSON.parse(jsonOf(reply))))
      throw new Error(`the reply of ${route.key} does not fit its schema: ${explain(replyFits.errors)}`);
  };

  const work = async (ctx: Context, segments: Readonly<Record<string, string>>): Promise<void> => {
    ctx.state.service = route.service;
    ctx.state.operation = route.key;
    if (route.spec.onProblem) ctx.state.problemFields = route.spec.onProblem(app);
    const setHeader = (name: string, value: string) => void ctx.res.setHeader(name, value);
    const header = (name: string) => ctx.get(name) || undefined;
    const onKnown = (id: string) => {
      ctx.state.account = id;
    };
    const known = await authenticate(app, route, header, onKnown).then(
      (caller) => ({ caller }),
      async (error: unknown) => {
        limits.count(chargesFor(route, null, ctx.ip), setHeader);
        const reply = await repeatedReply(app, route, header);
        if (reply === undefined) throw error;
        return { reply };
      },
    );
    if ('reply' in known) return send(ctx, app, route, types, { status: usual, reply: known.reply });
    const { caller } = known;
    if (caller) onKnown(actorOf(caller).id);
    limits.count(chargesFor(route, caller, ctx.ip), setHeader);
    if (isGuarded(route.module, route.access))
      for (const guard of guards) await guard(app, route.module, { caller, ip: ctx.ip });
    const countVerified = async (sender: string) =>
      limits.count(route.rate ? [{ policy: route.rate, to: sender }] : [], setHeader);
    requireFreshProof(route.harm, caller);
    const { params, query, body, rawBody, ignored } = await read(ctx, segments, (reading) =>
      ctx.state.place.receive(ctx.req, ctx.state.account, reading),
    );
    limits.count(chargesForBody(route, body, ctx.ip), setHeader);
    requireFreshProof(route.harm, caller, body);
    requireBuilt(app, route);
    if (route.method === 'GET') await waitForMinimum(ctx, app, route);

    const key = caller && honoursKey(route) ? header('idempotency-key') : undefined;
    const isKeyed = key !== undefined;
    const changed = changedStream(route, params);
    const run = async (command: Pick<CommandContext, 'commandId' | 'isFirstAttempt'>): Promise<Worked> => {
      let wrote: Position | null = null;
      let received: string | undefined;
      const context = contextOf(ctx, caller, { ...command, ...onlyAt(changed, header('if-match')) }, (position, of) => {
        wrote = laterOf(wrote, position);
        if (of && of.stream === changed) setHeader('etag', etagOf('', Number(of.revision)));
      });
      const stream = route.spec.form && ctx.req;
      const request: RequestFacts = {
        ...{ ip: ctx.ip, header, headers: ctx.headers, setHeader, rawBody, ignored, stream, countVerified },
        ...(isKeyed && {
          received: (digest) => {
            received = digest;
          },
        }),
      };
      const input = { params, query, body, caller, context, request };
      const work = () =>
        handle(ctx, app, route, input).catch((error: unknown) => {
          throw withPointers(route.spec, error);
        });
      const answered = await (stream ? places.upload(actorOf(caller).id, work) : work());
      const { status, reply } = answered instanceof WithStatus ? answered : { status: usual, reply: answered };
      check(status, reply);
      const etag = ctx.response.get('etag') || null;
      return { status, reply, position: wrote && formatPosition(wrote), etag, received };
    };

    const digest = digestOf && (() => places.upload(actorOf(caller).id, () => digestOf(ctx.req)));
    const asked = { operation: route.key, params, query, body, isSecret, ...(digest && { digest }) };
    const repeatable = (key: string) =>
      runOnce(
        app,
        caller,
        { key: checkKey(key), ...asked },
        (error) => problems(error, ctx.state.requestId).problem,
        (commandId) => run({ commandId }),
      );
    const answer = key ? await repeatable(key) : await run({ commandId: newId(), isFirstAttempt: true });
    if ('replayed' in answer && answer.replayed) ctx.set('idempotency-replayed', 'true');
    if (answer.etag !== null) ctx.set('etag', answer.etag);
    const position = answer.position ? parsePosition(answer.position) : undefined;
    if (position) await waitForProjections(ctx, app, route, position);
    await send(ctx, app, route, types, answer);
  };
  return route.access === 'emergency'
    ? (ctx, segments) => withDeadline(IN_EMERGENCY_MS, () => work(ctx, segments))
    : work;
};

/** What is answered to somebody whose session has ended by the same operation before; undefined: nothing. */
const repeatedReply = async (app: App, { spec }: Route, header: Header): Promise<unknown> => {
  const accountId = spec.repeated && (await formerOwnerOf(app.settings, bearerToken(header) ?? ''));
  return accountId ? spec.repeated?.(accountId, app) : undefined;
};
