/** What a client is told about the fields that do not fit a schema. */
import type { ErrorObject } from 'ajv';
import { SENT_YEARS, VISIBLE } from '../../infra/validation.ts';
import type { FieldError, FieldErrors } from './errors.ts';

/** The JSON Pointer of a field (RFC 6901) in what another pointer names. */
export const pointerTo = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Few people read a pattern: an example follows it, where the schema has one. */
const exampleOf = ({ keyword, parentSchema }: ErrorObject): string => {
  const [example] = keyword === 'pattern' && Array.isArray(parentSchema?.examples) ? parentSchema.examples : [];
  return example === undefined ? '' : `, such as ${String(example)}`;
};

const YEARS = `, in the years ${SENT_YEARS.first} to ${SENT_YEARS.last}`;

const detailOf = (error: ErrorObject): string => {
  const { additionalProperty, allowedValues, pattern, format } = error.params as Record<string, unknown>;
  if (additionalProperty !== undefined) return 'is not a known field';
  if (pattern === VISIBLE) return 'must not be only white space';
  if (format === 'date' || format === 'date-time') return `${error.message}${YEARS}`;
  const allowed = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : exampleOf(error);
  return `${error.message ?? 'is not valid'}${allowed}`;
};

const fieldError = (part: string, error: ErrorObject): FieldError => {
  const { missingProperty, additionalProperty } = error.params as Record<string, unknown>;
  const name = missingProperty ?? additionalProperty;
  const pointer = `/${part}${error.instancePath}`;
  return {
    pointer: name === undefined ? pointer : pointerTo(pointer, String(name)),
    detail: detailOf(error),
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

/** An entry for each wrong field, at most 20. @param errors at least one */
export const fieldErrors = (part: string, errors: readonly ErrorObject[]): FieldErrors => {
  const telling = errors
    .filter(({ keyword }) => !CHOICES.includes(keyword))
    .filter((error) => !isAlternative(error, errors))
    .slice(0, 20);
  const [first, ...more] = (telling.length > 0 ? telling : errors.slice(0, 1)).map((error) => fieldError(part, error));
  return [first ?? { pointer: `/${part}`, detail: 'is not valid', code: 'invalid' }, ...more];
};
