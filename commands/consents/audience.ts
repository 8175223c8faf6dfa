/**
 * Who may be told of offers. The log knows it for one person at a time; this table finds them all, some at a time. Whoever
 * tells somebody asks the log again (`hasConsent`), so that a withdrawn consent counts at once.
 */
import { consentPolicies } from '../../domain/consents/policy.ts';
import { consentsPurpose } from '../../domain/consents/purpose.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { migrations } from '../../infra/migrations.ts';
import type { CoreDeps } from '../core/deps.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import { policy } from '../core/policy.ts';

export const audienceMigrations = migrations('consents', {
  '0001_marketing_people': `
    create table ops.marketing_people (
      person_id uuid primary key,
      -- of the text that they consent to; null: they do not
      policy_version text,
      -- of the answer
      revision bigint not null
    );
    create index marketing_people_version on ops.marketing_people (policy_version, person_id)
      where policy_version is not null;
  `,
  holds: {
    'ops.marketing_people': {
      person: 'person_id',
      exported: [],
      erased: 'deleted',
      why: consentsPurpose,
      kept: 'account',
      seenBy: ['nobody'],
    },
  },
});

/** An erasure comes either before, and nothing is kept, or after, and deletes it. An older answer changes nothing. */
const KEEP = `
  with key as materialized (select wrapped_key is null as is_gone from ops.vault_keys where person_id = $1 for share)
  insert into ops.marketing_people as known (person_id, policy_version, revision)
  select $1, $2, $3 where not exists (select from key where is_gone)
  on conflict (person_id) do update set policy_version = excluded.policy_version, revision = excluded.revision
    where known.revision < excluded.revision`;

/** Fills the table from the log, also after an upgrade. */
export const audiencePolicy = policy('marketing_people', {
  ConsentAnswered: async ({ streamId, revision, data: { purpose, granted, policyVersion } }, { deps: { pool } }) => {
    if (purpose !== 'marketing') return;
    await pool.query(KEEP, [streamId, granted ? policyVersion : null, String(revision)]);
  },
});

/**
 * People who consent to marketing, by their ids.
 * @param after the last one of those before; `''` for the first
 */
export const marketingPeople = async (
  { aggregates, pool }: Pick<CoreDeps, 'aggregates' | 'pool'>,
  after: string,
  most: number,
): Promise<string[]> => {
  const { marketing } = (await aggregates.load(consentPolicies, ONLY_ONE, FOR_QUOTE)).state;
  const { rows } = await pool.query<{ person_id: string }>(
    `select person_id from ops.marketing_people
     where policy_version = $1 and person_id > coalesce(nullif($2, '')::uuid, '00000000-0000-0000-0000-000000000000')
     order by person_id limit $3`,
    [marketing.version, after, most],
  );
  return rows.map(({ person_id }) => person_id);
};
