/** What can be asked for: every GET, with each value of each of its filters and orders. */
import type { TSchema } from '@sinclair/typebox';
import { READS } from '../privacy/everyRead.ts';
import { pathsOf } from '../privacy/search.ts';
import type { Writer } from '../privacy/writer.ts';

/** What a value of a query may be, where its schema does not say. */
export interface Known {
  /** Name of a query field → ids that fit. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly today: string;
}

const literalsOf = (schema: TSchema): unknown[] =>
  schema.const !== undefined ? [schema.const] : (schema.enum ?? schema.anyOf?.flatMap(literalsOf) ?? []);

/** Values of a field: all that it may be if they are few, else one. */
const valuesOf = (name: string, schema: TSchema, { ids, today }: Known): readonly unknown[] => {
  const literals = literalsOf(schema);
  if (literals.length > 0) return literals;
  if (schema.type === 'boolean') return [true, false];
  if (schema.format === 'uuid') return ids.get(name) ?? [...(ids.values().next().value ?? [])].slice(0, 1);
  if (schema.format === 'date') return [today];
  if (schema.format === 'date-time') return [`${today}T00:00:00.000Z`];
  if (schema.type === 'integer' || schema.type === 'number') return [schema.minimum ?? 1];
  return ['mountain'];
};

const APART = new Set(['page', 'per_page', 'lang']);

/** Paths of requests, by the operation's key. */
export const requestsOf = (writer: Writer, known: Known): { readonly key: string; readonly paths: string[] }[] =>
  READS.map((route) => {
    const fields = Object.entries(route.spec.query?.properties ?? {}).filter(([name]) => !APART.has(name));
    const required = new Set(route.spec.query?.required ?? []);
    const first = (name: string, schema: TSchema) =>
      `${name}=${encodeURIComponent(String(valuesOf(name, schema, known)[0]))}`;
    const always = fields.filter(([name]) => required.has(name)).map(([name, schema]) => first(name, schema));
    const queries = [always];
    for (const [name, schema] of fields)
      for (const value of valuesOf(name, schema, known)) {
        const others = always.filter((each) => !each.startsWith(`${name}=`));
        queries.push([...others, `${name}=${encodeURIComponent(String(value))}`]);
      }
    const texts = [...new Set(queries.map((query) => query.join('&')))];
    return {
      key: route.key,
      paths: pathsOf(route.path, writer)
        .slice(0, 2)
        .flatMap((at) => texts.map((query) => (query ? `${at}?${query}` : at))),
    };
  });
