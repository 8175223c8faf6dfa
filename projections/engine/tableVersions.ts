/**
 * Which version of each model's table is live. A table is current only if every batch since its last rebuild went into
 * it. A table that a batch has passed over has version 0 until it is rebuilt.
 */
import { migrations } from '../../infra/migrations.ts';
import { inTransaction, type Pool, type Queryable } from '../../infra/postgres.ts';
import { livePosition } from './checkpoint.ts';
import { READ_SCHEMA } from './readDb.ts';
import type { ReadModel } from './readModel.ts';
import { createIndexes, createTable } from './tables.ts';

export const tableVersionMigrations = migrations('projections', {
  '0001_read_models': `
    create table ops.read_models (
      name text primary key,
      version integer not null,
      epoch integer not null default 1,
      rebuilt_at timestamptz
    );
  `,
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
  if (passed.length > 0) await client.query('update ops.read_models set version = 0 where name = any($1)', [passed]);
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
 * Creates the missing tables. If nothing was projected yet they are current at once. Otherwise a new model gets an empty
 * table of version 0, so that queries work until its rebuild is swapped in.
 */
export const ensureTables = (pool: Pool, models: readonly ReadModel[]): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query('lock table ops.read_models in exclusive mode'); // no batch runs meanwhile
    const at = await livePosition(client);
    const live = await tableVersions(client);
    const { rows } = await client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = $1',
      [READ_SCHEMA],
    );
    const existing = new Set(rows.map(({ name }) => name));
    for (const model of models) {
      if (live.has(model.name) && existing.has(model.name)) continue;
      if (!existing.has(model.name))
        for (const statement of [createTable(model, model.name), ...createIndexes(model, model.name)])
          await client.query(statement);
      await client.query(
        `insert into ops.read_models (name, version) values ($1, $2)
         on conflict (name) do update set version = excluded.version`,
        [model.name, at === null ? model.version : 0],
      );
    }
  });
