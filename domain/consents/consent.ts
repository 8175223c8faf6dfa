/**
 * What a person has consented to: `consent-<account>`. Every answer stays in the log with its time and address; the last one
 * for a purpose counts.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { Nullable, Personal } from '../core/schema.ts';
import { PolicyVersion, Purpose } from './policy.ts';

export const Answer = Type.Object({
  /** Of the text that the person was shown. */
  policyVersion: PolicyVersion,
  granted: Type.Boolean(),
});
export type Answer = Static<typeof Answer>;

const consentEvents = {
  /** The address and the time are in the metadata. */
  ConsentAnswered: {
    data: Type.Object({ purpose: Purpose, ...Answer.properties, userAgent: Nullable(Personal(Type.String())) }),
    person: 'stream',
  },
} as const satisfies EventDeclarations;
export type ConsentEvent = EventsOf<typeof consentEvents>;

export type ConsentCommand = Answer & {
  readonly type: 'AnswerConsent';
  readonly purpose: Purpose;
  readonly userAgent: string | null;
  /** The version of the policy that is in force. */
  readonly current: string;
};

/** The last answer for each purpose. */
export type Consents = Readonly<Partial<Record<Purpose, Answer>>>;

/** Whether a purpose is consented to. A consent is to one text: a new version needs a new one. */
export const isGranted = (answer: Answer | undefined, current: string): boolean =>
  answer?.granted === true && answer.policyVersion === current;

/** Whether the person has to be asked: they have not answered for the text that is in force. */
export const mustAsk = (answer: Answer | undefined, current: string): boolean => answer?.policyVersion !== current;

const decide = (command: ConsentCommand, state: Consents): ConsentEvent[] => {
  const { purpose, policyVersion, granted, userAgent, current } = command;
  // No is a valid answer whatever text was shown: withdrawing never fails.
  if (granted && policyVersion !== current)
    throw new Rejected('conflict', `The policy has changed: version ${current} is in force. Show it, then ask again.`, {
      policy_version: current,
    });
  const last = state[purpose];
  if (last?.granted === granted && last.policyVersion === policyVersion) return [];
  return [{ type: 'ConsentAnswered', data: { purpose, policyVersion, granted, userAgent } }];
};

const evolve = (state: Consents, { data: { purpose, policyVersion, granted } }: ConsentEvent): Consents => ({
  ...state,
  [purpose]: { policyVersion, granted },
});

export const consent: Decider<Consents, ConsentCommand, ConsentEvent> = {
  category: 'consent',
  short: 'a person answers for a few purposes, when they or their texts change',
  events: consentEvents,
  initial: {},
  decide,
  evolve,
};
