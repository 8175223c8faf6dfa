/**
 * The grammar of read model specs:
 *
 *     const rowsAfter = projection(accounts);
 *     expect(rowsAfter([happened('account', id, opened, at), …])).toEqual([{ id, role: 'tourist', … }]);
 *
 * Every row must fit the model's row schema, and its wire form must fit the declared schema of each audience, with no
 * undeclared field. A spec file fails when an event that the model handles is in none of its specs.
 */
import { randomUUID } from 'node:crypto';
import { type TSchema, TypeGuard } from '@sinclair/typebox';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterAll, expect } from 'vitest';
import { type AnyEvent, type Recorded, streamName } from '../../domain/core/decider.ts';
import { signLinksWith } from '../../infra/signedLinks.ts';
import { explain, validator } from '../../infra/validation.ts';
import { addressOf } from '../../projections/engine/channels.ts';
import { READ_SCHEMA, type ReadDb } from '../../projections/engine/readDb.ts';
import type { Json, ReadModel } from '../../projections/engine/readModel.ts';
import { formsOf } from '../../projections/engine/replies.ts';
import { audiences } from '../../projections/engine/wire.ts';

/** Wire forms show links to files. */
signLinksWith({ key: 'a key of specs', publicUrl: 'https://api.test' });

/** An event as it is read back. */
export const happened = <E extends AnyEvent>(
  category: string,
  streamId: string,
  event: E,
  at: string,
): Recorded<E> => ({
  ...event,
  id: randomUUID(),
  stream: streamName(category, streamId),
  category,
  streamId,
  revision: 0n,
  position: { commit: 0n, prepare: 0n },
  at,
  meta: {
    correlationId: randomUUID(),
    causationId: randomUUID(),
    commandId: randomUUID(),
    actor: { kind: 'system', id: 'test', role: 'system' },
    ip: null,
    at,
  },
});

/** The addresses of the channels that carry a change of this row. */
export const toldOn = (model: ReadModel, row: Json): string[] =>
  model.publishTo.flatMap(({ channel, idsOf }) => idsOf(row).map((id) => addressOf(channel, id)));

/** A database in which every table is empty. `onQuery` is called with each statement. */
export const createEmptyDb = (onQuery: (text: string) => void = () => undefined): ReadDb =>
  new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => onQuery(query.sql),
  }).withSchema(READ_SCHEMA);
export const emptyDb = createEmptyDb();

/** The schema with undeclared fields refused, at every depth. */
const closed = (schema: TSchema): TSchema => {
  if (TypeGuard.IsArray(schema)) return { ...schema, items: closed(schema.items) };
  if (TypeGuard.IsUnion(schema)) return { ...schema, anyOf: schema.anyOf.map(closed) };
  if (!TypeGuard.IsObject(schema)) return schema;
  const properties = Object.entries(schema.properties).map(([name, inner]) => [name, closed(inner)]);
  return { ...schema, properties: Object.fromEntries(properties), additionalProperties: false };
};

/** What is wrong with the wire forms of some rows, where other read models show nothing. */
const wrongWireForms = async ({ wire, name }: ReadModel, rows: readonly Json[]): Promise<string[]> => {
  const formFor = await formsOf(emptyDb, { wire }, rows, audiences);
  return audiences.flatMap((audience) => {
    const valid = validator(closed(wire.schemaFor(audience)));
    return rows
      .filter((row) => !valid(JSON.parse(formFor(row, audience).text)))
      .map(() => `${name} for ${audience}: ${explain(valid.errors)}`);
  });
};

/** Call once in a spec file for each model. Returns the model's rows after some events, in the order of their creation. */
export const projection = (model: ReadModel) => {
  const valid = validator(model.row);
  const seen = new Set<string>();
  const made: Json[] = [];
  afterAll(async () => {
    expect(await wrongWireForms(model, made)).toEqual([]);
    const unseen = [...model.handlers.keys()].filter((type) => !seen.has(type));
    expect(unseen, `events of ${model.name} that no spec has`).toEqual([]);
  });

  return (events: readonly Recorded[]): Json[] => {
    const rows = new Map<string, Json>();
    for (const event of events) {
      seen.add(event.type);
      const handler = model.handlers.get(event.type);
      for (const key of handler?.keys(event) ?? []) {
        const name = JSON.stringify(model.key.map((column) => key[column]));
        const row = handler?.fold(rows.get(name), event, key) ?? null;
        if (row === null) rows.delete(name);
        else if (valid(row)) {
          rows.set(name, row);
          made.push(row);
        } else throw new Error(`${event.type} makes a row that does not fit the schema: ${explain(valid.errors)}`);
      }
    }
    return [...rows.values()];
  };
};
