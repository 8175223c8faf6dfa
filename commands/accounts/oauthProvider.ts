/**
 * One identity provider over the standard's three endpoints: authorization, token and userinfo. Codes and tokens do not
 * leave this file. The ID token is not read: what we ask the provider itself, over our own connection, needs no
 * signature.
 */

import { Type } from '@sinclair/typebox';
import * as client from 'openid-client';
import { asCompared } from '../../domain/accounts/identity.ts';
import { beginningOf } from '../../domain/core/storable.ts';
import { jsonOf } from '../../infra/outside/answers.ts';
import { type Answer, exchange } from '../../infra/outside/exchange.ts';
import { deepestCause, isTlsFault, OutsideFault } from '../../infra/outsideFault.ts';
import { typedLine } from '../../infra/typedText.ts';
import { validator } from '../../infra/validation.ts';
import {
  type AuthorizationRequest,
  type IdentityProvider,
  IdentityProviderError,
  type ProvidedPerson,
} from './identityProvider.ts';

interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  readonly userinfo: string;
}

export interface OauthProviderSettings {
  readonly name: string;
  readonly clientId: string;
  /** Absent: a public client, which only PKCE protects. */
  readonly clientSecret?: string;
  readonly scope: string;
  /** With `issuer` the provider publishes its addresses (OpenID Connect discovery); otherwise they are given here. */
  readonly server: { readonly issuer: string } | Endpoints;
  /** The provider gives out only addresses that it has verified, and says no `email_verified`. */
  readonly emailsVerified: boolean;
  /** The provider's word counts for addresses of these domains only, in lower case. Absent: of all. */
  readonly emailDomains?: readonly string[];
  /** Not standard: VK ID requires `device_id` and `state` again with the code, and its userinfo takes a form. */
  readonly echo?: readonly string[];
  readonly userinfoByForm?: boolean;
}

/** Time limit of each request. A sign-in makes two; the first sign-in also makes the discovery request. */
const TIMEOUT_S = 5;

export const oauthProvider = (settings: OauthProviderSettings): IdentityProvider => {
  let known: Promise<client.Configuration> | undefined;
  /** Fetched once; a failure is not cached. */
  const configuration = (): Promise<client.Configuration> => {
    known ??= classifyFailure(() => configure(settings), 'discovery');
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
  return {
    name: settings.name,
    authorizationUrl: (request) => classifyFailure(async () => addressOf(await configuration(), settings, request)),
    person: (request, answer) =>
      classifyFailure(async () => {
        const config = await configuration();
        const token = await classifyFailure(() => tokenFor(config, settings, request, answer), 'token');
        return personOf(await claimsOf(config, settings, token), settings);
      }),
  };
};

/** What a provider answers to a client that it does not know, or whose secret is wrong. */
const NOT_OUR_CLIENT: readonly unknown[] = ['invalid_client', 'unauthorized_client'];

/**
 * Finds the provider as a sign-in does, and asks it for the token of a code that nobody was given: it refuses the code, but
 * a client that it does not accept it refuses for that.
 * @throws OutsideFault when it does not accept us; other errors as they come
 */
export const tryProvider = async (settings: OauthProviderSettings, redirectUri: string): Promise<void> => {
  const config = await configure(settings);
  const form = { code: 'check', redirect_uri: redirectUri, code_verifier: client.randomPKCECodeVerifier() };
  try {
    await client.genericGrantRequest(config, 'authorization_code', form);
  } catch (error) {
    const { code, error: reason } = error as { code?: unknown; error?: unknown };
    if (NOT_OUR_CLIENT.includes(reason))
      throw new OutsideFault(`it does not accept client_id or client_secret (${String(reason)})`);
    if (!REFUSALS.includes(code)) throw error;
  }
};

const configure = async ({ server, clientId, clientSecret }: OauthProviderSettings): Promise<client.Configuration> => {
  const auth = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret);
  const isPlain = 'issuer' in server ? server.issuer.startsWith('http:') : server.token.startsWith('http:');
  const execute = isPlain ? [client.allowInsecureRequests] : [];
  const config: client.Configuration =
    'issuer' in server
      ? await client.discovery(new URL(server.issuer), clientId, undefined, auth, {
          timeout: TIMEOUT_S,
          execute,
          [client.customFetch]: sending(() => undefined),
        })
      : new client.Configuration(metadataOf(server), clientId, undefined, auth);
  if (isPlain) client.allowInsecureRequests(config);
  config.timeout = TIMEOUT_S;
  config[client.customFetch] = sending(() => config.serverMetadata());
  return config;
};

const metadataOf = ({ authorization, token, userinfo }: Endpoints): client.ServerMetadata => ({
  issuer: new URL(authorization).origin,
  authorization_endpoint: authorization,
  token_endpoint: token,
  userinfo_endpoint: userinfo,
});

/** "Error Response" of RFC 6749 and RFC 6750: a code, with one of few statuses. Some providers say it with 200. */
const isError = validator(Type.Object({ error: Type.String({ pattern: '^[a-z]+(_[a-z]+)*$' }) }));
const ERRORS: readonly number[] = [400, 401, 403, 429];
/** What is at the address of another issuer says so in its own words. */
const isNoIssuer = validator(Type.Object({ error: Type.String() }));
const isObject = validator(Type.Object({}));
/** What an endpoint gives when all is well. Of userinfo: the person, where a provider wraps it, too. */
const isToken = validator(Type.Object({ access_token: Type.String({ minLength: 1 }) }));
const isMetadata = validator(Type.Object({ issuer: Type.String() }));
const hasSubject = (body: unknown): boolean =>
  isObject(body) && subjectOf((body as { user?: Record<string, unknown> }).user ?? body).trim() !== '';

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Whether an endpoint of the provider wrote this. A proxy in its place writes pages, or JSON of its own. */
const isFrom = (endpoint: 'discovery' | 'token' | 'userinfo', answer: Answer): boolean => {
  const { status, headers } = answer;
  const body = jsonOf(answer);
  const fits = { discovery: isMetadata, token: isToken, userinfo: hasSubject }[endpoint];
  if (isSuccess(status) && fits(body)) return true;
  if (endpoint === 'discovery') return status >= 400 && isNoIssuer(body);
  if (isError(body)) return isSuccess(status) || ERRORS.includes(status) || status >= 500;
  return endpoint === 'userinfo' && ERRORS.includes(status) && headers['www-authenticate'] !== undefined;
};

/** Sends the requests of the library, and gives it only what the provider wrote. @throws IdentityProviderError `away` */
const sending =
  (metadata: () => client.ServerMetadata | undefined): client.CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await exchange(url, {
      method,
      headers,
      timeoutMs: TIMEOUT_S * 1_000,
      ...(body && { body: String(body) }),
    });
    const isAt = (endpoint: string | undefined) =>
      endpoint !== undefined && new URL(endpoint).href === new URL(url).href;
    const { token_endpoint, userinfo_endpoint } = metadata() ?? {};
    const endpoint = isAt(token_endpoint) ? 'token' : isAt(userinfo_endpoint) ? 'userinfo' : 'discovery';
    if (!isFrom(endpoint, answer))
      throw new IdentityProviderError('away', `something else than the provider answered ${answer.status}`);
    return responseOf(answer);
  };

/** Without the ID token, which the library would verify. */
const responseOf = (answer: Answer): Response => {
  const { id_token, ...body } = (jsonOf(answer) ?? {}) as Record<string, unknown>;
  const challenge = answer.headers['www-authenticate'];
  const headers = { 'content-type': 'application/json', ...(challenge && { 'www-authenticate': challenge }) };
  return new Response(JSON.stringify(body), { status: answer.status, headers });
};

const addressOf = async (
  config: client.Configuration,
  { scope }: OauthProviderSettings,
  { redirectUri, state, verifier }: AuthorizationRequest,
): Promise<string> =>
  client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    ...(scope && { scope }),
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href;

const tokenFor = async (
  config: client.Configuration,
  { echo = [] }: OauthProviderSettings,
  { redirectUri, state, verifier }: AuthorizationRequest,
  answer: Readonly<Record<string, string>>,
): Promise<string> => {
  const back = new URL(redirectUri);
  back.search = new URLSearchParams(answer).toString();
  const again = Object.fromEntries(echo.flatMap((name) => (answer[name] === undefined ? [] : [[name, answer[name]]])));
  const checks = { expectedState: state, pkceCodeVerifier: verifier };
  return (await client.authorizationCodeGrant(config, back, checks, again)).access_token;
};

const claimsOf = async (
  config: client.Configuration,
  { userinfoByForm, clientId }: OauthProviderSettings,
  token: string,
): Promise<Record<string, unknown>> => {
  const url = new URL(config.serverMetadata().userinfo_endpoint ?? '');
  const form = new URLSearchParams({ client_id: clientId, access_token: token });
  const response = userinfoByForm
    ? await client.fetchProtectedResource(config, token, url, 'POST', form)
    : await client.fetchProtectedResource(config, token, url, 'GET');
  // The token was given just now: whoever refuses it refuses this system.
  if (!response.ok) throw new IdentityProviderError(kindOf(response.status), `userinfo answered ${response.status}`);
  const claims: unknown = await response.json().catch(() => undefined);
  if (typeof claims !== 'object' || claims === null) throw new IdentityProviderError('away', 'userinfo is no object');
  const { user } = claims as { user?: Record<string, unknown> }; // VK ID wraps it
  return user ?? (claims as Record<string, unknown>);
};

const LONGEST_NAME = 100;
/** The first of these that says something, as it is: trimmed, two subjects could become one. */
const exactly = (...values: readonly unknown[]): string => {
  const found = values.find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return found === undefined ? '' : String(found);
};

/** Who a person is at the provider. */
const subjectOf = ({ sub, id, user_id }: Record<string, unknown>): string => exactly(sub, id, user_id);

/** Whether the provider's word about an address counts. */
const vouchesFor = ({ emailDomains }: OauthProviderSettings, email: string): boolean =>
  emailDomains === undefined || emailDomains.some((domain) => asCompared('email', email).endsWith(`@${domain}`));

/** The standard's claims; where a provider has none, those of Yandex ID (`id`, `default_email`) and VK ID (`user_id`). */
const personOf = (claims: Record<string, unknown>, settings: OauthProviderSettings): ProvidedPerson => {
  const subject = subjectOf(claims);
  const email = exactly(claims.email, claims.default_email);
  const isVerified = claims.email_verified === undefined ? settings.emailsVerified : claims.email_verified === true;
  return {
    subject,
    verifiedEmail: isVerified && email !== '' && vouchesFor(settings, email) ? email : null,
    firstName: beginningOf(typedLine(exactly(claims.given_name, claims.first_name)), LONGEST_NAME),
    lastName: beginningOf(typedLine(exactly(claims.family_name, claims.last_name)), LONGEST_NAME),
  };
};

/** A status that says that something is wrong for good says that it is wrong in the settings. */
const kindOf = (status: number): 'away' | 'misconfigured' =>
  status >= 500 || status === 408 || status === 429 ? 'away' : 'misconfigured';

/** Answers that mean a refusal. Everything else counts as no answer. */
const REFUSALS: readonly unknown[] = [
  'OAUTH_RESPONSE_BODY_ERROR',
  'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
];
/** What RFC 6749 and RFC 6750 call the faults of a client, which is this system. */
const FAULTS_OF_CLIENT: readonly unknown[] = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'invalid_scope',
  'invalid_request',
  'insufficient_scope',
];
const FAULTS_OF_SERVER: readonly unknown[] = ['server_error', 'temporarily_unavailable'];

interface Failure {
  readonly code?: unknown;
  /** As RFC 6749 says. */
  readonly error?: unknown;
  readonly status?: unknown;
  readonly cause?: unknown;
}

/** Of the answer; undefined: none came. */
const statusIn = ({ status, cause }: Failure): number | undefined => {
  const found = status ?? (cause instanceof Response ? cause.status : undefined);
  return typeof found === 'number' ? found : undefined;
};

/** What was asked: `person` is what the person came back with. */
type Step = 'discovery' | 'token' | 'person';

const failureKind = (failure: Failure, step: Step): IdentityProviderError['kind'] => {
  const { code, error: reason } = failure;
  const status = statusIn(failure);
  if (isTlsFault(failure)) return 'misconfigured';
  if (FAULTS_OF_SERVER.includes(reason)) return 'away';
  if (FAULTS_OF_CLIENT.includes(reason)) return 'misconfigured';
  const isAnswered = REFUSALS.includes(code);
  // Another issuer, or none there: the address is wrong.
  if (step === 'discovery') return status === undefined ? (isAnswered ? 'misconfigured' : 'away') : kindOf(status);
  if (step === 'token' && (status === 401 || (status !== undefined && !isAnswered))) return kindOf(status);
  return isAnswered ? 'refused' : 'away';
};

/** Ours, which the library has as the cause of its own. */
const ownIn = (error: unknown): IdentityProviderError | undefined => {
  if (error instanceof IdentityProviderError) return error;
  return error instanceof Error ? ownIn(error.cause) : undefined;
};

/** @throws IdentityProviderError with the kind of failure. It contains no token and no other secret of the exchange. */
const classifyFailure = async <T>(work: () => Promise<T>, step: Step = 'person'): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const known = ownIn(error);
    if (known) throw known;
    const failure = error as Failure;
    const { error: reason } = failure;
    const status = statusIn(failure);
    const message =
      typeof reason === 'string' && /^[a-z_]{1,40}$/.test(reason)
        ? reason
        : `${step}: ${deepestCause(error)}${status === undefined ? '' : `, answered ${status}`}`;
    throw new IdentityProviderError(failureKind(failure, step), message);
  }
};
