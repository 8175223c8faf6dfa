/** What segments ask about people: role, language, consent to marketing, and what they do not want pushed. */
import { account } from '../../domain/accounts/account.ts';
import { consent } from '../../domain/consents/consent.ts';
import { consentPolicies } from '../../domain/consents/policy.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import type { PushDeps } from './deps.ts';

const KEEP = `insert into ops.push_people as known (person_id, role, language, account_revision, marketing, consent_revision)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (person_id) do update set
     role = case when known.account_revision <= excluded.account_revision then excluded.role else known.role end,
     language =
       case when known.account_revision <= excluded.account_revision then excluded.language else known.language end,
     account_revision = greatest(known.account_revision, excluded.account_revision),
     marketing =
       case when known.consent_revision <= excluded.consent_revision then excluded.marketing else known.marketing end,
     consent_revision = greatest(known.consent_revision, excluded.consent_revision)`;

/** Keeps what was read about a person. What is older than what is known changes nothing. */
export type KeepPerson = (db: Queryable) => Promise<void>;

/** Reads what the log says about a person now. @returns keeps it */
export const readPerson = async (
  { aggregates }: Pick<PushDeps, 'aggregates'>,
  personId: string,
): Promise<KeepPerson> => {
  const [who, consents] = await Promise.all([aggregates.load(account, personId), aggregates.load(consent, personId)]);
  if (who.state.status === 'none') return async () => undefined;
  const { role, language } = who.state;
  const { marketing } = consents.state;
  const known = [
    personId,
    role,
    language,
    String(who.revision ?? -1),
    marketing?.granted ? marketing.policyVersion : null,
    String(consents.revision ?? -1),
  ];
  return async (db) => void (await db.query(KEEP, known));
};

/** Reads and keeps it for a person who is known because of a device; nobody else is kept. */
export const knowPersonAgain = async (deps: Pick<PushDeps, 'aggregates' | 'pool'>, personId: string): Promise<void> => {
  const { rowCount } = await deps.pool.query('select from ops.push_people where person_id = $1', [personId]);
  if (rowCount) await (await readPerson(deps, personId))(deps.pool);
};

/** The version of the marketing policy that a consent has to be for. */
export const marketingPolicy = async ({ aggregates }: Pick<PushDeps, 'aggregates'>): Promise<string> =>
  (await aggregates.load(consentPolicies, ONLY_ONE, FOR_QUOTE)).state.marketing.version;

/** Sets the kinds of messages that broadcasts do not push to this person. Those that are not named are pushed. */
export const muteKinds = async (
  { pool }: Pick<PushDeps, 'pool'>,
  personId: string,
  kinds: readonly string[],
): Promise<void> => {
  await pool.query(
    `with unmuted as (delete from ops.push_muted where person_id = $1 and kind <> all ($2))
     insert into ops.push_muted (person_id, kind) select $1, unnest($2::text[]) on conflict do nothing`,
    [personId, kinds],
  );
};
