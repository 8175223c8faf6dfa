/** Reads the input of a request and validates it against the schemas of its route. */
import { Readable } from 'node:stream';
import { type TSchema, Type } from '@sinclair/typebox';
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
import { isWellEncoded } from './routing.ts';
import { without } from './takenBack.ts';

const JSON_LIMIT = 1024 * 1024;

/** Notifications of providers are small, and everybody can send one. */
const SIGNED_LIMIT = 64 * 1024;

/** Read although nothing limits the requests. */
const EMERGENCY_LIMIT = 16 * 1024;
/** So long a body may take to arrive that is read into memory. */
const WITHIN_MS = 30_000;

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
  const wrong = oversized(value);
  if (!wrong) return;
  const [pointer, detail] = [`/${part}${wrong.pointer}`, wrong.detail];
  throw new HttpError('validation_failed', `${pointer} ${detail}`, { errors: [{ pointer, detail, code: 'size' }] });
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

/**
 * Watches what arrives of a body without reading it.
 * @returns whether all of it is UTF-8: the reader would put U+FFFD in the place of other bytes
 */
const watchUtf8 = (req: Context['req']): (() => boolean) => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  const decode = (chunk?: Buffer): void => {
    try {
      if (isUtf8) decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      isUtf8 = false;
    }
  };
  req.prependListener('data', decode); // `on` would start the reading
  return () => {
    req.off('data', decode);
    decode();
    return isUtf8;
  };
};

/**
 * A body is UTF-8 and as it is: what is encoded in another way would be stored as other words, or be larger than it is
 * announced.
 * @throws HttpError 415
 */
const refuseEncoded = (ctx: Context): void => {
  const coding = ctx.get('content-encoding').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity')
    throw new HttpError(
      'unsupported_media_type',
      `Send the body without Content-Encoding: ${coding} is not accepted.`,
      {
        headers: { 'accept-encoding': 'identity' },
      },
    );
  const { charset } = ctx.request;
  if (charset !== '' && !/^utf-?8$/i.test(charset))
    throw new HttpError('unsupported_media_type', `Send the body in UTF-8: the charset ${charset} is not accepted.`);
};

const NOT_UTF8 = 'The body has bytes that are not UTF-8.';

interface BodyReading {
  readonly readBody: ReturnType<typeof bodyReader>;
  /** In bytes. */
  readonly limit: number;
  readonly withinMs: number;
  /** Of an emergency: no rate is asked, and bytes that are not UTF-8 are read as far as possible. */
  readonly isLenient: boolean;
}

/**
 * A body that the reader refuses only because it has a field `__proto__`. Parsing gives that field no meaning; it is refused
 * where it is (`inputLimits.ts`), so that one such item does not refuse a whole list.
 */
const readDespiteName = (error: unknown): { body: unknown; rawBody: string } | undefined => {
  const { body: text } = error as { body?: unknown };
  if (typeof text !== 'string') return undefined;
  try {
    return { body: JSON.parse(text), rawBody: text };
  } catch {
    return undefined;
  }
};

/** @returns the parsed body and its text, both undefined when there is none */
const parseBody = async (
  ctx: Context,
  { readBody, limit, withinMs, isLenient }: BodyReading,
  receive: Receive,
): Promise<{ body: unknown; rawBody: string | undefined }> => {
  const request = ctx.request as Context['request'] & { body?: unknown; rawBody?: string };
  let endWatch: (() => void) | undefined;
  const slow = new Promise<never>((_, reject) => {
    if (!isLenient) endWatch = watchRate(ctx.req, () => reject(new TimedOut('the body arrives too slowly')));
  });
  const isUtf8 = isLenient ? () => true : watchUtf8(ctx.req);
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
    const read = isUtf8() ? readDespiteName(error) : undefined;
    if (read) return read;
    throw new HttpError('malformed_json', isUtf8() ? 'The body is not valid JSON.' : NOT_UTF8);
  } finally {
    endWatch?.();
  }
  if (!isUtf8()) throw new HttpError('malformed_json', NOT_UTF8);
  const { body, rawBody } = request;
  return rawBody ? { body, rawBody } : { body: undefined, rawBody: undefined };
};

const limitOf = (access: Route['access']): number => {
  if (access === 'emergency') return EMERGENCY_LIMIT;
  return access === 'signed' ? SIGNED_LIMIT : JSON_LIMIT;
};

/** How long the body of a route may take to arrive. */
export const bodyWithinMs = ({ spec }: Pick<Route, 'spec'>): number => spec.bodyWithinMs ?? WITHIN_MS;

/** What an operation takes whose body is missing. `{}` only where that fits. @throws HttpError 400 of a PUT, otherwise 422 */
const withoutBody = (method: string, body: Validator<TSchema>): unknown => {
  // An empty body of a PUT would put nothing in the place of everything.
  if (method === 'PUT') throw new HttpError('malformed_json', 'The body is missing: send what is to be stored.');
  if (body({})) return {};
  const [pointer, detail] = ['/body', 'is missing'];
  throw new HttpError('validation_failed', `${pointer} ${detail}`, { errors: [{ pointer, detail, code: 'required' }] });
};

/** Whether an operation needs a body: nothing that fits can be left out. */
export const requiresBody = ({ method, spec }: Pick<Route, 'method' | 'spec'>): boolean =>
  spec.body !== undefined && (method === 'PUT' || !validator(spec.body, 'body')({}));

/** Of an operation that declares no query: every field is unknown. */
const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** @returns undefined when the query does not matter */
const queryValidator = ({ query, openQuery }: Route['spec']): Validator<TSchema> | undefined => {
  if (query) return validator(query, 'text');
  return openQuery === undefined ? validator(NO_QUERY, 'text') : undefined;
};

/** The reader of the inputs of a route. */
export const inputReader = (route: Pick<Route, 'method' | 'spec' | 'access'>, withinMs = bodyWithinMs(route)) => {
  const { method, spec, access } = route;
  const isEmergency = access === 'emergency';
  const isBodyNeeded = !needsNoBody(route);
  const params = spec.params && validator(spec.params, 'text');
  const query = queryValidator(spec);
  const { itemwise } = spec;
  const body =
    spec.body &&
    validator(
      itemwise === undefined ? spec.body : withAnyItems(spec.body, itemwise),
      access === 'signed' ? 'signed' : 'body',
    );
  const limit = spec.bodyLimit ?? limitOf(access);
  const accepted = ['application/json', ...(spec.bodyTypes ?? [])];
  const reading = { readBody: bodyReader(limit, spec.bodyTypes), limit, withinMs, isLenient: isEmergency };

  const parse = async (ctx: Context, receive: Receive): ReturnType<typeof parseBody> => {
    if (ctx.request.length !== 0 && ctx.request.is(accepted) === false)
      throw new HttpError('unsupported_media_type', `Send the body as ${accepted.join(' or ')}.`);
    if (!isEmergency) refuseEncoded(ctx);
    return parseBody(ctx, reading, receive);
  };

  return async (
    ctx: Context,
    segments: Readonly<Record<string, string>>,
    receive: Receive = (reading) => reading,
  ): Promise<Inputs> => {
    if (spec.openQuery === undefined && !isWellEncoded(ctx.querystring))
      throw new HttpError('bad_request', 'The query is not valid: percent-encode it as UTF-8, such as %C3%A9.');
    const found = { params: check('path', { ...segments }, params), query: check('query', { ...ctx.query }, query) };
    if (spec.form) {
      if (!ctx.request.is('multipart/form-data'))
        throw new HttpError('unsupported_media_type', 'Send the body as multipart/form-data.');
      refuseEncoded(ctx);
    }
    if (!body && access !== 'signed') return { ...found, body: undefined, rawBody: undefined, ignored: [] };
    const { body: sent, rawBody } = await parse(ctx, receive).catch((error: unknown) => {
      if (isBodyNeeded) throw error;
      return { body: null, rawBody: undefined };
    });
    if (!body) return { ...found, body: undefined, rawBody, ignored: [] };
    if (isEmergency) {
      const { body: given, ignored } = withoutNonsense(sent === undefined ? {} : sent, body, spec.body as TSchema);
      return { ...found, body: check('body', given, body, itemwise), rawBody, ignored };
    }
    const given = rawBody === undefined ? withoutBody(method, body) : sent;
    const taken = without(spec.ignored ?? [], given);
    return { ...found, body: check('body', taken, body, itemwise), rawBody, ignored: [] };
  };
};
