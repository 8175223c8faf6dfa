/** Identity streams by the identifiers that name them. */
import type { OpenAccount } from '../../domain/accounts/account.ts';
import { type IdentifierKind, normalised } from '../../domain/accounts/identity.ts';
import { Rejected } from '../../domain/core/decider.ts';
import type { Vault } from '../../eventstore/vault.ts';

/** The identity stream of a normalised identifier; null for null. */
export const identityId = <T extends string | null>(vault: Vault, kind: IdentifierKind, value: T): T =>
  (value === null ? null : vault.fingerprint(kind, value)) as T;

/** The identity stream of somebody at an identity provider. */
export const providedId = (vault: Vault, provider: string, subject: string): string =>
  vault.fingerprint('oauth', `${provider}\u0000${subject}`);

/** The identity streams of all that an account shows. */
export const identitiesOf = (vault: Vault, { email, phone, links }: OpenAccount): string[] => [
  ...[identityId(vault, 'email', email), identityId(vault, 'phone', phone)].filter((id) => id !== null),
  ...links.map((link) => link.identityId),
];

/** Whether an account shows the identifier of an identity stream. A claim that it does not show opens nothing. */
export const shows = (vault: Vault, account: OpenAccount, id: string): boolean =>
  identitiesOf(vault, account).includes(id);

/** Normalises what somebody enters or a provider vouches for, or refuses it with a message for the person. */
export const identifier = (kind: IdentifierKind, text: string): string => {
  const value = normalised(kind, text);
  if (value !== null) return value;
  throw new Rejected(
    'invalid',
    kind === 'email'
      ? 'This is not an e-mail address, or it has characters that can be taken for others. Use another address.'
      : 'This is not a phone number that exists. Write it with its country code, and without an extension: +79990000000.',
    { fields: [kind] },
  );
};
