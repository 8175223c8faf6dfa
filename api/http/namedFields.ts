/** Where the fields of a request are that a refusal names (`Fields` in `domain/core/decider.ts`), as JSON Pointers. */
import { type TSchema, TypeGuard } from '@sinclair/typebox';
import { Rejected } from '../../domain/core/decider.ts';
import type { FieldErrors } from './errors.ts';
import { pointerTo } from './fieldErrors.ts';
import type { DeclaredRoute } from './route.ts';

/** The schemas that a value of this one can have. */
const alternatives = (schema: TSchema): readonly TSchema[] => [
  schema,
  ...[...((schema.anyOf as TSchema[] | undefined) ?? []), ...((schema.oneOf as TSchema[] | undefined) ?? [])].flatMap(
    alternatives,
  ),
];

/** The schema of what a name has in a value of this schema; undefined when it has no such name. */
const member = (schema: TSchema, name: string): TSchema | undefined => {
  for (const one of alternatives(schema)) {
    if (TypeGuard.IsArray(one) && /^\d+$/.test(name)) return one.items;
    const found = (one.properties as Record<string, TSchema> | undefined)?.[name];
    if (found) return found;
    if (one.additionalProperties !== null && typeof one.additionalProperties === 'object')
      return one.additionalProperties as TSchema;
  }
  return undefined;
};

/** The pointer to a field, as far as the schema knows the way; undefined when it does not know the first step. */
const within = (part: string, schema: TSchema, names: readonly string[]): string | undefined => {
  let at = schema;
  let pointer = `/${part}`;
  for (const [step, name] of names.entries()) {
    const next = member(at, name);
    if (!next) return step === 0 ? undefined : pointer;
    pointer = pointerTo(pointer, name);
    at = next;
  }
  return pointer;
};

type Inputs = Pick<DeclaredRoute['spec'], 'body' | 'form' | 'query' | 'params' | 'headers'>;

const pointerOf = ({ body, form, query, params, headers = {} }: Inputs, field: string): string | undefined => {
  const names = field.split('/');
  const parts = { body: body ?? form, query, path: params };
  for (const [part, schema] of Object.entries(parts)) {
    const pointer = schema && within(part, schema, names);
    if (pointer !== undefined) return pointer;
  }
  const header = Object.keys(headers).some((name) => name.toLowerCase() === field);
  return header ? `/header/${field}` : undefined;
};

/** What an operation is about, where a refusal names no field that it has. */
const mainPart = ({ body, form, query, params }: Inputs): string => {
  if (body || form) return '/body';
  const [id] = Object.keys(params?.properties ?? {}).toReversed();
  return id === undefined ? `/${query ? 'query' : 'body'}` : `/path/${id}`;
};

/** The pointers of the fields, each once; one at least. */
const pointersOf = (inputs: Inputs, fields: readonly string[]): readonly [string, ...string[]] => {
  const [first, ...more] = new Set(fields.flatMap((field) => pointerOf(inputs, field) ?? []));
  return first === undefined ? [mainPart(inputs)] : [first, ...more];
};

/** A refusal of what a request says gets `errors`, one for each field; every other error stays as it is. */
export const withPointers = (inputs: Inputs, error: unknown): unknown => {
  if (!(error instanceof Rejected) || error.fields.length === 0) return error;
  const { code, message: detail, facts } = error;
  const [first, ...more] = pointersOf(inputs, error.fields).map((pointer) => ({ pointer, detail, code }));
  return first === undefined ? error : error.with({ ...facts, errors: [first, ...more] satisfies FieldErrors });
};
