/** Consents: asked before what needs them, and answered by people. */
import { consent, isGranted } from '../../domain/consents/consent.ts';
import { consentPolicies, type Policy, type Purpose } from '../../domain/consents/policy.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, FOR_QUOTE } from '../core/handle.ts';
import { keepAnswer } from './audience.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** What a person answers about one purpose. */
export interface ConsentAnswer {
  readonly purpose: Purpose;
  /** Of the text that they were shown. */
  readonly policyVersion: string;
  readonly granted: boolean;
  readonly userAgent: string | null;
}

/**
 * Records an answer; the address and the time come from the context. A version that is published at the same moment is not
 * seen: the answer then names the former one, and the person is asked again.
 * @throws Rejected `conflict` for a yes to a text that is not in force any more
 */
export const answerConsent = async (
  deps: Deps & Pick<CoreDeps, 'pool'>,
  context: CommandContext,
  person: string,
  answer: ConsentAnswer,
): Promise<void> => {
  const { state: policies } = await deps.aggregates.load(consentPolicies, ONLY_ONE);
  const command = { type: 'AnswerConsent', ...answer, current: policies[answer.purpose].version } as const;
  const { events, revision } = await deps.aggregates.handle(consent, person, command, context);
  // At once, for whoever asks about many people next; the policy does the same if this process ends here.
  if (events.length > 0 && revision !== null) await keepAnswer(deps.pool, person, { ...answer, revision });
};

/** Publishes a new version of a policy: everybody is asked again. @throws Rejected `conflict` for a version used before */
export const publishPolicy = async (
  deps: Deps,
  context: CommandContext,
  purpose: Purpose,
  policy: Policy,
): Promise<void> => {
  await deps.aggregates.handle(consentPolicies, ONLY_ONE, { type: 'PublishPolicy', purpose, ...policy }, context);
};

/**
 * Whether a person consents to a purpose, as the log tells: for what is done about one person at a time. For many people,
 * and where a second does not matter, ask the read model.
 */
export const hasConsent = async ({ aggregates }: Deps, person: string, purpose: Purpose): Promise<boolean> => {
  const [{ state: answers }, { state: policies }] = await Promise.all([
    aggregates.load(consent, person),
    aggregates.load(consentPolicies, ONLY_ONE, FOR_QUOTE),
  ]);
  return isGranted(answers[purpose], policies[purpose].version);
};
