/** What segments ask about people: role, language, and what they do not want pushed. */
import { account } from '../../domain/accounts/account.ts';
import type { QuietHours } from '../../domain/push/quietHours.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { PushDeps } from './deps.ts';

const KEEP = `insert into ops.push_people as known (person_id, role, language, account_revision)
   values ($1, $2, $3, $4)
   on conflict (person_id) do update
     set role = excluded.role, language = excluded.language, account_revision = excluded.account_revision
     where known.account_revision <= excluded.account_revision`;

/** Keeps what was read about a person. What is older than what is known changes nothing. */
export type KeepPerson = (db: Queryable) => Promise<void>;

/** Reads what the log says about a person now. @returns keeps it */
export const readPerson = async (
  { aggregates }: Pick<PushDeps, 'aggregates'>,
  personId: string,
): Promise<KeepPerson> => {
  const { state, revision } = await aggregates.load(account, personId);
  if (state.status === 'none') return async () => undefined;
  const known = [personId, state.role, state.language, String(revision ?? -1)];
  return async (db) => void (await db.query(KEEP, known));
};

/** Reads and keeps it for a person who is known because of a device; nobody else is kept. */
export const knowPersonAgain = async (deps: Pick<PushDeps, 'aggregates' | 'pool'>, personId: string): Promise<void> => {
  const { rowCount } = await deps.pool.query('select from ops.push_people where person_id = $1', [personId]);
  if (rowCount) await (await readPerson(deps, personId))(deps.pool);
};

/** What a person wants of push messages. */
export interface PushWishes {
  /** Kinds that are not pushed to them. */
  readonly muted: readonly string[];
  readonly quietHours: QuietHours | null;
}

/** Keeps what a person wants, in place of what they wanted before. */
export const keepPushWishes = async (
  { pool }: Pick<PushDeps, 'pool'>,
  personId: string,
  { muted, quietHours }: PushWishes,
): Promise<void> => {
  await pool.query(
    `with unmuted as (delete from ops.push_muted where person_id = $1 and kind <> all ($2)),
     muted as (insert into ops.push_muted (person_id, kind) select $1, unnest($2::text[]) on conflict do nothing),
     loud as (delete from ops.push_quiet_hours where person_id = $1 and $3::jsonb is null)
     insert into ops.push_quiet_hours (person_id, quiet_hours) select $1, $3::jsonb where $3::jsonb is not null
     on conflict (person_id) do update set quiet_hours = excluded.quiet_hours`,
    [personId, muted, quietHours && JSON.stringify(quietHours)],
  );
};
