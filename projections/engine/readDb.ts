/** The database of read models, with tables typed by the models that a query names. */
import type { Static, TObject } from '@sinclair/typebox';
import { Kysely, PostgresDialect, type PostgresPoolClient, type RawBuilder, type SqlBool, sql } from 'kysely';
import { kysely, type Pool, type PoolClient } from '../../infra/postgres.ts';

export const READ_SCHEMA = 'read';
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const tableName = (name: string): string => `${READ_SCHEMA}.${quoted(name)}`;

/** The database of read models. A query names the models that it reads: see `tables`. */
export type ReadDb = Kysely<unknown>;

export const readDb = (pool: Pool): ReadDb => kysely<unknown>(pool).withSchema(READ_SCHEMA);

/** Made once for a connection: each has a compiler with hundreds of methods, and a batch asks for many models. */
const inTransactions = new WeakMap<Pick<PoolClient, 'query'>, ReadDb>();

/** The same inside a transaction that the caller has begun. */
export const readDbIn = (client: Pick<PoolClient, 'query'>): ReadDb => {
  const known = inTransactions.get(client);
  if (known) return known;
  const query: PostgresPoolClient['query'] = client.query.bind(client);
  const release = () => undefined; // the client goes back to its pool when the caller ends the transaction
  const pool = { connect: () => Promise.resolve({ query, release }), end: () => Promise.resolve() };
  const made = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }).withSchema(READ_SCHEMA);
  inTransactions.set(client, made);
  return made;
};

/** What a query needs to know of a read model. */
interface Table {
  readonly name: string;
  readonly row: TObject;
}

/** Table → row, for these models. */
type TablesOf<M extends Table> = { [K in M as K['name']]: Static<K['row']> };

/** The tables of these models, typed by their rows: `tables(db, bookings, titles).selectFrom('bookings')`. */
export const tables = <const M extends readonly Table[]>(db: ReadDb, ..._models: M) =>
  db.withTables<TablesOf<M[number]>>();

/** The columns of a model's rows: without those that follow from them, which are in no reply. */
export const rowColumns = <S extends TObject>({ row }: { readonly row: S }) =>
  Object.keys(row.properties) as (keyof Static<S> & string)[];

/** Whether a column is one of these UUIDs. One parameter, so that the statement is the same for any number of them. */
export const isAnyOf = (column: string, ids: readonly string[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any(${ids}::uuid[])`;

/** The table of a model, for SQL text: `sql`select * from ${tableOf(rooms)}``. */
export const tableOf = ({ name }: Table): RawBuilder<unknown> => sql.raw(tableName(name));

/** The filters that were asked for, for `q.and(…)`: columns and the values that they must have. */
export const filtersOf = <T>(asked: Readonly<Record<string, T | undefined>>) =>
  Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
