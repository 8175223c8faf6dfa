/**
 * Signing in through an identity provider: OAuth 2.1 authorization code with PKCE. What was begun is known by `state`:
 * 256 bits of chance, kept hashed, used up by the first answer, void after ten minutes. We set no cookies, so an answer
 * is not bound to the browser that began it. Beginning a sign-in for somebody else gains nothing, because the tokens go
 * to the client that brings the answer, not to the one that began. An app must compare the `state` that comes back with
 * the one it sent, or it may be signed in to another person's account.
 */
import { createHash, randomBytes } from 'node:crypto';
import { account } from '../../domain/accounts/account.ts';
import type { ProviderLink } from '../../domain/accounts/accountEvents.ts';
import { normalised } from '../../domain/accounts/identity.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { migrations } from '../../infra/migrations.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { checkReturnUrl } from '../core/returnUrl.ts';
import { openAccount } from './accounts.ts';
import type { AccountDeps } from './deps.ts';
import { claim, findHolder, type Holder, holderOf } from './identities.ts';
import { type IdentityProvider, IdentityProviderError, type ProvidedPerson } from './identityProvider.ts';
import { type SignedIn, signedInAnew } from './signIn.ts';

/** `verifier` is of no use without the code, which is never here. */
export const oauthMigrations = migrations('accounts', {
  '0001_oauth_states': `
    create table ops.oauth_states (
      state_hash bytea primary key,
      provider text not null,
      verifier text not null,
      redirect_uri text not null,
      expires_at timestamptz not null
    );
    create index oauth_states_expires_at on ops.oauth_states (expires_at);
  `,
  holds: {
    'ops.oauth_states': {
      nothing: 'sign-ins that have not ended, of nobody yet, for ten minutes',
      kept: [{ after: 'expires_at' }],
    },
  },
});

export const STATE_TTL_S = 600;
const RETRY_AFTER_S = 5;

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool' | 'settings' | 'identityProviders' | 'log'>;

const secret = (): string => randomBytes(32).toString('base64url');
const hashOf = (state: string): Buffer => createHash('sha256').update(state).digest();

const providerNamed = ({ identityProviders }: Pick<Deps, 'identityProviders'>, name: string): IdentityProvider => {
  const provider = identityProviders.get(name);
  if (provider) return provider;
  throw notFound('identity provider');
};

/** Reports errors of the provider in our own words, because theirs can contain codes and tokens. */
const asked = async <T>(deps: Pick<Deps, 'log'>, provider: string, answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof IdentityProviderError)) throw error;
    deps.log.warn({ provider, kind: error.kind, reason: error.message }, 'the identity provider refused a sign-in');
    if (error.kind === 'refused')
      throw new Rejected(
        'wrong_credentials',
        'The identity provider did not confirm your identity. Start signing in again.',
      );
    throw new Rejected('identity_provider_away', 'The identity provider does not respond. Try again shortly.', {
      retry_after_s: RETRY_AFTER_S,
    });
  }
};

/** The callback, or an app's own page that forwards the answer to it. Providers compare it exactly. */
const redirectUriOf = (deps: Pick<Deps, 'settings'>, provider: string, returnUrl: string | undefined): string => {
  if (returnUrl === undefined) return `${deps.settings.publicUrl}/api/v1/auth/oauth/${provider}/callback`;
  const checked = checkReturnUrl(deps.settings, returnUrl);
  if (/[?#]/.test(checked)) throw new Rejected('invalid', 'The return URL must have neither a query nor a fragment.');
  return checked;
};

/**
 * @param returnUrl the page at which the answer is taken, one that the provider knows; by default the callback itself
 * @returns where the provider asks the person
 * @throws Rejected `not_found`, `invalid`, `identity_provider_away`
 */
export const beginSignIn = async (
  deps: Deps,
  context: CommandContext,
  name: string,
  returnUrl?: string,
): Promise<string> => {
  const provider = providerNamed(deps, name);
  const request = { redirectUri: redirectUriOf(deps, name, returnUrl), state: secret(), verifier: secret() };
  const url = await asked(deps, name, provider.authorizationUrl(request));
  await deps.pool.query(
    `insert into ops.oauth_states (state_hash, provider, verifier, redirect_uri, expires_at)
     values ($1, $2, $3, $4, $5::timestamptz + $6 * interval '1 second')`,
    [hashOf(request.state), name, request.verifier, request.redirectUri, context.at, STATE_TTL_S],
  );
  return url;
};

/**
 * Completes the sign-in with the provider's answer. Opens a tourist account when nobody is known by that identity.
 * @param answer the query as it came, `state` and `code` (or `error`) in it
 * @throws Rejected `not_found`, `wrong_credentials`, `identity_provider_away`, `identity_taken` for one of two at once
 */
export const endSignIn = async (
  deps: Deps,
  context: CommandContext,
  name: string,
  answer: Readonly<Record<string, string>>,
): Promise<SignedIn> => {
  const provider = providerNamed(deps, name);
  const state = answer.state ?? '';
  const { rows } = await deps.pool.query<{ verifier: string; redirect_uri: string }>(
    `delete from ops.oauth_states where state_hash = $1 and provider = $2 and expires_at > $3
     returning verifier, redirect_uri`,
    [hashOf(state), name, context.at],
  );
  const begun = rows[0];
  if (!begun)
    throw new Rejected(
      'wrong_credentials',
      'This sign-in is unknown, was already completed, or has expired. Start signing in again.',
    );
  const request = { redirectUri: begun.redirect_uri, state, verifier: begun.verifier };
  const person = await asked(deps, name, provider.person(request, answer));
  return signedInAnew(deps, context, await holderFor(deps, context, name, person));
};

/**
 * Finds the account by the identity at the provider; otherwise by an e-mail address that the provider verified and that
 * the account was opened with; otherwise opens a new account. An e-mail address that was only entered into a profile is
 * not used: it would let the person with that address into somebody else's account. After a crash that follows the
 * claim, signing in again completes it.
 */
const holderFor = async (
  deps: Deps,
  context: CommandContext,
  provider: string,
  { subject, verifiedEmail, firstName, lastName }: ProvidedPerson,
): Promise<Holder> => {
  const link = { provider, identityId: deps.vault.fingerprint('oauth', `${provider}\u0000${subject}`) };
  const known = await holderOf(deps, link.identityId);
  if (known) return linked(deps, context, known, link);
  const email = verifiedEmail === null ? null : normalised('email', verifiedEmail);
  const namesake = email === null ? null : await findHolder(deps, 'email', email);
  if (namesake?.account.emailVouched) return linked(deps, context, namesake, link);
  return openAccount(deps, context, { role: 'tourist', email: namesake ? null : email, firstName, lastName, link });
};

const linked = async (
  deps: Deps,
  context: CommandContext,
  { accountId, account: before }: Holder,
  link: ProviderLink,
): Promise<Holder> => {
  if (before.links.some(({ identityId }) => identityId === link.identityId)) return { accountId, account: before };
  const own = { ...context, actor: { kind: 'user', id: accountId, role: before.role } } as const;
  await claim(deps, own, link.identityId, accountId);
  const command = { type: 'LinkProvider', ...link } as const;
  const { state } = await deps.aggregates.handle(account, accountId, command, followUp(own, 'link'));
  return { accountId, account: state.status === 'open' ? state : before };
};
