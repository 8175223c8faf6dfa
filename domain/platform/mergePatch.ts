/** JSON Merge Patch (RFC 7396): what a patch has is replaced, what it has as null is removed, the rest stays. */
import { type TSchema, Type, TypeGuard } from '@sinclair/typebox';
import { Nullable } from '../core/schema.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The target with the patch applied. Neither is changed. */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch))
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  return Object.fromEntries(merged);
};

/** The schema of the patches of a value: every member can be left out, or be null. Lists are replaced as a whole. */
export const patchOf = (schema: TSchema): TSchema => {
  if (TypeGuard.IsObject(schema)) {
    const { properties, required: _, type: __, $id: ___, ...options } = schema;
    const members = Object.entries(properties).map(([name, inner]) => [name, Type.Optional(Nullable(patchOf(inner)))]);
    return Type.Object(Object.fromEntries(members), options);
  }
  const { additionalProperties: inner } = schema;
  return typeof inner === 'object' ? { ...schema, additionalProperties: Nullable(patchOf(inner)) } : schema;
};
