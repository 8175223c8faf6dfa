/** The tables of the schema `ops` as lines: one JSON object a row, in the order of the primary key. */
import { laneJob } from '../../commands/push/laneJob.ts';
import type { PoolClient, Queryable } from '../../infra/postgres.ts';

/** What a backup leaves out: it is made again, or must not come back. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  // Made by the migrations.
  'migrations',
  'migration_lock',
  // Remembered anew: the first event has another position in another store.
  'log',
  // Of processes that run.
  'leases',
  'process_reports',
  'operators_told',
  'done_jobs',
  // Caches of the log, and the state of read models that are built anew.
  'snapshots',
  'known_accounts',
  'read_models',
  'rebuilds',
  'parked',
  // A session that has ended since the backup would live again: everybody signs in once more.
  'sessions',
  'refresh_tokens',
  // They expire within minutes, or belong to the sandbox.
  'rate_counts',
  'attempts',
  'oauth_states',
  'sms_codes',
  'sandbox_messages',
  // Where people are now: nobody may find out later.
  'live_positions',
]);

const FETCH = 1_000;

export interface OpsTable {
  readonly name: string;
  readonly key: readonly string[];
}

/**
 * The tables that a backup contains. Partitions are not named: their rows are read and inserted through their parent, so
 * that the migrations alone say how a table is divided.
 * @throws Error for a table without a primary key, and for one that counts its rows: a restore would repeat the numbers
 */
export const keptTables = async (db: Queryable): Promise<OpsTable[]> => {
  const { rows } = await db.query<{ name: string; key: string[] | null; counts: boolean }>(
    `select c.relname as name,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '') as counts, (
       select array_agg(a.attname::text order by k.n)
       from pg_index i, unnest(i.indkey::int2[]) with ordinality k (attnum, n), pg_attribute a
       where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum) as key
     from pg_class c where c.relnamespace = 'ops'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
  );
  return rows
    .filter(({ name }) => !LEFT_OUT.has(name))
    .map(({ name, key, counts }) => {
      if (!key) throw new Error(`the table ops.${name} has no primary key`);
      if (counts) throw new Error(`the table ops.${name} has an identity column: leave it out, or use UUIDs`);
      return { name, key };
    });
};

/** The steps that made the schema, in order. */
export const migrationsOf = async (db: Queryable): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>('select name from ops.migrations order by name');
  return rows.map(({ name }) => name);
};

/** The rows of a table. Call it inside a transaction, whose snapshot it reads. */
export async function* rowLines(client: PoolClient, { name, key }: OpsTable): AsyncGenerator<string> {
  const cursor = `backup_${name}`;
  const order = key.map((column) => `"${column}"`).join(', ');
  await client.query(
    `declare ${cursor} no scroll cursor for select row_to_json(t)::text as line from ops.${name} t order by ${order}`,
  );
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${FETCH} from ${cursor}`);
    for (const { line } of rows) yield line;
    if (rows.length < FETCH) break;
  }
  await client.query(`close ${cursor}`);
}

/**
 * Inserts rows as they were, into the schema as it was. What triggers would make of them is in the backup, too. Call it
 * inside a transaction.
 */
export const loadRows = async (client: PoolClient, table: string, lines: AsyncIterable<string>): Promise<void> => {
  const insert = (rows: readonly string[]) =>
    client.query(
      `insert into ops.${table} overriding system value
       select * from jsonb_populate_recordset(null::ops.${table}, $1::jsonb)`,
      [`[${rows.join(',')}]`],
    );
  await client.query(`alter table ops.${table} disable trigger user`);
  let batch: string[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < FETCH) continue;
    await insert(batch);
    batch = [];
  }
  if (batch.length > 0) await insert(batch);
  await client.query(`alter table ops.${table} enable trigger user`);
};

/** Rows that the steps of the schema make themselves: a database without others has no data. */
const MADE_BY_STEPS: Readonly<Record<string, string>> = { jobs: `kind = '${laneJob.kind}'` };

/** A table of `ops` that has data; undefined when none of those that a backup contains has. */
export const tableInUse = async (db: Queryable): Promise<string | undefined> => {
  for (const { name } of await keptTables(db)) {
    const { rowCount } = await db.query(
      `select 1 from ops.${name} where not (${MADE_BY_STEPS[name] ?? false}) limit 1`,
    );
    if (rowCount) return name;
  }
  return undefined;
};
