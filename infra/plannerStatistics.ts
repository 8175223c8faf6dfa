/**
 * PostgreSQL keeps samples of the values of columns for its planner (`pg_statistic`): until it analyses the table again
 * after its rows are gone, and for good where the table has become empty. So columns with texts about people, and indexes
 * on expressions over them, have no statistics; the planner assumes a default for conditions on them.
 */

/** Types of columns that have texts or positions. */
const TYPES = ['text', 'text[]', 'json', 'jsonb', 'bytea', 'tsvector', 'double precision'];

const list = (texts: readonly string[]): string => `array[${texts.map((text) => `'${text}'`).join(', ')}]::text[]`;

/** For each of these columns of tables or indexes: no statistics any more, and `clear` if it has samples. */
const each = (columns: string, clear: string): string => `
    for one in ${columns} loop
      execute format('alter %s %s alter column %s set statistics 0', one.kind, one.oid::regclass, one.part);
      if exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_stats s
        on s.schemaname = n.nspname and s.tablename = c.relname and s.attname = one.attname where c.oid = one.oid)
      then ${clear}
      end if;
    end loop;`;
/** PostgreSQL 18 and later. */
const CLEAR = `perform pg_clear_attribute_stats(n.nspname::text, c.relname::text, one.attname::text, inherited)
          from pg_class c join pg_namespace n on n.oid = c.relnamespace, (values (false), (true)) as both_kinds (inherited)
          where c.oid = one.oid;`;

/**
 * A statement that ends the statistics of a table and its partitions, and deletes the samples that it has by now: those of
 * an earlier release. Where they have ended it changes and locks nothing. PostgreSQL before 18 deletes samples with the type
 * of their column only, so there the type is set to what it is, which locks the table and rebuilds indexes on expressions.
 * @param table with its schema, quoted where SQL needs it
 * @param columns of the table; all with texts unless given
 */
export const withoutStatistics = (table: string, columns?: readonly string[]): string => `
  do $$ declare one record; can_clear boolean := current_setting('server_version_num')::int >= 180000; begin
    ${each(
      `select c.oid, 'table' as kind, quote_ident(a.attname) as part, a.attname, format_type(a.atttypid, a.atttypmod) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where (c.oid = '${table}'::regclass or c.oid in (select relid from pg_partition_tree('${table}')))
        and a.attnum > 0 and not a.attisdropped and coalesce(a.attstattarget, -1) <> 0
        and ${columns ? `a.attname = any(${list(columns)})` : `format_type(a.atttypid, null) = any(${list(TYPES)})`}`,
      `if can_clear then ${CLEAR}
        else execute format('alter table ${table} alter column %s type %s', one.part, one.type); end if;`,
    )}
    ${each(
      `select c.oid, 'index' as kind, a.attnum::text as part, a.attname
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_attribute a on a.attrelid = c.oid
      where i.indrelid = '${table}'::regclass and (i.indkey::int2[])[a.attnum - 1] = 0
        and coalesce(a.attstattarget, -1) <> 0`,
      `if can_clear then ${CLEAR} end if;`,
    )}
  end $$`;
