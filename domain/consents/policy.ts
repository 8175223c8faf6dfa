/**
 * What people can consent to, and the version of the text that they are shown. All policies are one aggregate; its one
 * stream is `consentPolicies-<ONLY_ONE>`. A new version asks everybody again.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { Nullable, OneOf, WebUrl } from '../core/schema.ts';

/** `data_processing` is what an account cannot do without; everything else is voluntary. */
export const purposes = ['data_processing', 'marketing', 'analytics', 'recommendations'] as const;
export const Purpose = OneOf(purposes);
export type Purpose = Static<typeof Purpose>;

export const isVoluntary = (purpose: Purpose): boolean => purpose !== 'data_processing';

export const PolicyVersion = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$', examples: ['2026-11'] });
export const PolicyUrl = Nullable(WebUrl);

const Policy = Type.Object({
  version: PolicyVersion,
  /** Where the text can be read. */
  url: PolicyUrl,
});
export type Policy = Static<typeof Policy>;

/** Until a policy is published. */
const INITIAL: Policy = { version: '1', url: null };

const consentPoliciesEvents = {
  ConsentPolicyPublished: { data: Type.Object({ purpose: Purpose, ...Policy.properties }) },
} as const satisfies EventDeclarations;
export type ConsentPoliciesEvent = EventsOf<typeof consentPoliciesEvents>;

export type ConsentPoliciesCommand = { readonly type: 'PublishPolicy'; readonly purpose: Purpose } & Policy;

/** The current policies; `used` has all versions that a purpose had. */
export type ConsentPolicies = Readonly<Record<Purpose, Policy & { readonly used: readonly string[] }>>;

const decide = ({ purpose, version, url }: ConsentPoliciesCommand, state: ConsentPolicies): ConsentPoliciesEvent[] => {
  const { version: current, url: currentUrl, used } = state[purpose];
  if (version === current && url === currentUrl) return [];
  if (version !== current && used.includes(version))
    throw new Rejected('conflict', `The version ${version} was used before. Choose one that says a new text.`);
  return [{ type: 'ConsentPolicyPublished', data: { purpose, version, url } }];
};

const evolve = (state: ConsentPolicies, { data: { purpose, version, url } }: ConsentPoliciesEvent): ConsentPolicies => {
  const { used } = state[purpose];
  return { ...state, [purpose]: { version, url, used: used.includes(version) ? used : [...used, version] } };
};

const initial = { ...INITIAL, used: [INITIAL.version] };

export const consentPolicies: Decider<ConsentPolicies, ConsentPoliciesCommand, ConsentPoliciesEvent> = {
  category: 'consentPolicies',
  short: 'people of the resort write it',
  events: consentPoliciesEvents,
  initial: { data_processing: initial, marketing: initial, analytics: initial, recommendations: initial },
  decide,
  evolve,
};

/** The current policy of a purpose, from those that were published. */
export const policyOf = (published: Partial<Record<Purpose, Policy>>, purpose: Purpose): Policy =>
  published[purpose] ?? INITIAL;
