/**
 * Signing in through an identity provider: OAuth 2.1 authorization code with PKCE. What was begun is known by `state`:
 * 256 bits of chance, kept hashed, used up by the first answer, void after ten minutes. We set no cookies, so an answer
 * is not bound to the browser that began it. Beginning a sign-in for somebody else gains nothing, because the tokens go
 * to the client that brings the answer, not to the one that began. An app must compare the `state` that comes back with
 * the one it sent, or it may be signed in to another person's account.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { migrations } from '../../infra/migrations.ts';
import { createOutages } from '../../infra/outages.ts';
import type { CommandContext } from '../core/handle.ts';
import { checkReturnUrl } from '../core/returnUrl.ts';
import type { AccountDeps } from './deps.ts';
import { type IdentityProvider, IdentityProviderError, type ProvidedPerson } from './identityProvider.ts';
import { linkIdentity, providedHolder } from './links.ts';
import { type SignedIn, signedInAnew } from './signIn.ts';
import { afterUse } from './usedUp.ts';

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
  personalData: {
    'ops.oauth_states': {
      nothing: 'sign-ins that have not ended, of nobody yet, for ten minutes',
      retention: [{ after: 'expires_at' }],
    },
  },
});

export const STATE_TTL_S = 600;
const RETRY_AFTER_S = 5;
/** An operator has to mend it. */
const MENDED_AFTER_S = 600;

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool' | 'settings' | 'identityProviders' | 'log'>;

const secret = (): string => randomBytes(32).toString('base64url');
/** @param linksTo the account that an identity is to be linked to: nobody else can complete that, and as no sign-in */
const hashOf = (state: string, linksTo?: string): Buffer =>
  (linksTo === undefined ? createHash('sha256') : createHmac('sha256', linksTo)).update(state).digest();

const providerNamed = ({ identityProviders }: Pick<Deps, 'identityProviders'>, name: string): IdentityProvider => {
  const provider = identityProviders.get(name);
  if (provider) return provider;
  throw notFound('identity provider');
};

/** A provider that fails all sign-ins is one line until it has been quiet for so long. */
const QUIET_MS = 10 * MINUTE_MS;
const outages = createOutages(QUIET_MS);

const tell = (log: Deps['log'], provider: string, { kind, message: reason }: IdentityProviderError): void => {
  const facts = { provider, kind, reason };
  if (kind === 'refused') {
    log.warn(facts, 'the identity provider refused a sign-in');
    return;
  }
  const onEnd = (outage: object) => log.warn({ ...facts, ...outage }, 'over: sign-ins by the identity provider fail');
  if (outages.note(`${provider} ${kind} ${reason}`, onEnd))
    log[kind === 'misconfigured' ? 'error' : 'warn'](facts, 'sign-ins by the identity provider fail');
};

/** Reports errors of the provider in our own words, because theirs can contain codes and tokens. */
const asked = async <T>(deps: Pick<Deps, 'log'>, provider: string, answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof IdentityProviderError)) throw error;
    tell(deps.log, provider, error);
    if (error.kind === 'refused')
      throw new Rejected(
        'wrong_credentials',
        'The identity provider did not confirm your identity. Start signing in again.',
        { fields: ['code', 'answer/code'] },
      );
    if (error.kind === 'misconfigured')
      throw new Rejected(
        'identity_provider_away',
        'Signing in by this provider is not set up rightly here. Sign in another way; the operators are told.',
        { retry_after_s: MENDED_AFTER_S },
      );
    throw new Rejected('identity_provider_away', 'The identity provider does not respond.', {
      retry_after_s: RETRY_AFTER_S,
    });
  }
};

/** The callback, or an app's own page that forwards the answer to it. Providers compare it exactly. */
const redirectUriOf = (deps: Pick<Deps, 'settings'>, provider: string, returnUrl: string | undefined): string => {
  if (returnUrl === undefined) return `${deps.settings.publicUrl}/api/v1/auth/oauth/${provider}/callback`;
  const checked = checkReturnUrl(deps.settings, returnUrl);
  if (/[?#]/.test(checked))
    throw new Rejected('invalid', 'The return URL must have neither a query nor a fragment.', {
      fields: ['return_url'],
    });
  return checked;
};

/**
 * Begins a sign-in, or, with `linksTo`, the linking of an identity to this account.
 * @param returnUrl the page at which the answer is taken, one that the provider knows; by default the callback itself
 * @returns where the provider asks the person
 * @throws Rejected `not_found`, `invalid`, `identity_provider_away`
 */
export const beginSignIn = async (
  deps: Deps,
  context: CommandContext,
  name: string,
  { returnUrl, linksTo }: { readonly returnUrl?: string | undefined; readonly linksTo?: string } = {},
): Promise<string> => {
  const provider = providerNamed(deps, name);
  const request = { redirectUri: redirectUriOf(deps, name, returnUrl), state: secret(), verifier: secret() };
  const url = await asked(deps, name, provider.authorizationUrl(request));
  await deps.pool.query(
    `insert into ops.oauth_states (state_hash, provider, verifier, redirect_uri, expires_at)
     values ($1, $2, $3, $4, $5::timestamptz + $6 * interval '1 second')`,
    [hashOf(request.state, linksTo), name, request.verifier, request.redirectUri, context.at, STATE_TTL_S],
  );
  return url;
};

type Answer = Readonly<Record<string, string>>;

const AGAIN = 'Nobody was signed in, and this start is used up. Start signing in again.';

/**
 * Does what the provider's answer is for. What was begun is used up by it, and so is the code at the provider: when the
 * provider or a store is away, the same answer is of no use any more.
 * @param linksTo the account that an identity is to be linked to
 * @throws Rejected `start_again` then
 */
const answered = async <T>(
  deps: Deps,
  { at }: Pick<CommandContext, 'at'>,
  { name, answer, linksTo }: { readonly name: string; readonly answer: Answer; readonly linksTo?: string },
  work: (person: ProvidedPerson & { readonly provider: string }) => Promise<T>,
): Promise<T> => {
  const provider = providerNamed(deps, name);
  const state = answer.state ?? '';
  const { rows } = await deps.pool.query<{ verifier: string; redirect_uri: string }>(
    `delete from ops.oauth_states where state_hash = $1 and provider = $2 and expires_at > $3
     returning verifier, redirect_uri`,
    [hashOf(state, linksTo), name, at],
  );
  const begun = rows[0];
  if (!begun)
    throw new Rejected(
      'wrong_credentials',
      'This sign-in is unknown, was already completed, or has expired. Start signing in again.',
      { fields: ['state', 'answer/state'] },
    );
  const request = { redirectUri: begun.redirect_uri, state, verifier: begun.verifier };
  return afterUse(deps, AGAIN, async () =>
    work({ provider: name, ...(await asked(deps, name, provider.person(request, answer))) }),
  );
};

/**
 * Completes the sign-in with the provider's answer. Opens a tourist account when nobody is known by that identity.
 * @param answer the query as it came, `state` and `code` (or `error`) in it
 * @throws Rejected `not_found`, `wrong_credentials`, `start_again`, `invalid` for an e-mail address that can be
 *   taken for another one, `sign_in_to_link`, `identity_taken` for one of two at once
 */
export const endSignIn = async (deps: Deps, context: CommandContext, name: string, answer: Answer): Promise<SignedIn> =>
  answered(deps, context, { name, answer }, async (person) =>
    signedInAnew(deps, context, await providedHolder(deps, context, person)),
  );

/**
 * Links the identity that the provider answers to an account, whose person began it while signed in.
 * @throws Rejected as above, `identity_taken` for an identity of another account
 */
export const endLinking = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  name: string,
  answer: Answer,
): Promise<void> =>
  answered(deps, context, { name, answer, linksTo: accountId }, (person) =>
    linkIdentity(deps, context, accountId, person),
  );
