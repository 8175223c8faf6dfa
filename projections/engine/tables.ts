/** From a row schema to a Postgres table, and the statements that load and store rows in bulk. */
import { type Static, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import { Kysely, PostgresDialect, type PostgresPoolClient, type RawBuilder, sql } from 'kysely';
import { kysely, type Pool, type PoolClient } from '../../infra/postgres.ts';
import type { ReadModel } from './readModel.ts';

export const READ_SCHEMA = 'read';
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const tableName = (name: string): string => `${READ_SCHEMA}.${quoted(name)}`;

/** The database of read models. A query names the models that it reads: see `tables`. */
export type ReadDb = Kysely<unknown>;

export const readDb = (pool: Pool): ReadDb => kysely<unknown>(pool).withSchema(READ_SCHEMA);

/** The same inside a transaction that the caller has begun. */
export const readDbIn = (client: PoolClient): ReadDb => {
  const query: PostgresPoolClient['query'] = client.query.bind(client);
  const release = () => undefined; // the client goes back to its pool when the caller ends the transaction
  const pool = { connect: () => Promise.resolve({ query, release }), end: () => Promise.resolve() };
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }).withSchema(READ_SCHEMA);
};

/** Table → row, for these models. */
type TablesOf<M extends ReadModel> = { [K in M as K['name']]: Static<K['row']> };

/** The tables of these models, typed by their rows: `tables(db, bookings, titles).selectFrom('bookings')`. */
export const tables = <const M extends readonly ReadModel[]>(db: ReadDb, ..._models: M) =>
  db.withTables<TablesOf<M[number]>>();

/** The table of a model, for SQL text: `sql`select * from ${tableOf(rooms)}``. */
export const tableOf = ({ name }: ReadModel): RawBuilder<unknown> => sql.raw(tableName(name));

const nullable = (schema: TSchema): TSchema | undefined =>
  TypeGuard.IsUnion(schema) && schema.anyOf.length === 2 && schema.anyOf.some(TypeGuard.IsNull)
    ? schema.anyOf.find((inner) => !TypeGuard.IsNull(inner))
    : undefined;

const FORMATS: Readonly<Record<string, string>> = { uuid: 'uuid', date: 'date', 'date-time': 'timestamptz' };

/** The column type of a row property. Objects and arrays are `jsonb`; `{ column: 'text[]' }` in a schema overrides. */
export const columnType = (schema: TSchema): string => {
  if (typeof schema.column === 'string') return schema.column;
  const inner = nullable(schema);
  if (inner) return columnType(inner);
  switch (schema.type) {
    case 'string':
      return FORMATS[schema.format as string] ?? 'text';
    case 'integer':
      return 'bigint';
    case 'number':
      return 'double precision';
    case 'boolean':
      return 'boolean';
    default:
      return 'jsonb';
  }
};

export const columnsOf = (row: TObject): string[] => Object.keys(row.properties);

/** DDL for a model's table under any name: live, shadow of a rebuild, scratch of a verification. */
export const createTable = (model: ReadModel, name: string): string => {
  const columns = Object.entries(model.row.properties).map(
    ([column, schema]) => `${quoted(column)} ${columnType(schema)}${nullable(schema) ? '' : ' not null'}`,
  );
  return `create table ${tableName(name)} (${columns.join(', ')}, primary key (${model.key.map(quoted).join(', ')}))`;
};

/** Indexes are made after a rebuild has filled its table: building them once is cheaper than keeping them up. */
export const createIndexes = (model: ReadModel, name: string): string[] =>
  model.indexes.map((index) => {
    const [, kind = '', columns = ''] = /^(unique |gin )?(.*)$/.exec(index) ?? [];
    const unique = kind === 'unique ' ? 'unique ' : '';
    return `create ${unique}index on ${tableName(name)} ${kind === 'gin ' ? `using gin (${columns})` : `(${columns})`}`;
  });

/** Rows by key; `$1` is a JSON array of key objects. Keys come back as the row spells them. */
export const selectByKeys = (model: ReadModel, name: string): string => {
  const keys = model.key.map((k) => `${quoted(k)} ${columnType(model.row.properties[k] as TSchema)}`).join(', ');
  return `select t.* from ${tableName(name)} t join jsonb_to_recordset($1::jsonb) as k(${keys}) using (${model.key.map(quoted).join(', ')})`;
};

/** One upsert for a whole batch; `$1` is a JSON array of rows. */
export const upsertRows = (model: ReadModel, name: string): string => {
  const table = tableName(name);
  const columns = columnsOf(model.row).map(quoted);
  const others = columnsOf(model.row)
    .filter((c) => !model.key.includes(c))
    .map(quoted);
  const update =
    others.length > 0 ? `do update set ${others.map((c) => `${c} = excluded.${c}`).join(', ')}` : 'do nothing';
  const list = columns.join(', ');
  return `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, $1::json)
          on conflict (${model.key.map(quoted).join(', ')}) ${update}`;
};

export const deleteByKeys = (model: ReadModel, name: string): string => {
  const keys = model.key.map((k) => `${quoted(k)} ${columnType(model.row.properties[k] as TSchema)}`).join(', ');
  const same = model.key.map((k) => `t.${quoted(k)} = k.${quoted(k)}`).join(' and ');
  return `delete from ${tableName(name)} t using jsonb_to_recordset($1::jsonb) as k(${keys}) where ${same}`;
};
