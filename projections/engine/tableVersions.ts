/**
 * Which version of each model's table is live. A table is current only if every batch since its last rebuild went into
 * it. A table that a batch has passed over has version 0 until it is rebuilt.
 */
import { migrations } from '../../infra/migrations.ts';
import { escapeLiteral, inTransaction, type Pool, type PoolClient, type Queryable } from '../../infra/postgres.ts';
import { changesMigrations } from './changes.ts';
import { ephemeralMigrations } from './ephemeral.ts';
import { FORMER, type Group, OF_READ_MODELS } from './groups.ts';
import { READ_SCHEMA } from './readDb.ts';
import type { ReadModel } from './readModel.ts';
import { addColumns, createIndexes, createTable, finishTable, keepNoSamples } from './tables.ts';

export const tableVersionMigrations = migrations('projections', {
  '0001_read_models': `
    create table ops.read_models (
      name text primary key,
      version integer not null,
      epoch integer not null default 1,
      rebuilt_at timestamptz
    );
  `,
  '0003_read_model_groups': `
    -- The group whose batches go into the table. Release 0.1.0 had one for all.
    alter table ops.read_models add column consumer text not null default '${FORMER}';
  `,
  personalData: { 'ops.read_models': { nothing: 'versions' } },
});

export interface TableVersion {
  readonly name: string;
  /** 0: the table exists but is behind until it is rebuilt. */
  readonly version: number;
  /** The number of rebuilds that were swapped in. */
  readonly epoch: number;
  readonly rebuilt_at: string | null;
  /** The group whose batches go into the table. */
  readonly consumer: string;
}

export const tableVersions = async (db: Queryable): Promise<ReadonlyMap<string, TableVersion>> => {
  const { rows } = await db.query<TableVersion>(
    'select name, version, epoch, rebuilt_at, consumer from ops.read_models',
  );
  return new Map(rows.map((row) => [row.name, row]));
};

/** NOTIFY channel: some table became current, or is no longer. */
export const MODELS_CHANNEL = 'read_models';

/** Tells all processes, at commit, to read the versions again. */
export const tellModels = async (client: Queryable): Promise<void> => {
  await client.query(`select pg_notify('${MODELS_CHANNEL}', '')`);
};

export const isCurrent = (model: ReadModel, live: Pick<TableVersion, 'version'> | undefined): boolean =>
  live?.version === model.version;

/** The models that must be rebuilt before they can be served. */
export const outdatedModels = async (db: Queryable, models: readonly ReadModel[]): Promise<ReadModel[]> => {
  const live = await tableVersions(db);
  return models.filter((model) => !isCurrent(model, live.get(model.name)));
};

/**
 * The models to project one batch into, of the tables that the transaction has locked (name → version). Tables that only another release
 * knows are marked as passed over, so that the other release rebuilds them when it projects again.
 */
export const currentAmong = async (
  client: Queryable,
  locked: ReadonlyMap<string, number>,
  models: readonly ReadModel[],
): Promise<ReadModel[]> => {
  const current = models.filter((model) => locked.get(model.name) === model.version);
  const kept = new Set(current.map((model) => model.name));
  const passed = [...locked].flatMap(([name, version]) => (version !== 0 && !kept.has(name) ? [name] : []));
  if (passed.length > 0) {
    await client.query('update ops.read_models set version = 0 where name = any($1)', [passed]);
    await tellModels(client);
  }
  return current;
};

/** While a transaction holds this, no table moves to another group, and none is made. */
const KEEP_GROUPS = 'lock table ops.read_models in row share mode';
/** An arbitrary number that no other advisory lock of two numbers uses. */
const GROUP_LOCKS = 17;
/** Locks the tables of a group, as SQL. A lock of its own, because to lock a row for each table is to write it. */
const lockOf = (consumer: string): string => `select pg_advisory_xact_lock(${GROUP_LOCKS}, hashtext(${consumer}))`;

/**
 * Statements that lock the tables of these groups until the transaction ends: nobody else applies events to them, and none
 * is swapped.
 */
export const lockingGroups = (names: readonly string[]): string[] => [
  KEEP_GROUPS,
  `${lockOf('name')} from unnest(array[${names.toSorted().map(escapeLiteral).join()}]) as name`,
];

/** Keeps the projector from the tables of these models until the transaction ends. Returns the versions of the tables. */
export const lockModels = async (
  client: Queryable,
  models: readonly ReadModel[],
): Promise<ReadonlyMap<string, Pick<TableVersion, 'version'>>> => {
  const names = models.map(({ name }) => name);
  await client.query(KEEP_GROUPS);
  // In the order in which batches take the locks.
  await client.query(
    `with locked as materialized (select distinct consumer from ops.read_models where name = any($1) order by 1)
     ${lockOf('consumer')} from locked`,
    [names],
  );
  // The rows, too: batches of release 0.1.0 lock them, and know no other lock.
  const { rows } = await client.query<TableVersion>(
    'select name, version from ops.read_models where name = any($1) order by name for update',
    [names],
  );
  return new Map(rows.map((row) => [row.name, row]));
};

/** The same for one model. Returns whether the table is current. */
export const lockModel = async (client: Queryable, model: ReadModel): Promise<boolean> =>
  isCurrent(model, (await lockModels(client, [model])).get(model.name));

/**
 * Creates what is missing in the schema `read`, which may be dropped at any time. If nothing was projected yet, new tables
 * are current at once. Otherwise a new model gets an empty table of version 0, and a changed model keeps the rows of its
 * former version, so that queries work until the rebuild is swapped in.
 */
export const ensureTables = (pool: Pool, groups: readonly Group[]): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query('lock table ops.read_models in exclusive mode'); // no batch runs meanwhile
    for (const { everyStart } of [changesMigrations, ephemeralMigrations]) await client.query(everyStart ?? '');
    const { rowCount } = await client.query(`select from ops.checkpoints where ${OF_READ_MODELS} limit 1`);
    const live = await tableVersions(client);
    const existing = await existingColumns(client);
    for (const { name: consumer, models } of groups)
      for (const model of models) {
        const columns = existing.get(model.name);
        const made = { name: model.name, version: rowCount === 0 ? model.version : 0, consumer };
        if (!columns) await makeTable(client, model);
        for (const statement of keepNoSamples(model, model.name)) await client.query(statement);
        if (!columns || !live.has(model.name)) await recordVersion(client, made);
        else if (!isCurrent(model, live.get(model.name))) await addMissingColumns(client, model, columns);
      }
    await tellModels(client);
  });

/** Table → its columns, in the schema `read`. */
const existingColumns = async (client: PoolClient): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select table_name::text as name, array_agg(column_name::text) as columns
     from information_schema.columns where table_schema = $1 group by table_name`,
    [READ_SCHEMA],
  );
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]));
};

const makeTable = async (client: PoolClient, model: ReadModel): Promise<void> => {
  const { name } = model;
  for (const statement of [createTable(model, name), ...createIndexes(model, name), ...finishTable(model, name)])
    await client.query(statement);
};

/** A table that was dropped stays in its group. */
const recordVersion = async (
  client: PoolClient,
  { name, version, consumer }: Pick<TableVersion, 'name' | 'version' | 'consumer'>,
): Promise<void> => {
  await client.query(
    `insert into ops.read_models (name, version, consumer) values ($1, $2, $3)
     on conflict (name) do update set version = excluded.version`,
    [name, version, consumer],
  );
};

/** Queries of this release name columns that the former version did not have. */
const addMissingColumns = async (client: PoolClient, model: ReadModel, columns: ReadonlySet<string>): Promise<void> => {
  for (const statement of addColumns(model, model.name, columns)) await client.query(statement);
};
