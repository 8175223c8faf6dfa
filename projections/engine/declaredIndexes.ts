/**
 * Indexes of live tables, and what PostgreSQL plans with, as their models declare them. A new index needs no new version of its model: it is made beside
 * everything that reads and writes, and one that is not declared any more goes.
 */
import type { Logger } from '../../infra/log.ts';
import { inTransaction, type Pool, type PoolClient, unboundedAlone } from '../../infra/postgres.ts';
import { READ_SCHEMA, tableName } from './readDb.ts';
import type { ReadModel } from './readModel.ts';
import { createIndexes, finishTable, followsNow } from './tables.ts';
import { isCurrent, tableVersions } from './tableVersions.ts';

interface Index {
  readonly name: string;
  /** What PostgreSQL calls it, without names: `UNIQUE btree (user_id, created_at DESC)`. */
  readonly form: string;
  /** False while it is being made, and when that has failed. */
  readonly isValid: boolean;
}

const INDEXES = `
  select c.oid::regclass::text as name, i.indisvalid as "isValid",
    case when i.indisunique then 'UNIQUE ' else '' end || regexp_replace(pg_get_indexdef(c.oid), '^.*? USING ', '') as form
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = to_regclass($1) and not i.indisprimary`;

const indexesOf = async (client: Pool | PoolClient, table: string): Promise<Index[]> =>
  (await client.query<Index>(INDEXES, [table])).rows;

/** Each declared index in PostgreSQL's own words: the statement that makes it → its form. */
const declaredIndexes = (pool: Pool, model: ReadModel): Promise<ReadonlyMap<string, string>> =>
  inTransaction(pool, async (client) => {
    const [table, empty] = [tableName(model.name), 'pg_temp.declared'];
    await client.query(`create temporary table declared (like ${table}) on commit drop`);
    const forms = new Map<string, string>();
    const seen = new Set<string>();
    for (const statement of createIndexes(model, model.name)) {
      await client.query(statement.replace(` on ${table} `, ` on ${empty} `));
      const [made] = (await indexesOf(client, empty)).filter(({ name }) => !seen.has(name));
      if (!made) throw new Error(`no index came of: ${statement}`);
      seen.add(made.name);
      forms.set(statement, made.form);
    }
    return forms;
  });

/** Those whose live table is not as declared: of an earlier release, or half done. */
const notFollowed = async (pool: Pool, models: readonly ReadModel[]): Promise<ReadModel[]> => {
  const { rows } = await pool.query<{ name: string; comment: string | null }>(
    `select relname::text as name, obj_description(oid, 'pg_class') as comment from pg_class
     where relnamespace = to_regnamespace($1) and relkind = 'r'`,
    [READ_SCHEMA],
  );
  const comments = new Map(rows.map(({ name, comment }) => [name, comment]));
  return models.filter((model) => comments.get(model.name) !== followsNow(model));
};

/**
 * Makes the indexes that live tables lack and drops those that no model declares. Nobody waits for it: rows are read and
 * written meanwhile. Tables of another version get theirs with their rebuild. Safe to repeat, also after it was interrupted.
 */
export const alignIndexes = async (
  { pool, log }: { readonly pool: Pool; readonly log: Logger },
  models: readonly ReadModel[],
  signal: AbortSignal,
): Promise<void> => {
  const live = await tableVersions(pool);
  for (const model of await notFollowed(pool, models)) {
    if (signal.aborted) return;
    if (!isCurrent(model, live.get(model.name))) continue;
    const declared = await declaredIndexes(pool, model);
    const existing = await indexesOf(pool, tableName(model.name));
    const forms = new Set(declared.values());
    const kept = new Set(existing.flatMap(({ form, isValid }) => (isValid && forms.has(form) ? [form] : [])));
    const obsolete = existing.filter(({ form }) => !kept.has(form));
    const missing = [...declared].filter(([, form]) => !kept.has(form));
    for (const [statement, form] of missing) {
      log.info({ model: model.name, index: form }, 'making an index');
      await unboundedAlone(pool, statement.replace('index on', 'index concurrently on'));
    }
    // Afterwards: until the new one is there, the old one serves.
    for (const { name } of obsolete) await unboundedAlone(pool, `drop index concurrently if exists ${name}`);
    for (const statement of finishTable(model, model.name)) await pool.query(statement);
    // What is planned with follows from it.
    await unboundedAlone(pool, `analyze ${tableName(model.name)}`);
  }
};
