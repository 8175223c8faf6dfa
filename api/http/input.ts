/** Reads the input of a request and validates it against the schemas of its route. */
import type { TSchema } from '@sinclair/typebox';
import type { ErrorObject } from 'ajv';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { type Validator, validator } from '../../infra/validation.ts';
import { type FieldError, HttpError } from './errors.ts';
import { oversized } from './inputLimits.ts';
import type { Route } from './route.ts';

const JSON_LIMIT = 1024 * 1024;

/** Notifications of providers are small, and everybody can send one. */
const SIGNED_LIMIT = 64 * 1024;

const bodyReader = (limit: number) =>
  koaBody({
    jsonLimit: limit,
    textLimit: limit,
    formLimit: limit,
    jsonStrict: false,
    multipart: false,
    urlencoded: false,
    includeUnparsed: true,
  });

export interface Inputs {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly rawBody: string | undefined;
}

const fieldError = (part: string, error: ErrorObject): FieldError => {
  const { missingProperty, additionalProperty, allowedValues } = error.params as Record<string, unknown>;
  const name = missingProperty ?? additionalProperty;
  const allowed = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  return {
    pointer: `/${part}${error.instancePath}${name === undefined ? '' : `/${String(name)}`}`,
    detail: additionalProperty === undefined ? `${error.message ?? 'is not valid'}${allowed}` : 'is not a known field',
    code: error.keyword,
  };
};

/** Errors that only say that no alternative fits; others beside them say why. */
const CHOICES = ['anyOf', 'discriminator'];

/** Whether the error only says that the value is not null, while another one says what is wrong with it. */
const isAlternative = (error: ErrorObject, all: readonly ErrorObject[]): boolean =>
  error.keyword === 'type' &&
  error.params.type === 'null' &&
  all.some((other) => other !== error && !CHOICES.includes(other.keyword) && isWithin(other, error));
const isWithin = (inner: ErrorObject, outer: ErrorObject): boolean =>
  inner.instancePath === outer.instancePath || inner.instancePath.startsWith(`${outer.instancePath}/`);

/** An entry for each wrong field, at most 20. */
export const fieldErrors = (part: string, errors: readonly ErrorObject[]): FieldError[] =>
  errors
    .filter(({ keyword }) => !CHOICES.includes(keyword) || errors.length === 1)
    .filter((error) => !isAlternative(error, errors))
    .slice(0, 20)
    .map((error) => fieldError(part, error));

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

const check = (part: string, value: unknown, valid: Validator<TSchema> | undefined): unknown => {
  if (!valid) return undefined;
  refuseOversized(part, value);
  if (!valid(value)) throw invalid(part, valid.errors);
  if (part !== 'body') refuseOversized(part, value);
  return value;
};

const parseBody = async (
  ctx: Context,
  readBody: ReturnType<typeof bodyReader>,
  limit: number,
): Promise<{ body: unknown; rawBody: string | undefined }> => {
  const request = ctx.request as Context['request'] & { body?: unknown; rawBody?: string };
  try {
    await readBody(ctx as never, async () => undefined);
  } catch (error) {
    const { status, message } = error as { status?: number; message: string };
    if (status === 413) throw new HttpError('too_large', `The body is larger than ${limit / 1024} KiB.`);
    if (status === 415) throw new HttpError('unsupported_media_type', message);
    throw new HttpError('malformed_json', 'The body is not valid JSON.');
  }
  const { body, rawBody } = request;
  return { body: rawBody ? body : {}, rawBody };
};

/** The reader of the inputs of a route. */
export const inputReader = ({ spec, access }: Route) => {
  const params = spec.params && validator(spec.params, 'text');
  const query = spec.query && validator(spec.query, 'text');
  const body = spec.body && validator(spec.body);
  const limit = access === 'signed' ? SIGNED_LIMIT : JSON_LIMIT;
  const readBody = bodyReader(limit);

  return async (ctx: Context & { params: Record<string, string> }): Promise<Inputs> => {
    const found = { params: check('path', { ...ctx.params }, params), query: check('query', { ...ctx.query }, query) };
    if (!body && access !== 'signed') return { ...found, body: undefined, rawBody: undefined };
    if (ctx.request.length !== 0 && ctx.request.is('json') === false)
      throw new HttpError('unsupported_media_type', 'Send the body as application/json.');
    const sent = await parseBody(ctx, readBody, limit);
    return { ...found, body: check('body', sent.body, body), rawBody: sent.rawBody };
  };
};
