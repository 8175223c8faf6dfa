/** Reads the input of a request and validates it against the schemas of its route. */
import { Readable } from 'node:stream';
import type { TSchema } from '@sinclair/typebox';
import type { ErrorObject } from 'ajv';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { TimedOut, withTimeout } from '../../infra/retry.ts';
import { isDiskFault } from '../../infra/storeFaults.ts';
import { type Validator, validator } from '../../infra/validation.ts';
import { needsNoBody, withoutNonsense } from './emergencies.ts';
import { HttpError } from './errors.ts';
import { fieldErrors } from './fieldErrors.ts';
import { oversized } from './inputLimits.ts';
import { withAnyItems, withoutItems } from './itemwise.ts';
import { watchRate } from './leastRate.ts';
import type { Route } from './route.ts';

const JSON_LIMIT = 1024 * 1024;

/** Notifications of providers are small, and everybody can send one. */
const SIGNED_LIMIT = 64 * 1024;

/** Read although nothing limits the requests. */
const EMERGENCY_LIMIT = 16 * 1024;
/** So long a body may take to arrive that is read into memory. */
const WITHIN_MS = 30_000;
/** So long an alarm waits for a body that it does not need. */
const ALARM_WITHIN_MS = 3_000;

const METHODS = [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE];

/** Waits for a body that is being read (`Place`). */
type Receive = <T>(reading: Promise<T>) => Promise<T>;

/** @param moreTypes media types of JSON bodies beside the usual one */
const bodyReader = (limit: number, moreTypes: readonly string[] = []) =>
  koaBody({
    jsonLimit: limit,
    textLimit: limit,
    formLimit: limit,
    jsonStrict: false,
    jsonTypes: ['application/json', ...moreTypes],
    multipart: false,
    urlencoded: false,
    includeUnparsed: true,
    parsedMethods: METHODS,
  });

/**
 * Loads what a reader loads with its first body. To be awaited at the start: later there may be no file that can be opened,
 * and an alarm would be recorded without what it says.
 */
export const loadBodyReader = async (): Promise<void> => {
  const req = Object.assign(Readable.from(['{}']), { headers: {} });
  const ctx = { method: 'POST', req, request: {}, is: () => 'json' };
  await bodyReader(JSON_LIMIT)(ctx as never, async () => undefined);
};

export interface Inputs {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly rawBody: string | undefined;
  /** Of an emergency: what was left out of the body (`Understood`). */
  readonly ignored: readonly string[];
}

/** 422 with an entry for each wrong field; `detail` has the first three. */
const invalid = (part: string, errors: readonly ErrorObject[]): HttpError => {
  const fields = fieldErrors(part, errors);
  const detail = fields
    .slice(0, 3)
    .map((field) => `${field.pointer} ${field.detail}`)
    .join('; ');
  return new HttpError('validation_failed', detail, { errors: fields });
};

/** Conversion from text makes new values, such as `Infinity` of `1e999`, for which Ajv checks no bounds. */
const refuseOversized = (part: string, value: unknown): void => {
  const problem = oversized(value);
  if (problem) throw new HttpError('validation_failed', `${part} ${problem}`);
};

/** @param itemwise a list whose items the handler checks, their size too */
const check = (part: string, value: unknown, valid: Validator<TSchema> | undefined, itemwise?: string): unknown => {
  if (!valid) return undefined;
  refuseOversized(part, itemwise === undefined ? value : withoutItems(value, itemwise));
  if (!valid(value)) throw invalid(part, valid.errors);
  // Also what its texts have become: cleaned, one can read as that of an account that was erased.
  refuseOversized(part, itemwise === undefined ? value : withoutItems(value, itemwise));
  return value;
};

const parseBody = async (
  ctx: Context,
  readBody: ReturnType<typeof bodyReader>,
  limit: number,
  withinMs: number,
  isRateFree: boolean,
  receive: Receive,
): Promise<{ body: unknown; rawBody: string | undefined }> => {
  const request = ctx.request as Context['request'] & { body?: unknown; rawBody?: string };
  let endWatch: (() => void) | undefined;
  const slow = new Promise<never>((_, reject) => {
    if (!isRateFree) endWatch = watchRate(ctx.req, () => reject(new TimedOut('the body arrives too slowly')));
  });
  const reading = readBody(ctx as never, async () => undefined);
  reading.catch(() => undefined); // also one that fails after its time is over
  try {
    await receive(withTimeout(Promise.race([reading, slow]), withinMs, 'the body'));
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (error instanceof TimedOut)
      throw new HttpError('too_slow', 'The body did not arrive in time.', { headers: { connection: 'close' } });
    if (isDiskFault(error)) throw error;
    const { status, message } = error as { status?: number; message: string };
    if (status === 413) throw new HttpError('too_large', `The body is larger than ${limit / 1024} KiB.`);
    if (status === 415) throw new HttpError('unsupported_media_type', message);
    throw new HttpError('malformed_json', 'The body is not valid JSON.');
  } finally {
    endWatch?.();
  }
  const { body, rawBody } = request;
  return { body: rawBody ? body : {}, rawBody };
};

const limitOf = (access: Route['access']): number => {
  if (access === 'emergency') return EMERGENCY_LIMIT;
  return access === 'signed' ? SIGNED_LIMIT : JSON_LIMIT;
};

/** How long the body of a route may take to arrive. */
export const bodyWithinMs = (route: Pick<Route, 'spec' | 'access'>): number =>
  needsNoBody(route) ? ALARM_WITHIN_MS : WITHIN_MS;

/** The reader of the inputs of a route. */
export const inputReader = (route: Pick<Route, 'spec' | 'access'>, withinMs = bodyWithinMs(route)) => {
  const { spec, access } = route;
  const isBodyNeeded = !needsNoBody(route);
  const params = spec.params && validator(spec.params, 'text');
  const query = spec.query && validator(spec.query, 'text');
  const { itemwise } = spec;
  const body =
    spec.body &&
    validator(
      itemwise === undefined ? spec.body : withAnyItems(spec.body, itemwise),
      access === 'signed' ? 'signed' : 'body',
    );
  const limit = spec.bodyLimit ?? limitOf(access);
  const accepted = ['application/json', ...(spec.bodyTypes ?? [])];
  const readBody = bodyReader(limit, spec.bodyTypes);

  const parse = async (ctx: Context, receive: Receive): ReturnType<typeof parseBody> => {
    if (ctx.request.length !== 0 && ctx.request.is(accepted) === false)
      throw new HttpError('unsupported_media_type', `Send the body as ${accepted.join(' or ')}.`);
    return parseBody(ctx, readBody, limit, withinMs, access === 'emergency', receive);
  };

  return async (
    ctx: Context & { params: Record<string, string> },
    receive: Receive = (reading) => reading,
  ): Promise<Inputs> => {
    const found = { params: check('path', { ...ctx.params }, params), query: check('query', { ...ctx.query }, query) };
    if (spec.form && !ctx.request.is('multipart/form-data'))
      throw new HttpError('unsupported_media_type', 'Send the body as multipart/form-data.');
    if (!body && access !== 'signed') return { ...found, body: undefined, rawBody: undefined, ignored: [] };
    const { body: sent, rawBody } = await parse(ctx, receive).catch((error: unknown) => {
      if (isBodyNeeded) throw error;
      return { body: undefined, rawBody: undefined };
    });
    const isEmergency = access === 'emergency' && body !== undefined;
    const { body: given, ignored } = isEmergency ? withoutNonsense(sent, body) : { body: sent, ignored: [] };
    return { ...found, body: check('body', given, body, itemwise), rawBody, ignored };
  };
};
