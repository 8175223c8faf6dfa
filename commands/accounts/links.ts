/**
 * Identities at identity providers, and the accounts that they sign in to. The word of a provider about an e-mail address
 * opens a tourist's account only. The account of somebody who may harm others is linked by its person while signed in.
 */

import { account } from '../../domain/accounts/account.ts';
import type { ProviderLink } from '../../domain/accounts/accountEvents.ts';
import { signInToLink } from '../../domain/accounts/identifierChanges.ts';
import { mayHarmOthers, opensByLink } from '../../domain/accounts/signInWays.ts';
import { existing } from '../../domain/core/decider.ts';
import { onFreshFacts } from '../core/freshFacts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { openAccount } from './accounts.ts';
import { refuseTaken, take } from './claims.ts';
import type { AccountDeps } from './deps.ts';
import { findHolder, type Holder, holderOf } from './identities.ts';
import { identifier, providedId, shows } from './identityIds.ts';
import type { ProvidedPerson } from './identityProvider.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool' | 'settings' | 'log'>;

/** Somebody as a provider knows them. */
export interface Provided extends ProvidedPerson {
  readonly provider: string;
}

const linkOf = ({ vault }: Pick<Deps, 'vault'>, { provider, subject }: Provided): ProviderLink => ({
  provider,
  identityId: providedId(vault, provider, subject),
});

/**
 * Finds the account by the identity at the provider; otherwise by an e-mail address that the provider and the account have
 * verified; otherwise opens a new account with the address, which an account loses that has entered and not proved it.
 * After a crash that follows a claim, signing in again completes it.
 * @throws Rejected `sign_in_to_link`, `invalid`
 */
export const providedHolder = async (deps: Deps, context: CommandContext, person: Provided): Promise<Holder> =>
  onFreshFacts(async () => {
    const link = linkOf(deps, person);
    const known = await holderOf(deps, link.identityId);
    if (known) return openedBy(known, link.identityId);
    const email = person.verifiedEmail === null ? null : identifier('email', person.verifiedEmail);
    const namesake = email === null ? null : await findHolder(deps, 'email', email);
    if (email !== null && namesake?.account.emailVouched) return linkByEmail(deps, context, namesake, link, email);
    // A provider's word takes nothing from those who may harm others.
    const free = namesake && mayHarmOthers(namesake.account) ? null : email;
    const { firstName, lastName } = person;
    const tourist = { role: 'tourist', email: free, emailProvedBy: 'provider', firstName, lastName, link } as const;
    return openAccount(deps, context, tourist);
  });

const openedBy = (holder: Holder, identityId: string): Holder => {
  const link = holder.account.links.find((each) => each.identityId === identityId);
  if (!link || !opensByLink(holder.account, link)) throw signInToLink();
  return holder;
};

const linkByEmail = (
  deps: Deps,
  context: CommandContext,
  { accountId, account: { role } }: Holder,
  link: ProviderLink,
  byEmail: string,
): Promise<Holder> => {
  const own = { ...context, actor: { kind: 'user', id: accountId, role } } as const;
  return linkTo(deps, own, accountId, link, byEmail);
};

const linkTo = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  { provider, identityId }: ProviderLink,
  byEmail: string | null,
): Promise<Holder> => {
  const { state: before } = await deps.aggregates.load(account, accountId);
  const holder = existing(before, 'account');
  const command = { type: 'LinkProvider', provider, identityId, byEmail, asOf: before.identifierRevision } as const;
  account.decide(command, before); // refused before anything is claimed
  await refuseTaken(deps, accountId, [{ id: identityId }]);
  if (!shows(deps.vault, holder, identityId)) await take(deps, context, accountId, { id: identityId });
  const { state } = await deps.aggregates.handle(account, accountId, command, followUp(context, 'link'));
  return { accountId, account: existing(state, 'account') };
};

/** Links an identity to the account of somebody who is signed in. @throws Rejected `identity_taken` */
export const linkIdentity = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  person: Provided,
): Promise<void> => {
  await onFreshFacts(() => linkTo(deps, context, accountId, linkOf(deps, person), null));
};
