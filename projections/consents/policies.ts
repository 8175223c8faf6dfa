/** The policies in force: what people are asked to agree to. */

import { Type } from '@sinclair/typebox';
import { type Policy, PolicyUrl, PolicyVersion, Purpose, policyOf, purposes } from '../../domain/consents/policy.ts';
import { Instant } from '../../domain/core/schema.ts';
import { actsOfAdmins } from '../../infra/personalData.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';

export const consentPolicies = readModel('consent_policies', {
  version: 1,
  row: Type.Object({
    purpose: Purpose,
    version: PolicyVersion,
    url: PolicyUrl,
    published_at: Instant,
    /** Id of the account that published it. */
    published_by: Type.String(),
  }),
  key: 'purpose',
  personalData: actsOfAdmins,
  on: {
    ConsentPolicyPublished: {
      keys: ({ data: { purpose } }) => [{ purpose }],
      fold: (_, { at, meta, data }) => ({ ...data, published_at: at, published_by: meta.actor.id }),
    },
  },
  announce: (keys) => keys.map(({ purpose }) => purpose),
});

/** The policy of each purpose; the initial one where none was published. */
export const versionsInForce = async (db: ReadDb): Promise<Readonly<Record<Purpose, Policy>>> => {
  const rows = await tables(db, consentPolicies)
    .selectFrom('consent_policies')
    .select(['purpose', 'version', 'url'])
    .execute();
  const published = Object.fromEntries(rows.map(({ purpose, ...policy }) => [purpose, policy]));
  return Object.fromEntries(purposes.map((purpose) => [purpose, policyOf(published, purpose)])) as Record<
    Purpose,
    Policy
  >;
};
