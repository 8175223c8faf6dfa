/**
 * What an erasure has erased, part by part: the contents of its certificate. The certificate's id is a keyed hash of the
 * person's id, so that nothing here says who it was, and an erasure that is repeated writes into the same certificate.
 */
import { migrations } from './migrations.ts';
import type { Queryable } from './postgres.ts';

export const erasedPartMigrations = migrations('privacy', {
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
  holds: {
    'ops.erasure_certificates': { nothing: 'when somebody was erased, without saying who' },
    'ops.erased_parts': { nothing: 'how much was erased where, without saying whose' },
  },
});

/** What happened to the data. `kept`: only what is not personal, such as amounts, stays. */
export const erasureOutcomes = ['key_destroyed', 'deleted', 'removed', 'anonymised', 'kept', 'purged'] as const;
type ErasureOutcome = (typeof erasureOutcomes)[number];

export interface ErasedPart {
  /** What held the data: a table (`ops.sessions`), a read model (`read.bookings`), `files`. */
  readonly holder: string;
  readonly outcome: ErasureOutcome;
  /** How many rows, files and so on. */
  readonly count: number;
}

/** Nothing is recorded where nothing was found. Repeated, the larger count stays: a repetition finds what was left. */
export const recordParts = async (db: Queryable, certificate: string, parts: readonly ErasedPart[]): Promise<void> => {
  const found = parts.filter(({ count }) => count > 0);
  if (found.length === 0) return;
  await db.query(
    `insert into ops.erased_parts as known (certificate_id, holder, outcome, count)
     select $1, * from unnest($2::text[], $3::text[], $4::int[])
     on conflict (certificate_id, holder) do update
       set outcome = excluded.outcome, count = greatest(known.count, excluded.count)`,
    [
      certificate,
      found.map(({ holder }) => holder),
      found.map(({ outcome }) => outcome),
      found.map(({ count }) => count),
    ],
  );
};

/** Deletes rows and records how many, in one statement, so that a killed process neither loses nor doubles the count. */
export const deleteRecorded = async (
  db: Queryable,
  certificate: string,
  { table, column, person }: { readonly table: string; readonly column: string; readonly person: string },
): Promise<void> => {
  await db.query(
    `with gone as (delete from ${table} where ${column} = $1 returning 1)
     insert into ops.erased_parts as known (certificate_id, holder, outcome, count)
     select $2, '${table}', 'deleted', count(*)::int from gone having count(*) > 0
     on conflict (certificate_id, holder) do update set count = known.count + excluded.count`,
    [person, certificate],
  );
};
