/**
 * Who consents to what, as one table for many people. The log knows it for one person at a time, and asking it takes a call
 * for each. The table proposes; whoever does something about a person then asks the log (`hasConsent`), so that a withdrawn
 * consent counts at once.
 */

import { consentsPurpose } from '../../domain/consents/index.ts';
import { consentPolicies, type Purpose } from '../../domain/consents/policy.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { unlessErased } from '../../eventstore/vault.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';
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
  // The policy has another name, and fills the table from the beginning of the log.
  '0002_consenting_people': `
    drop table ops.marketing_people;
    create table ops.consenting_people (
      person_id uuid not null,
      purpose text not null,
      -- of the text that they consent to; null: they do not
      policy_version text,
      -- of the answer
      revision bigint not null,
      primary key (person_id, purpose)
    );
    create index consenting_people_version on ops.consenting_people (purpose, policy_version, person_id)
      where policy_version is not null;
  `,
  personalData: {
    'ops.consenting_people': {
      whose: 'person_id',
      exported: [],
      erased: 'deleted',
      why: consentsPurpose,
      retention: 'account',
      seenBy: ['nobody'],
    },
  },
});

/** An older answer changes nothing. */
const { begin, condition } = unlessErased('$1');
const KEEP = `
  ${begin} insert into ops.consenting_people as known (person_id, purpose, policy_version, revision)
  select $1, $2, $3, $4 where ${condition}
  on conflict (person_id, purpose) do update
    set policy_version = excluded.policy_version, revision = excluded.revision
    where known.revision < excluded.revision`;

/** Keeps what a person has answered. What is older than what is known changes nothing. */
export const keepAnswer = async (
  db: Queryable,
  personId: string,
  {
    purpose,
    granted,
    policyVersion,
    revision,
  }: {
    readonly purpose: Purpose;
    readonly granted: boolean;
    readonly policyVersion: string;
    readonly revision: bigint;
  },
): Promise<void> => {
  await db.query(KEEP, [personId, purpose, granted ? policyVersion : null, String(revision)]);
};

/**
 * Whether a person consents, as the table knows, as a condition in SQL.
 * @param person, version the column or parameter of their id, and of the version of the policy that is in force
 */
export const consentsTo = (person: string, purpose: Purpose, version: string): string =>
  `exists (select from ops.consenting_people c
    where c.person_id = ${person} and c.purpose = '${purpose}' and c.policy_version = ${version})`;

/** Fills the table from the log, also after an upgrade. */
export const audiencePolicy = policy('consenting_people', {
  ConsentAnswered: ({ streamId, revision, data }, { deps: { pool } }) =>
    keepAnswer(pool, streamId, { ...data, revision }),
});

type Deps = Pick<CoreDeps, 'aggregates' | 'pool'>;

/** The version of the text that a consent has to be for. */
export const policyInForce = async ({ aggregates }: Pick<Deps, 'aggregates'>, purpose: Purpose): Promise<string> =>
  (await aggregates.load(consentPolicies, ONLY_ONE, FOR_QUOTE)).state[purpose].version;

/**
 * People who consent to a purpose, by their ids.
 * @param after the last one of those before; `NIL_ID` for the first
 */
export const consentingPeople = async (
  deps: Deps,
  purpose: Purpose,
  after: string,
  most: number,
): Promise<string[]> => {
  const { rows } = await deps.pool.query<{ person_id: string }>(
    `select person_id from ops.consenting_people
     where purpose = $1 and policy_version = $2
       and person_id > $3
     order by person_id limit $4`,
    [purpose, await policyInForce(deps, purpose), after, most],
  );
  return rows.map(({ person_id }) => person_id);
};

/** Whether each of these people consents to a purpose, as far as the table knows, in one question. */
export const seemToConsent = async (deps: Deps, purpose: Purpose, people: readonly string[]): Promise<boolean[]> => {
  const { rows } = await deps.pool.query<{ person_id: string }>(
    `select person_id from ops.consenting_people
     where purpose = $1 and policy_version = $2 and person_id = any($3::uuid[])`,
    [purpose, await policyInForce(deps, purpose), people],
  );
  const found = new Set(rows.map(({ person_id }) => person_id));
  return people.map((person) => found.has(person));
};
