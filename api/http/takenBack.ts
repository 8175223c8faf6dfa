/**
 * A PUT takes what the GET of the same address returns: whoever changes one field and sends the rest back need not sort out
 * which of the others are only shown. Those are ignored.
 */
import { type TSchema, TypeGuard } from '@sinclair/typebox';

/** The fields that only the reply of a GET has, if the body of the PUT is about the same. */
export const onlyShown = (shown: TSchema, body: TSchema | undefined): string[] => {
  if (!TypeGuard.IsObject(body) || !TypeGuard.IsObject(shown)) return [];
  const names = Object.keys(shown.properties);
  const others = names.filter((name) => !Object.hasOwn(body.properties, name));
  return others.length < names.length ? others : [];
};

/** A body without these fields of its own. */
export const without = (names: readonly string[], sent: unknown): unknown => {
  if (names.length === 0 || sent === null || typeof sent !== 'object' || Array.isArray(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
};
