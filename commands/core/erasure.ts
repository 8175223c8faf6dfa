/**
 * The erasure of a person. A tombstone is written first and outlives a restore. Then each module reads what only the plain
 * texts say, the keys are destroyed (the person's own and that of their listings), and the account is closed
 * (`PersonErased`, which the read models fold): from then on nobody signs in or reads anything of the person, whatever
 * happens next. Modules end what the person had, and the rows in durable tables are deleted. Systems outside are told last,
 * and nothing waits for them (`outsideErasures.ts`). Each step records in the certificate what it has done. Every step is
 * safe to repeat: an erasure that was interrupted, or undone by a restore, runs again.
 */

import { sellerOf } from '../../eventstore/sellerKeys.ts';
import { derivedId } from '../../infra/ids.ts';
import { type Migrations, migrations } from '../../infra/migrations.ts';
import { deletingColumns, tablesAboutPeople } from '../../infra/personalData.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { Tombstones } from '../../infra/tombstones.ts';
import { certificateOf, deleteRecorded, type ErasedPart, recordParts } from './certificateParts.ts';
import { beginCertificate, endCertificate } from './certificates.ts';
import type { CoreDeps, Erased } from './deps.ts';
import type { CommandContext } from './handle.ts';
import { type OutsideErasure, tellOutside } from './outsideErasures.ts';

export const erasureMigrations = migrations('commands', {
  '0002_erasures': `
    create table ops.erasures (
      person_id uuid primary key,
      requested_at timestamptz not null,
      done_at timestamptz not null
    );
  `,
  '0005_checked_erasures': `
    -- when it was looked for what is left; null: not yet
    alter table ops.erasures add column checked_at timestamptz;
  `,
  personalData: {
    'ops.erasures': {
      nothing: 'ids of people who were erased',
      retention: { always: 'the proof of the erasure, and what repeats it after a restore' },
    },
  },
});

/** Safe to repeat, also for a person who is unknown or was erased before. */
export type ErasureStep<Deps> = (deps: Deps, context: CommandContext, person: string) => Promise<void>;
/** The same, for what is not in tables. @returns what it has erased, for the certificate */
export type CountedErasureStep<Deps> = (
  deps: Deps,
  context: CommandContext,
  person: string,
) => Promise<ErasedPart | undefined>;
type Step<Deps> = ErasureStep<Deps> | CountedErasureStep<Deps>;

/** What a module does when a person is erased. No step waits for a system outside. */
export interface ModuleErasure<Deps = never> {
  /** While the texts can be read: what follows from them, such as which token a provider must be told. */
  readonly before?: Step<Deps>;
  /** As soon as the key is destroyed: nobody signs in any more. */
  readonly close?: Step<Deps>;
  /** Then, while the rows in durable tables are there. Modules above come first. */
  readonly after?: Step<Deps>;
  /** What systems outside are told. */
  readonly outside?: readonly OutsideErasure<Deps>[];
}

export interface ErasurePlan<Deps> {
  readonly modules: readonly ModuleErasure<Deps>[];
  readonly tables: readonly Migrations[];
  readonly tombstones: Tombstones;
}

/** So long the erasure itself tells systems outside. Jobs go on with it. */
const TELLING_MS = 20_000;

const contextOf = (person: string, at: string): CommandContext => {
  const commandId = derivedId('erasure', person);
  return {
    correlationId: commandId,
    causationId: commandId,
    commandId,
    actor: { kind: 'system', id: 'erasure', role: 'system' },
    ip: null,
    at,
  };
};

/**
 * Erases a person.
 * @throws when a store is away, or what a module throws. Where the tombstone was written, the workers repeat it.
 */
export const erasePerson = async <Deps extends CoreDeps>(
  deps: Deps,
  { modules, tables, tombstones }: ErasurePlan<Deps>,
  person: string,
): Promise<Erased> => {
  const { pool, vault, now } = deps;
  const tombstone = await tombstones.write({ person, at: now() });
  const context = contextOf(person, now());
  const certificate = certificateOf(vault, person);
  await beginCertificate(pool, certificate, tombstone.at);
  const record = async (step: Step<Deps> | undefined) => {
    const part = await step?.(deps, context, person);
    if (part) await recordParts(pool, certificate, [part]);
  };
  const above = modules.toReversed();
  for (const { before } of above) await record(before);
  const destroyKey = async (id: string, part: ErasedPart) => {
    if (await vault.erase(id)) await recordParts(pool, certificate, [part]);
  };
  await destroyKey(sellerOf(person), KEY_OF_SELLER);
  await destroyKey(person, KEY);
  for (const { close } of above) await record(close);
  // One that fails keeps no other from its part. The tables say what a repetition has to end.
  const failed = await failuresOf(above, ({ after }) => record(after));
  if (failed.length > 0) throw failed[0];
  await eraseRows(pool, tables, person, certificate);
  await endCertificate(pool, certificate, { at: now(), position: await deps.store.head() });
  await pool.query(
    `insert into ops.erasures (person_id, requested_at, done_at) values ($1, $2, now()) on conflict do nothing`,
    [person, tombstone.at],
  );
  deps.log.info({ person }, 'a person was erased');
  const until = performance.now() + TELLING_MS;
  const kinds = modules.flatMap(({ outside = [] }) => outside);
  return { waitsOutside: await tellOutside(deps, kinds, context, { certificate, until }) };
};

const KEY: ErasedPart = { holder: 'key of the personal data in the log', outcome: 'key_destroyed', count: 1 };
const KEY_OF_SELLER: ErasedPart = { ...KEY, holder: 'key of the texts of listings in the log' };

/** Runs `work` for each, whatever the others throw. @returns what they throw */
const failuresOf = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<readonly unknown[]> => {
  const failed: unknown[] = [];
  for (const one of all) await work(one).catch((error: unknown) => failed.push(error));
  return failed;
};

/** Repeats every erasure that is not recorded as done: it was interrupted, or a restored backup has undone it. */
export const replayTombstones = async <Deps extends CoreDeps>(deps: Deps, plan: ErasurePlan<Deps>): Promise<number> => {
  const tombstones = await plan.tombstones.list();
  const { rows } = await deps.pool.query<{ person_id: string }>(
    'select person_id from ops.erasures join ops.vault_keys using (person_id) where wrapped_key is null',
  );
  const done = new Set(rows.map(({ person_id }) => person_id));
  const due = tombstones.filter(({ person }) => !done.has(person));
  let failed = 0;
  for (const { person } of due)
    await erasePerson(deps, plan, person).catch((err: unknown) => {
      failed += 1;
      deps.log.warn({ err, person }, 'an erasure was not completed and is repeated');
    });
  return failed;
};

/** Tables with rows that are deleted with people, and the columns with these people. */
const deletedTables = (
  declared: readonly Migrations[],
): { readonly table: string; readonly columns: readonly string[] }[] =>
  tablesAboutPeople(declared)
    .map(([table, about]) => ({ table, columns: deletingColumns(about) }))
    .filter(({ columns }) => columns.length > 0);

/** Deletes the person's rows. @returns table by table, how many */
export const deleteRows = async (
  db: Queryable,
  declared: readonly Migrations[],
  person: string,
): Promise<readonly ErasedPart[]> => {
  const parts: ErasedPart[] = [];
  for (const { table, columns } of deletedTables(declared)) {
    const { rowCount } = await db.query(`delete from ${table} where $1 in (${columns.join(', ')})`, [person]);
    parts.push({ holder: table, outcome: 'deleted', count: rowCount ?? 0 });
  }
  return parts;
};

/** Deletes the person's rows, and records in the certificate what was deleted and what stays. Safe to repeat. */
export const eraseRows = async (
  db: Queryable,
  declared: readonly Migrations[],
  person: string,
  certificate: string,
): Promise<void> => {
  for (const { table, columns } of deletedTables(declared))
    await deleteRecorded(db, certificate, { table, columns, person });
  for (const [table, about] of tablesAboutPeople(declared)) {
    if (about.erased === 'deleted') continue;
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${about.whose} = $1`,
      [person],
    );
    await recordParts(db, certificate, [{ holder: table, outcome: 'kept', count: rows[0]?.count ?? 0 }]);
  }
};
