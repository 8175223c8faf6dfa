/**
 * Unsubscribing without signing in (RFC 8058): the link in a marketing e-mail names the person and is signed, so that
 * nobody can make one for somebody else. It does nothing but withdraw the consent to marketing, so it never expires.
 */
import { timingSafeEqual } from 'node:crypto';
import { consentPolicies } from '../../domain/consents/policy.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { answerConsent } from '../consents/consents.ts';
import type { CommandContext } from '../core/handle.ts';
import { addressOnFile } from './addresses.ts';
import type { MailDeps } from './deps.ts';

export const UNSUBSCRIBE_PATH = '/api/v1/mail/unsubscribe';

type Deps = Pick<MailDeps, 'aggregates' | 'vault' | 'pool'>;

const signatureOf = ({ vault }: Pick<Deps, 'vault'>, personId: string): string =>
  vault.fingerprint('unsubscribe', personId);

export const unsubscribeToken = (deps: Pick<Deps, 'vault'>, personId: string): string =>
  `${personId}.${signatureOf(deps, personId)}`;

export const unsubscribeUrl = (deps: Pick<MailDeps, 'vault' | 'settings'>, personId: string): string =>
  `${deps.settings.publicUrl}${UNSUBSCRIBE_PATH}?token=${unsubscribeToken(deps, personId)}`;

/** The person whom a link is about. @throws Rejected `not_found` for a link that was not made here */
export const personOfLink = (deps: Pick<Deps, 'vault'>, token: string): string => {
  const [personId = '', signature = ''] = token.split('.');
  const expected = Buffer.from(signatureOf(deps, personId));
  const given = Buffer.from(signature);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return personId;
  throw new Rejected('not_found', 'This link is not valid. Open it as it is in the e-mail.');
};

/** Withdraws the consent to marketing. Safe to repeat. @throws Rejected `not_found` for a link that was not made here */
export const unsubscribe = async (deps: Deps, context: CommandContext, token: string): Promise<void> => {
  const personId = personOfLink(deps, token);
  if ((await addressOnFile(deps, personId)) === null) return;
  const { state } = await deps.aggregates.load(consentPolicies, ONLY_ONE);
  const policyVersion = state.marketing.version;
  await answerConsent(deps, context, personId, {
    purpose: 'marketing',
    policyVersion,
    granted: false,
    userAgent: null,
  });
};
