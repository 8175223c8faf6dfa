/**
 * Which version of each model's table is live. A table is current only if every batch since its last rebuild went into
 * it. A table that a batch has passed over has version 0 until it is rebuilt.
 */
import { migrations } from '../../infra/migrations.ts';
import { inTransaction, type Pool, type PoolClient, type Queryable } from '../../infra/postgres.ts';
import { changesMigrations } from './changes.ts';
import { livePosition } from './checkpoint.ts';
import { READ_SCHEMA } from './readDb.ts';
import type { ReadModel } from './readModel.ts';
import { addColumns, createIndexes, createTable } from './tables.ts';

export const tableVersionMigrations = migrations('projections', {
  '0001_read_models': `
    create table ops.read_models (
      name text primary key,
      version integer not null,
      epoch integer not null default 1,
      rebuilt_at timestamptz
    );
  `,
  holds: { 'ops.read_models': { nothing: 'versions' } },
});

export interface TableVersion {
  readonly name: string;
  /** 0: the table exists but is behind until it is rebuilt. */
  readonly version: number;
  /** The number of rebuilds that were swapped in. */
  readonly epoch: number;
  readonly rebuilt_at: string | null;
}

export const tableVersions = async (db: Queryable): Promise<ReadonlyMap<string, TableVersion>> => {
  const { rows } = await db.query<TableVersion>('select name, version, epoch, rebuilt_at from ops.read_models');
  return new Map(rows.map((row) => [row.name, row]));
};

/** NOTIFY channel: some table became current, or is no longer. */
export const MODELS_CHANNEL = 'read_models';

/** Tells all processes, at commit, to read the versions again. */
export const tellModels = async (client: Queryable): Promise<void> => {
  await client.query(`select pg_notify('${MODELS_CHANNEL}', '')`);
};

const isCurrent = (model: ReadModel, live: TableVersion | undefined): boolean => live?.version === model.version;

/** The models that must be rebuilt before they can be served. */
export const outdatedModels = async (db: Queryable, models: readonly ReadModel[]): Promise<ReadModel[]> => {
  const live = await tableVersions(db);
  return models.filter((model) => !isCurrent(model, live.get(model.name)));
};

/**
 * The models to project one batch into. Their tables cannot be swapped until the transaction ends. Tables of another
 * release are marked as passed over, so that the other release rebuilds them when it projects again.
 */
export const lockCurrent = async (client: Queryable, models: readonly ReadModel[]): Promise<ReadModel[]> => {
  const { rows } = await client.query<TableVersion>(
    'select name, version from ops.read_models order by name for update',
  );
  const live = new Map(rows.map((row) => [row.name, row]));
  const current = models.filter((model) => isCurrent(model, live.get(model.name)));
  const kept = new Set(current.map((model) => model.name));
  const passed = rows.filter(({ name, version }) => version !== 0 && !kept.has(name)).map(({ name }) => name);
  if (passed.length > 0) {
    await client.query('update ops.read_models set version = 0 where name = any($1)', [passed]);
    await tellModels(client);
  }
  return current;
};

/** Keeps the projector from one model's table until the transaction ends. Returns whether the table is current. */
export const lockModel = async (client: Queryable, model: ReadModel): Promise<boolean> => {
  const { rows } = await client.query<TableVersion>('select version from ops.read_models where name = $1 for update', [
    model.name,
  ]);
  return isCurrent(model, rows[0]);
};

/**
 * Creates what is missing in the schema `read`, which may be dropped at any time. If nothing was projected yet, new tables
 * are current at once. Otherwise a new model gets an empty table of version 0, and a changed model keeps the rows of its
 * former version, so that queries work until the rebuild is swapped in.
 */
export const ensureTables = (pool: Pool, models: readonly ReadModel[]): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query('lock table ops.read_models in exclusive mode'); // no batch runs meanwhile
    await client.query(changesMigrations.everyStart ?? '');
    const at = await livePosition(client);
    const live = await tableVersions(client);
    const existing = await existingColumns(client);
    for (const model of models) {
      const columns = existing.get(model.name);
      if (!columns) await makeTable(client, model, at === null);
      else if (!live.has(model.name)) await recordVersion(client, model, at === null);
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

const makeTable = async (client: PoolClient, model: ReadModel, isCurrent: boolean): Promise<void> => {
  for (const statement of [createTable(model, model.name), ...createIndexes(model, model.name)])
    await client.query(statement);
  await recordVersion(client, model, isCurrent);
};

const recordVersion = async (client: PoolClient, { name, version }: ReadModel, isCurrent: boolean): Promise<void> => {
  await client.query(
    `insert into ops.read_models (name, version) values ($1, $2)
     on conflict (name) do update set version = excluded.version`,
    [name, isCurrent ? version : 0],
  );
};

/** Queries of this release name columns that the former version did not have. */
const addMissingColumns = async (client: PoolClient, model: ReadModel, columns: ReadonlySet<string>): Promise<void> => {
  for (const statement of addColumns(model, model.name, columns)) await client.query(statement);
};
