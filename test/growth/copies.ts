/** A history that grows: copies of the rows of every table, with ids that fit together. */

import type { Pool } from '../../infra/postgres.ts';
import { quoted } from '../../projections/engine/readDb.ts';

/** How many rows of each table are copied: the newest. */
const ORIGINALS = 3;

/** What is one for the whole system, or where copies would be work that starts. A person has a few devices. */
const NOT_COPIED =
  /^ops\.(jobs|read_models|migrations|schema_.*|leases|positions|checkpoints|sandbox_.*|parked|clients|.*_lanes?|settings.*|push_devices|push_deliveries)$|^read\.(checkpoints|.*versions?|tables|since_crash|projection.*)$/;

/** What has a limit by itself, so that one never has many of the other. */
const LIMITED: ReadonlySet<string> = new Set([
  // Members of a group.
  'read.participants.thread_id',
]);

interface Column {
  readonly name: string;
  readonly type: string;
  /** Whether the originals have ids in it. */
  readonly hasIds: boolean;
  readonly isKey: boolean;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const TABLES = `
  select n.nspname || '.' || c.relname as name, json_agg(json_build_object('name', a.attname, 'type', t.typname,
    'isKey', exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey)))
    order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  join pg_type t on t.oid = a.atttypid
  where n.nspname in ('read', 'ops') and c.relkind in ('r', 'p') and not c.relispartition
  group by 1 order by 1`;

/** Keeps the rows that are copied, and makes what changes ids. @returns the tables that have any */
export const keepOriginals = async (pool: Pool): Promise<Table[]> => {
  await pool.query(`create schema growth;
    create function growth.other(id uuid, k int) returns uuid language sql immutable return md5(id::text || k)::uuid;
    create function growth.other(id text, k int) returns text language sql immutable return
      coalesce(regexp_replace(id, '${UUID}', md5(substring(id from '${UUID}') || k)::uuid::text), id || k)`);
  const { rows } = await pool.query<{ name: string; columns: Omit<Column, 'hasIds'>[] }>(TABLES);
  const tables: Table[] = [];
  for (const { name, columns } of rows) {
    if (NOT_COPIED.test(name)) continue;
    const kept = keptName(name);
    await pool.query(`create table ${kept} as select * from ${name} order by ctid desc limit ${ORIGINALS}`);
    const ids = columns
      .filter(({ type }) => type === 'text')
      .map((each) => `bool_or(${quoted(each.name)} ~ '${UUID}')`);
    const found = await pool.query<{ rows: number; ids: (boolean | null)[] }>(
      `select count(*)::int as rows, array[${ids.join(', ')}]::boolean[] as ids from ${kept}`,
    );
    if (found.rows[0]?.rows === 0) continue;
    const texts = [...(found.rows[0]?.ids ?? [])];
    const described = columns.map((each) => ({
      ...each,
      hasIds: each.type === 'uuid' || (each.type === 'text' && texts.shift() === true),
    }));
    tables.push({ name, columns: described });
  }
  return tables;
};

const keptName = (table: string): string => `growth.${quoted(table)}`;

const WITHOUT_IDS: Readonly<Record<string, (column: string) => string>> = {
  int8: (column) => `${column} + k * 1000`,
  int4: (column) => `${column} + k * 1000`,
  date: (column) => `${column} + k`,
  timestamptz: (column) => `${column} + k * interval '1 second'`,
};

/** The values of copy `k` of a row: all ids are others, but those of one column, which all copies share. */
const valuesOf = ({ columns }: Table, shared: Column | undefined): string[] | undefined => {
  const isOther = (column: Column) => column.hasIds && column !== shared;
  const hasOwnKey = columns.some((column) => column.isKey && (isOther(column) || column.type in WITHOUT_IDS));
  if (!hasOwnKey && shared) return undefined;
  return columns.map((column) => {
    const name = `o.${quoted(column.name)}`;
    if (isOther(column)) return `growth.other(${name}, k)`;
    if (column.name === 'commit') return `${name} + k`;
    const vary = column.isKey && !column.hasIds ? WITHOUT_IDS[column.type] : undefined;
    if (vary) return vary(name);
    return column.isKey && !hasOwnKey && column.type === 'text' ? `${name} || '~' || k` : name;
  });
};

/** Adds the copies from one number to another: of each table for each column with ids, and with all ids changed. */
export const addCopies = async (pool: Pool, tables: readonly Table[], from: number, to: number): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set statement_timeout = 0`,
    );
    for (const table of tables) {
      const shared = [undefined, ...table.columns.filter(({ hasIds }) => hasIds)];
      const isLimited = (column: Column | undefined) => column && LIMITED.has(`${table.name}.${column.name}`);
      for (const [nth, column] of shared.entries()) {
        const values = isLimited(column) ? undefined : valuesOf(table, column);
        if (!values) continue;
        // Each column has copies of its own: with the same numbers they would be the same rows.
        const first = nth * 10_000;
        await client.query(
          `insert into ${table.name} (${table.columns.map(({ name }) => quoted(name)).join(', ')})
           overriding system value
           select ${values.join(', ')} from ${keptName(table.name)} o, generate_series(${first + from}, ${first + to}) k
           on conflict do nothing`,
        );
      }
    }
    await client.query('reset all; analyze');
  } finally {
    client.release();
  }
};
