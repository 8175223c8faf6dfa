/**
 * The erasure of a person. A tombstone is written first and outlives a restore. Then each module does what needs the plain
 * texts or a system outside, the key is destroyed, the rows in durable tables are deleted, and `PersonErased` is recorded,
 * which the read models fold. Each step records what it has erased in the certificate. Every step is safe to repeat: an
 * erasure that was interrupted, or undone by a restore, runs again.
 */

import { DAY_MS, msBetween } from '../../domain/core/instants.ts';
import { type ErasedPart, recordParts } from '../../infra/erasedParts.ts';
import { eraseHeld } from '../../infra/heldData.ts';
import { derivedId } from '../../infra/ids.ts';
import { type Migrations, migrations } from '../../infra/migrations.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { Tombstone, Tombstones } from '../../infra/tombstones.ts';
import { beginCertificate, certificateOf, endCertificate } from './certificates.ts';
import type { CoreDeps } from './deps.ts';
import type { CommandContext } from './handle.ts';

export const erasureMigrations = migrations('commands', {
  '0002_erasures': `
    create table ops.erasures (
      person_id uuid primary key,
      requested_at timestamptz not null,
      done_at timestamptz not null
    );
  `,
  holds: {
    'ops.erasures': {
      nothing: 'ids of people who were erased',
      kept: { always: 'the proof of the erasure, and what repeats it after a restore' },
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

/** What a module does when a person is erased. */
export interface ModuleErasure<Deps = never> {
  /** While the texts can be read: what must be deleted elsewhere. It throws to be repeated later; OutsideFault for a week only. */
  readonly before?: Step<Deps>;
  /** Once the key is destroyed. */
  readonly after?: Step<Deps>;
}

export interface ErasurePlan<Deps> {
  readonly modules: readonly ModuleErasure<Deps>[];
  readonly tables: readonly Migrations[];
  readonly tombstones: Tombstones;
  /** How many rows of each read model show something personal of a person. */
  readonly personalRows: (db: Queryable, person: string) => Promise<readonly ErasedPart[]>;
}

/** So long a system outside may keep a person's data from being erased here. */
const PATIENCE_MS = 7 * DAY_MS;

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
 * @throws what a module throws before the key is destroyed, such as ProviderError or FileStoreAway: the tombstone stays,
 *   and it is repeated
 */
export const erasePerson = async <Deps extends CoreDeps>(
  deps: Deps,
  plan: ErasurePlan<Deps>,
  person: string,
): Promise<void> => {
  const { pool, vault, now } = deps;
  const tombstone = await plan.tombstones.write({ person, at: now() });
  const context = contextOf(person, now());
  const certificate = certificateOf(vault, person);
  await beginCertificate(pool, certificate, tombstone.at);
  const record = (part: ErasedPart | undefined) => recordParts(pool, certificate, part ? [part] : []);
  await recordParts(pool, certificate, await plan.personalRows(pool, person));
  // The account last, so that an erasure that has to wait leaves it as it is.
  for (const { before } of plan.modules.toReversed()) await record(await runBefore(deps, before, context, tombstone));
  await vault.erase(person);
  await record({ holder: 'key of the personal data in the log', outcome: 'key_destroyed', count: 1 });
  await eraseHeld(pool, plan.tables, person, certificate);
  for (const { after } of plan.modules) await record((await after?.(deps, context, person)) ?? undefined);
  await record({ holder: 'realtime changes', outcome: 'purged', count: 1 });
  await endCertificate(pool, certificate, { at: now(), position: await deps.store.head() });
  await pool.query(
    `insert into ops.erasures (person_id, requested_at, done_at) values ($1, $2, now()) on conflict do nothing`,
    [person, tombstone.at],
  );
  deps.log.info({ person }, 'a person was erased');
};

const runBefore = async <Deps extends CoreDeps>(
  deps: Deps,
  step: Step<Deps> | undefined,
  context: CommandContext,
  { person, at }: Tombstone,
): Promise<ErasedPart | undefined> => {
  try {
    return (await step?.(deps, context, person)) ?? undefined;
  } catch (err) {
    const isTooOld = msBetween(at, deps.now()) >= PATIENCE_MS;
    if (!(err instanceof OutsideFault && isTooOld)) throw err;
    deps.log.error({ err, person }, 'a person is erased although a system outside may still keep their data');
    return undefined;
  }
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
