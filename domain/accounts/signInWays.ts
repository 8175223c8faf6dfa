/** The ways in which somebody signs in to an account, and which of them are enough for what it may do. */
import type { ProviderLink } from './accountEvents.ts';
import type { Role } from './role.ts';

interface Openable {
  readonly role: Role;
  /** The role comes back when the person signs in. */
  readonly erasure?: { readonly role: Role };
  readonly email: string | null;
  readonly phone: string | null;
  readonly passwordHash: string | null;
  readonly links: readonly ProviderLink[];
}

/** Whether an account may do what harms others: with every role but that of a tourist. */
export const mayHarmOthers = ({ role, erasure }: Pick<Openable, 'role' | 'erasure'>): boolean =>
  (erasure?.role ?? role) !== 'tourist';

/**
 * Whether a linked identity signs in. The word of a provider about an e-mail address does not open an account that may
 * harm others.
 */
export const opensByLink = (account: Pick<Openable, 'role' | 'erasure'>, { byHolder }: ProviderLink): boolean =>
  byHolder === true || !mayHarmOthers(account);

/** Whether there is a way to sign in: a code to the phone, the password of an e-mail address, or an identity provider. */
export const hasWayIn = (account: Openable): boolean =>
  account.phone !== null ||
  (account.email !== null && account.passwordHash !== null) ||
  account.links.some((link) => opensByLink(account, link));

/** The ids of what can be removed: `password`, `phone`, `email`, or the identity stream of a linked identity. */
export type SignInMethodId = string;

/** The account without one of its ways to sign in; null when it has none with this id. */
export const withoutMethod = <A extends Openable>(account: A, id: SignInMethodId): A | null => {
  if (id === 'password') return account.passwordHash === null ? null : { ...account, passwordHash: null };
  if (id === 'email' || id === 'phone') return account[id] === null ? null : { ...account, [id]: null };
  const links = account.links.filter(({ identityId }) => identityId !== id);
  return links.length === account.links.length ? null : { ...account, links };
};
