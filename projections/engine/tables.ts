/** From a row schema to a Postgres table, and the statements that load and store rows in bulk. */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import { quoted, tableName } from './readDb.ts';
import type { ReadModel } from './readModel.ts';

const nullable = (schema: TSchema): TSchema | undefined =>
  TypeGuard.IsUnion(schema) && schema.anyOf.length === 2 && schema.anyOf.some(TypeGuard.IsNull)
    ? schema.anyOf.find((inner) => !TypeGuard.IsNull(inner))
    : undefined;

const FORMATS: Readonly<Record<string, string>> = { uuid: 'uuid', date: 'date', 'date-time': 'timestamptz' };

/** The column type of a row property. Objects and arrays are `jsonb`; `{ column: 'text[]' }` in a schema overrides it. */
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

/** DDL of a model's table under any name: live, shadow of a rebuild, scratch table of a verification. */
export const createTable = (model: ReadModel, name: string): string => {
  const columns = Object.entries(model.row.properties).map(
    ([column, schema]) => `${quoted(column)} ${columnType(schema)}${nullable(schema) ? '' : ' not null'}`,
  );
  return `create table ${tableName(name)} (${columns.join(', ')}, primary key (${model.key.map(quoted).join(', ')}))`;
};

/** DDL that adds the columns which a table does not have yet, empty. */
export const addColumns = (model: ReadModel, name: string, existing: ReadonlySet<string>): string[] =>
  Object.entries(model.row.properties)
    .filter(([column]) => !existing.has(column))
    .map(([column, schema]) => `alter table ${tableName(name)} add column ${quoted(column)} ${columnType(schema)}`);

/** Indexes are created after a rebuild has filled its table: that is cheaper than updating them with every row. */
export const createIndexes = (model: ReadModel, name: string): string[] =>
  model.indexes.map((index) => {
    const [, kind = '', columns = ''] = /^(unique |gin )?(.*)$/.exec(index) ?? [];
    const unique = kind === 'unique ' ? 'unique ' : '';
    return `create ${unique}index on ${tableName(name)} ${kind === 'gin ' ? `using gin (${columns})` : `(${columns})`}`;
  });

/** Selects rows by key; `$1` is a JSON array of key objects. */
export const selectByKeys = (model: ReadModel, name: string): string => {
  const keys = model.key.map((k) => `${quoted(k)} ${columnType(model.row.properties[k] as TSchema)}`).join(', ');
  return `select t.* from ${tableName(name)} t join jsonb_to_recordset($1::jsonb) as k(${keys}) using (${model.key.map(quoted).join(', ')})`;
};

/** Upserts a whole batch; `$1` is a JSON array of rows. */
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
