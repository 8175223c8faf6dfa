/** Consents: what a person agrees to, and the policies that they are asked about. */
import { type Static, Type } from '@sinclair/typebox';
import { answerConsent, publishPolicy } from '../../commands/consents/consents.ts';
import { isGranted, mustAsk } from '../../domain/consents/consent.ts';
import { isVoluntary, PolicyUrl, PolicyVersion, Purpose, purposes } from '../../domain/consents/policy.ts';
import { Instant, Nullable } from '../../domain/core/schema.ts';
import { beginningOf } from '../../domain/core/storable.ts';
import { consentRecords, listConsentRecords } from '../../projections/consents/consentRecords.ts';
import { consents, consentsOf } from '../../projections/consents/consents.ts';
import { consentPolicies, versionsInForce } from '../../projections/consents/policies.ts';
import type { ReadDb } from '../../projections/engine/readDb.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';

const policy = {
  purpose: Purpose,
  policy_version: PolicyVersion,
  url: { ...PolicyUrl, description: 'The text of the policy.' },
  voluntary: Type.Boolean({ description: 'false: the account cannot be used without it.' }),
};
const Policy = Type.Object(policy, { $id: 'ConsentPolicy' });
const Consent = Type.Object(
  {
    ...policy,
    granted: Type.Boolean({ description: 'Whether the person agrees to the policy that is in force.' }),
    answered_version: Nullable(PolicyVersion),
    answered_at: Nullable(Instant),
    must_ask: Type.Boolean({ description: 'They have not answered for the policy that is in force.' }),
  },
  { $id: 'Consent' },
);
const { account_id: _, revision: _order, ...recorded } = consentRecords.row.properties;
const ConsentRecord = Type.Object(recorded, { $id: 'ConsentRecord' });

/** Where a person stands on each purpose. */
const standing = async (db: ReadDb, person: string): Promise<Static<typeof Consent>[]> => {
  const [inForce, answers] = await Promise.all([versionsInForce(db), consentsOf(db, person)]);
  return purposes.map((purpose) => {
    const { version, url } = inForce[purpose];
    const row = answers.find((each) => each.purpose === purpose);
    const answer = row && { policyVersion: row.policy_version, granted: row.granted };
    return {
      purpose,
      policy_version: version,
      url,
      voluntary: isVoluntary(purpose),
      granted: isGranted(answer, version),
      answered_version: row?.policy_version ?? null,
      answered_at: row?.at ?? null,
      must_ask: mustAsk(answer, version),
    };
  });
};

export const ConsentsToAsk = Type.Array(Policy, {
  description: 'What the person has not answered yet, also because the policy has a new version.',
});
export const consentsToAsk = async (db: ReadDb, person: string): Promise<Static<typeof ConsentsToAsk>> =>
  (await standing(db, person))
    .filter(({ must_ask }) => must_ask)
    .map(({ purpose, policy_version, url, voluntary }) => ({ purpose, policy_version, url, voluntary }));

const answer = route('POST /api/v1/me/consent', {
  id: 'answerConsent',
  access: 'user',
  summary: 'Give or withdraw a consent',
  description:
    'Recorded with the time, the address and the user agent. A withdrawal works at once and always succeeds. A consent to a version that is not in force any more is refused: show the current text, then ask again.',
  body: Type.Object(
    { purpose: Purpose, policy_version: PolicyVersion, granted: Type.Boolean() },
    { $id: 'ConsentAnswer' },
  ),
  reply: Type.Object({ purpose: Purpose, policy_version: PolicyVersion, granted: Type.Boolean(), at: Instant }),
  status: 201,
  errors: ['conflict'],
  projections: [consents, consentRecords],
  handle: async ({ body, caller, context, request }, app) => {
    const { purpose, policy_version, granted } = body;
    const userAgent = beginningOf(request.header('user-agent') ?? '', 500) || null;
    await answerConsent(app, context, caller.id, { purpose, policyVersion: policy_version, granted, userAgent });
    return { purpose, policy_version, granted, at: context.at };
  },
});

const own = route('GET /api/v1/me/consents', {
  id: 'listConsents',
  access: 'user',
  summary: 'List own consents',
  description: '`consents` is where you stand on each purpose, `data` the history of your answers, newest first.',
  query: Type.Object(pagingQuery),
  reply: Type.Object({ consents: Type.Array(Consent), ...ListOf(ConsentRecord).properties }),
  reads: [consents, consentRecords, consentPolicies],
  channel: callersChannel,
  handle: async ({ query, caller }, { db }) => {
    const paging = pagingOf(query);
    const [found, { rows, total }] = await Promise.all([
      standing(db, caller.id),
      listConsentRecords(db, caller.id, paging),
    ]);
    return {
      consents: found,
      ...listOf({ rows: rows.map(({ account_id: _of, revision: _order, ...row }) => row), total }, paging),
    };
  },
});

const Purposed = Type.Object({ purpose: Purpose });

const policies = route('GET /api/v1/consent-policies', {
  id: 'listConsentPolicies',
  access: 'public',
  summary: 'List the policies in force',
  reply: Type.Object({ data: Type.Array(Policy) }),
  reads: [consentPolicies],
  handle: async (_input, { db }) => {
    const inForce = await versionsInForce(db);
    return {
      data: purposes.map((purpose) => ({
        purpose,
        policy_version: inForce[purpose].version,
        url: inForce[purpose].url,
        voluntary: isVoluntary(purpose),
      })),
    };
  },
});

const publish = route('PUT /api/v1/admin/consent-policies/:purpose', {
  id: 'publishConsentPolicy',
  access: 'admin',
  harm: 'rights',
  summary: 'Publish a version of a policy',
  description: 'Everybody is asked again: until they answer, they count as not having consented.',
  params: Purposed,
  body: Type.Object({ policy_version: PolicyVersion, url: Type.Optional(PolicyUrl) }),
  reply: Policy,
  errors: ['conflict'],
  projections: [consentPolicies],
  handle: async ({ params: { purpose }, body: { policy_version, url = null }, context }, app) => {
    await publishPolicy(app, context, purpose, { version: policy_version, url });
    return { purpose, policy_version, url, voluntary: isVoluntary(purpose) };
  },
});

export const consentRoutes = [answer, own, policies, publish];
