/**
 * The schema `ops`: each module declares numbered SQL steps for the tables that it owns, and each step runs once in a
 * database. Read models are not part of this: they have versions of their own and are rebuilt from the log.
 */
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { IncompatibleData } from './incompatible.ts';
import { type PersonalTables, tablesAboutPeople } from './personalData.ts';
import { withoutStatistics } from './plannerStatistics.ts';
import { kysely, type Pool } from './postgres.ts';

/** What one owner of tables declares. */
export interface Migrations {
  readonly personalData?: PersonalTables;
  /** SQL by full name (`0001_payments_webhook_inbox`). Each step runs once in a database, in the order of the names. */
  readonly steps: Readonly<Record<string, string>>;
  /** Idempotent SQL for tables that may be dropped at any time. It runs at every start, after the steps. */
  readonly everyStart?: string;
}

/** A template literal's text without the indentation that its lines share. */
const dedent = (text: string): string => {
  const lines = text.replace(/^\s*\n|\s+$/g, '').split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent)).join('\n');
};

const STEP = /^(\d{4})_([a-z0-9_]+)$/;

/**
 * Declares the steps of one module by number and subject: `migrations('payments', { '0001_webhook_inbox': '…' })`.
 * Never change a released step: add another one. Each module counts its own steps. `personalData` says what the tables hold
 * about people.
 */
export const migrations = (
  module: string,
  {
    personalData = {},
    ...steps
  }: { readonly personalData?: PersonalTables } & {
    readonly [step: string]: string | PersonalTables;
  },
): Migrations => ({
  personalData,
  steps: Object.fromEntries(
    Object.entries(steps as Readonly<Record<string, string>>).map(([step, text]) => {
      const [, number, subject] = STEP.exec(step) ?? [];
      if (!number) throw new Error(`${module}: the migration ${step} must be named like 0001_subject`);
      return [`${number}_${module}_${subject}`, text];
    }),
  ),
});

/** All steps by full name, in the order in which they run. @throws Error when two steps have the same name */
const stepsOf = (declared: readonly Migrations[]): ReadonlyMap<string, string> => {
  const all = declared.flatMap(({ steps }) => Object.entries(steps)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const steps = new Map(all);
  if (steps.size < all.length) throw new Error('two migrations have the same name');
  return steps;
};

/**
 * The steps as one SQL script, which makes the database of a release: committed per release, so that a test can upgrade
 * it with the steps of today.
 */
export const migrationScript = (declared: readonly Migrations[]): string => {
  const steps = [...stepsOf(declared)];
  const recorded = steps.map(([name]) => `  ('${name}', '2026-01-01T00:00:00.000Z')`);
  return [
    'create schema ops;',
    'create table ops.migrations (name varchar(255) not null primary key, timestamp varchar(255) not null);',
    ...steps.map(([name, text]) => `\n-- ${name}\n${dedent(text).replace(/;?$/, ';')}`),
    `\ninsert into ops.migrations (name, timestamp) values\n${recorded.join(',\n')};\n`,
  ].join('\n');
};

/** An arbitrary number that no other advisory lock uses. */
const MIGRATION_LOCK = 7_210_034_551;

/**
 * Creates the schemas `ops` (backed up, never rebuilt) and `read` (can be dropped and rebuilt at any time), and runs the
 * steps that the database does not have yet: all of them in one transaction, or none. Safe to run from several processes
 * at once.
 * @throws IncompatibleData for a database of a release before 0.1.0 or of a newer release
 */
export const migrateOps = (pool: Pool, declared: readonly Migrations[]): Promise<void> => {
  const steps = stepsOf(declared);
  return kysely<Tables>(pool)
    .connection()
    .execute(async (db) => {
      await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
      try {
        await refuseIncompatible(db, steps);
        await sql.raw('create schema if not exists ops; create schema if not exists read;').execute(db);
        await runSteps(db, steps);
        for (const { everyStart } of declared) if (everyStart) await sql.raw(everyStart).execute(db);
        for (const [table] of tablesAboutPeople(declared)) await sql.raw(withoutStatistics(table)).execute(db);
      } finally {
        await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
      }
    });
};

interface Tables {
  readonly 'ops.migrations': { readonly name: string };
}

const refuseIncompatible = async (db: Kysely<Tables>, steps: ReadonlyMap<string, string>): Promise<void> => {
  const found = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'ops'`.execute(
    db,
  );
  if (found.rows.length === 0) return;
  if (!found.rows.some(({ name }) => name === 'migrations'))
    throw new IncompatibleData(
      'This database was made before release 0.1.0 and cannot be upgraded: start with an empty data folder (DATA_DIR) or an empty database (DATABASE_URL).',
    );
  const applied = await db.selectFrom('ops.migrations').select('name').execute();
  const unknown = applied.find(({ name }) => !steps.has(name));
  if (unknown)
    throw new IncompatibleData(
      `This database was upgraded by a newer release, which added ${unknown.name}: start that release, or restore a backup from before the upgrade.`,
    );
};

const runSteps = async (db: Kysely<Tables>, steps: ReadonlyMap<string, string>): Promise<void> => {
  const toMigration = (text: string): Migration => ({ up: async (on) => void (await sql.raw(text).execute(on)) });
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => Object.fromEntries([...steps].map(([name, text]) => [name, toMigration(text)])),
    },
    migrationTableSchema: 'ops',
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
    // Modules count their own steps, so a new step may come before one that another module added earlier.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  throw new Error(failed === undefined ? 'the migrations failed' : `the migration ${failed} failed`, { cause: error });
};
