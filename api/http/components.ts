/** Schemas with an `$id` become components of the OpenAPI document: each is written once and referenced elsewhere. */
import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

export interface Components {
  /** A copy of a schema in which every schema with an `$id`, at any depth, is a reference to its component. */
  readonly refer: (schema: object) => object;
  /** The components so far, by name. */
  readonly schemas: () => Record<string, object>;
}

/** Collects components. `refer` throws when two different schemas have one name. */
export const collectComponents = (): Components => {
  const found = new Map<string, object>();

  const referred = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referred);
    if (value === null || typeof value !== 'object') return value;
    const { $id, ...rest } = value as Json;
    const copy = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, referred(inner)]));
    if (typeof $id !== 'string') return copy;
    const known = found.get($id);
    if (known && !isDeepStrictEqual(known, copy)) throw new Error(`two different schemas have the name ${$id}`);
    found.set($id, copy);
    return { $ref: `#/components/schemas/${$id}` };
  };

  return {
    refer: (schema) => referred(schema) as object,
    schemas: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};
