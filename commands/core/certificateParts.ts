/**
 * What an erasure has erased, part by part: the contents of its certificate. The certificate's id is a keyed hash of the
 * person's id, so that nothing here says who it was, and an erasure that is repeated writes into the same certificate.
 */
import type { Vault } from '../../eventstore/vault.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';

export const certificateMigrations = migrations('privacy', {
  '0001_erasure_certificates': `
    create table ops.erasure_certificates (
      id uuid primary key,
      requested_at timestamptz not null,
      -- when all steps had been taken; the read models follow up to the position
      done_at timestamptz,
      commit numeric,
      prepare numeric
    );
    create index erasure_certificates_requested on ops.erasure_certificates (requested_at desc, id);
    create table ops.erased_parts (
      certificate_id uuid not null,
      holder text not null,
      outcome text not null,
      count integer not null,
      primary key (certificate_id, holder)
    );
  `,
  '0002_pending_erasures': `
    -- while the person can still take it back: when it begins
    alter table ops.erasure_certificates add column due_at timestamptz;
  `,
  '0003_outcomes_of_parts': `
    -- one holder may have several: some cards are removed, others wait for their provider
    alter table ops.erased_parts drop constraint erased_parts_pkey,
      add primary key (certificate_id, holder, outcome);
  `,
  '0004_erasure_corrections': `
    -- what was found, and erased, after a certificate was given
    create table ops.erasure_corrections (
      id uuid primary key default gen_random_uuid(),
      certificate_id uuid not null,
      holder text not null,
      outcome text not null,
      count integer not null,
      at timestamptz not null default now()
    );
    create index erasure_corrections_certificate on ops.erasure_corrections (certificate_id);
  `,
  personalData: {
    'ops.erasure_corrections': { nothing: 'how much was found after an erasure, without saying whose' },
    'ops.erasure_certificates': { nothing: 'when somebody was erased, without saying who' },
    'ops.erased_parts': { nothing: 'how much was erased where, without saying whose' },
  },
});

/**
 * What happened to the data. `kept`: only what is not personal, such as amounts, stays. `waiting`: a system outside has not
 * confirmed it yet. `left`: it refuses, has no way to delete it, or did not confirm it within seven days.
 */
export const erasureOutcomes = [
  'key_destroyed',
  'deleted',
  'removed',
  'anonymised',
  'kept',
  'purged',
  'waiting',
  'left',
] as const;
export type ErasureOutcome = (typeof erasureOutcomes)[number];

/**
 * The id of the certificate of a person's erasure: the same after a restore, and known only to those who know the key.
 */
export const certificateOf = (vault: Pick<Vault, 'fingerprint'>, person: string): string =>
  vault.fingerprint('erasure', person);

export interface ErasedPart {
  /** What held the data: a table (`ops.sessions`), a read model (`read.bookings`), `files`. */
  readonly holder: string;
  readonly outcome: ErasureOutcome;
  /** How many rows, files and so on. */
  readonly count: number;
}

/** Of whose certificate a part is. */
interface CertifiedPart extends ErasedPart {
  readonly certificate: string;
}

/** A part of a certificate that was found to be wrong later: so much was still there, and was erased then. */
export interface Correction extends ErasedPart {
  /** RFC 3339. */
  readonly at: string;
}

/** Adds parts to a table of them; those of which nothing was found are left out. @param conflict SQL for a part that is there */
const insertParts = async (
  db: Queryable,
  table: 'ops.erased_parts' | 'ops.erasure_corrections',
  parts: readonly CertifiedPart[],
  conflict = '',
): Promise<void> => {
  const found = parts.filter(({ count }) => count > 0);
  if (found.length === 0) return;
  await db.query(
    `insert into ${table} as known (certificate_id, holder, outcome, count)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::int[]) ${conflict}`,
    [
      found.map(({ certificate }) => certificate),
      found.map(({ holder }) => holder),
      found.map(({ outcome }) => outcome),
      found.map(({ count }) => count),
    ],
  );
};

const together = (count: string): string =>
  `on conflict (certificate_id, holder, outcome) do update set count = ${count}`;

/** Nothing is recorded where nothing was found. Repeated, the larger count stays: a repetition finds what was left. */
export const recordParts = (db: Queryable, certificate: string, parts: readonly ErasedPart[]): Promise<void> =>
  insertParts(
    db,
    'ops.erased_parts',
    parts.map((part) => ({ ...part, certificate })),
    together('greatest(known.count, excluded.count)'),
  );

/**
 * Counts what the projector has erased of people, in the transaction that has done it: so nothing is counted twice. Realtime
 * changes are those of everybody, and purged by each group of read models: they count once.
 */
export const countErasedWith =
  (vault: Pick<Vault, 'fingerprint'>) =>
  (db: Queryable, parts: readonly (ErasedPart & { readonly person: string })[]): Promise<void> =>
    insertParts(
      db,
      'ops.erased_parts',
      parts.map(({ person, ...part }) => ({ ...part, certificate: certificateOf(vault, person) })),
      together(
        `case when excluded.outcome = 'purged' then greatest(known.count, excluded.count) else known.count + excluded.count end`,
      ),
    );

/** Deletes rows and records how many, in one statement, so that a killed process neither loses nor doubles the count. */
export const deleteRecorded = async (
  db: Queryable,
  certificate: string,
  { table, columns, person }: { readonly table: string; readonly columns: readonly string[]; readonly person: string },
): Promise<void> => {
  await db.query(
    `with gone as (delete from ${table} where $1 in (${columns.join(', ')}) returning 1)
     insert into ops.erased_parts as known (certificate_id, holder, outcome, count)
     select $2, '${table}', 'deleted', count(*)::int from gone having count(*) > 0
     ${together('known.count + excluded.count')}`,
    [person, certificate],
  );
};

/** Of what was found after a certificate was given, in the transaction that erases it. @returns how many there are altogether */
export const correctParts = async (db: Queryable, parts: readonly CertifiedPart[]): Promise<number> => {
  await insertParts(db, 'ops.erasure_corrections', parts);
  return parts.reduce((sum, { count }) => sum + count, 0);
};
