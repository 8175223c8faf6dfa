/** From a row schema to a Postgres table, and the statements that load and store rows in bulk. */
import { createHash } from 'node:crypto';
import { type TSchema, TypeGuard } from '@sinclair/typebox';
import { deletingColumns } from '../../infra/personalData.ts';
import { withoutStatistics } from '../../infra/plannerStatistics.ts';
import { quoted, tableName } from './readDb.ts';
import { type Json, type ReadModel, WIRE } from './readModel.ts';
import type { Audience, WireForm } from './wire.ts';

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

/** The columns of the row. */
export const columnsOf = ({ row }: ReadModel): string[] => Object.keys(row.properties);
/** The columns with its wire forms. */
export const wireColumns = ({ storedForms }: ReadModel): string[] => [...new Set(storedForms.values())];
/** The columns that are searched and sorted by. */
export const foldedColumns = ({ folded }: ReadModel): string[] => Object.keys(folded);
/** The columns that follow from the row. */
const derivedColumns = (model: ReadModel): string[] => [...foldedColumns(model), ...wireColumns(model)];

/** The fields that an audience sees, and guests do not. */
const besideGuests = (wire: WireForm<Json>, row: Json, audience: Audience): Json => {
  const { properties } = wire.schemaFor('guest');
  return Object.fromEntries(Object.entries(wire.of(row, audience)).filter(([name]) => !(name in properties)));
};

/** A row with what follows from it, as it is stored. @throws what the wire form throws */
export const withDerived = ({ wire, storedForms, folded }: ReadModel, row: Json): Json => {
  const texts = Object.entries(folded);
  if (storedForms.size === 0 && texts.length === 0) return row;
  const stored: Json = { ...row };
  for (const [audience, column] of storedForms)
    stored[column] ??=
      column === WIRE ? wire.textOf(row, audience).text : JSON.stringify(besideGuests(wire, row, audience));
  for (const [column, textOf] of texts) stored[column] = textOf(row);
  return stored;
};

/**
 * The columns with ids that indexes begin with: of people and things that may have many rows. PostgreSQL plans for them as if
 * each had a hundred. A plan that is made once serves all: made for what most people have, it would sort all rows of whoever
 * has a hundred thousand, to show the newest twenty.
 */
export const columnsOfMany = ({ row, key, indexes }: ReadModel): string[] => {
  const first = new Set(indexes.map((index) => index.split(/[ ,]/)[0] ?? ''));
  return Object.entries(row.properties)
    .filter(([column, schema]) => first.has(column) && columnType(schema) === 'uuid' && key.join() !== column)
    .map(([column]) => column);
};

/** The same order in every database, whatever its locale. */
const COMPARED_TEXT = 'text collate "C"';
const derivedTypes = (model: ReadModel): (readonly [string, string])[] => [
  ...foldedColumns(model).map((column) => [column, COMPARED_TEXT] as const),
  ...wireColumns(model).map((column) => [column, 'text'] as const),
];

/**
 * Wire forms stay in their row as they are up to almost a page of PostgreSQL. By itself, it compresses and moves what is
 * longer than 2 kB: a row of bookings took 30 % longer to write, and 70 % to read, for a table that is a fifth smaller.
 */
const UNCOMPRESSED = ' with (toast_tuple_target = 8160)';

/** DDL of a model's table under any name: live, shadow of a rebuild, scratch table of a verification. */
export const createTable = (model: ReadModel, name: string): string => {
  const columns = Object.entries(model.row.properties).map(
    ([column, schema]) => `${quoted(column)} ${columnType(schema)}${nullable(schema) ? '' : ' not null'}`,
  );
  const derived = derivedTypes(model).map(([column, type]) => `${quoted(column)} ${type}`);
  const storage = wireColumns(model).length > 0 ? UNCOMPRESSED : '';
  return `create table ${tableName(name)} (${[...columns, ...derived].join(', ')}, primary key (${model.key.map(quoted).join(', ')}))${storage}`;
};

/**
 * DDL by which PostgreSQL keeps no samples of what a model's table has about people, nor of what no index has: wire forms
 * and JSON. They take more than half of the time of `analyze`, which works through a table again and again while it grows.
 * Safe to repeat.
 */
export const keepNoSamples = (model: ReadModel, name: string): string[] => {
  const { whose = null, texts = [], values = [] } = model.personalData ?? {};
  const personal = [...texts, ...values].map((path) => path.split('.')[0] ?? '');
  const json = Object.entries(model.row.properties)
    .filter(
      ([column, schema]) => columnType(schema) === 'jsonb' && !model.indexes.some((index) => index.includes(column)),
    )
    .map(([column]) => column);
  const columns = [
    ...new Set([...personal, ...json, ...(whose === null ? wireColumns(model) : derivedColumns(model))]),
  ];
  return columns.length === 0 ? [] : [withoutStatistics(tableName(name), columns)];
};

/** DDL that adds the columns which a table does not have yet, empty. */
export const addColumns = (model: ReadModel, name: string, existing: ReadonlySet<string>): string[] =>
  [
    ...Object.entries(model.row.properties).map(([column, schema]) => [column, columnType(schema)] as const),
    ...derivedTypes(model),
  ]
    .filter(([column]) => !existing.has(column))
    .map(([column, type]) => `alter table ${tableName(name)} add column ${quoted(column)} ${type}`);

/** Indexes are created after a rebuild has filled its table: that is cheaper than updating them with every row. */
export const createIndexes = (model: ReadModel, name: string): string[] =>
  model.indexes.map((index) => {
    const [, kind = '', columns = ''] = /^(unique |gin )?(.*)$/.exec(index) ?? [];
    const unique = kind === 'unique ' ? 'unique ' : '';
    return `create ${unique}index on ${tableName(name)} ${kind === 'gin ' ? `using gin (${columns})` : `(${columns})`}`;
  });

/** What the comment of a table says once its indexes and plans are as the model declares them. */
export const followsNow = (model: ReadModel): string =>
  `follows ${createHash('sha256')
    .update(JSON.stringify([model.indexes, columnsOfMany(model)]))
    .digest('hex')}`;

/** DDL for a table that has its indexes: how it is planned for, and that it is as declared now. */
export const finishTable = (model: ReadModel, name: string): string[] => [
  ...columnsOfMany(model).map(
    (column) => `alter table ${tableName(name)} alter column ${quoted(column)} set (n_distinct = -0.01)`,
  ),
  `comment on table ${tableName(name)} is '${followsNow(model)}'`,
];

/**
 * Settings of a transaction that loads rows by their keys. The plan of a prepared statement stays while its table grows: one
 * that was made for an empty table would read the whole table ever after.
 */
export const BY_KEY = ['seqscan', 'hashjoin', 'mergejoin'].map((one) => `set local enable_${one} = off`);

/** Selects rows by key; `$1` is a JSON array of key objects. */
export const selectByKeys = (model: ReadModel, name: string): string => {
  const keys = model.key.map((k) => `${quoted(k)} ${columnType(model.row.properties[k] as TSchema)}`).join(', ');
  const columns = columnsOf(model).map((column) => `t.${quoted(column)}`);
  return `select ${columns.join(', ')} from ${tableName(name)} t join jsonb_to_recordset($1::jsonb) as k(${keys}) using (${model.key.map(quoted).join(', ')})`;
};

/** The columns of a table, as SQL. */
const listOf = (model: ReadModel): string => [...columnsOf(model), ...derivedColumns(model)].map(quoted).join(', ');

/**
 * Rows that go with a person are not written any more once the key of the person is destroyed: by an event that was under way
 * when they were erased, live or in a rebuild, whatever batch it is in.
 */
const unlessErased = ({ personalData }: ReadModel): string => {
  const columns = personalData ? deletingColumns(personalData).map((column) => `r.${quoted(column)}`) : [];
  if (columns.length === 0) return '';
  return ` where not exists (select from ops.vault_keys k where k.wrapped_key is null and k.person_id in (${columns.join(', ')}))`;
};

/** Inserts a whole batch of new rows; `$1` is a JSON array of rows with what follows from them. */
export const insertRows = (model: ReadModel, name: string): string => {
  const [table, list] = [tableName(name), listOf(model)];
  return `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, $1::json) r${unlessErased(model)}`;
};

/** Upserts a whole batch; `$1` is a JSON array of rows with what follows from them. */
export const upsertRows = (model: ReadModel, name: string): string => {
  const others = [...columnsOf(model), ...derivedColumns(model)].filter((c) => !model.key.includes(c)).map(quoted);
  const update =
    others.length > 0 ? `do update set ${others.map((c) => `${c} = excluded.${c}`).join(', ')}` : 'do nothing';
  return `${insertRows(model, name)} on conflict (${model.key.map(quoted).join(', ')}) ${update}`;
};

export const deleteByKeys = (model: ReadModel, name: string): string => {
  const keys = model.key.map((k) => `${quoted(k)} ${columnType(model.row.properties[k] as TSchema)}`).join(', ');
  const same = model.key.map((k) => `t.${quoted(k)} = k.${quoted(k)}`).join(' and ');
  return `delete from ${tableName(name)} t using jsonb_to_recordset($1::jsonb) as k(${keys}) where ${same}`;
};
