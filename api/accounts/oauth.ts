/** Sign-in with an identity provider. `commands/accounts/oauth.ts` implements the flow. */
import { Type } from '@sinclair/typebox';
import { beginSignIn, endSignIn, STATE_TTL_S } from '../../commands/accounts/oauth.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import { route } from '../http/route.ts';
import { SignedInReply, signedInOf } from './auth.ts';

const params = Type.Object({ provider: Type.String({ maxLength: 30, examples: ['yandex', 'vk'] }) });
const Short = Type.Optional(Type.String({ maxLength: 2_048 }));

export const ReturnPage = Type.String({
  maxLength: 2_000,
  description:
    'A page of the app that is registered with the provider, at one of the allowed origins (`PAYMENT_RETURN_URLS`), without query and fragment.',
});
export const Begun = Type.Object({
  authorization_url: Type.String(),
  expires_in: Type.Integer({ description: 'Seconds for which this start is valid.' }),
});

const begin = route('GET /api/v1/auth/oauth/:provider', {
  id: 'startOAuthSignIn',
  access: 'public',
  rate: 'oauth',
  summary: 'Start a sign-in with an identity provider',
  description: `Redirects the browser to the provider; the body has the same address. The provider redirects it to the callback, or to \`return_url\`, which must pass \`code\` and \`state\` to the callback. Each start is valid once and for ${STATE_TTL_S / 60} minutes.`,
  params,
  query: Type.Object({ return_url: Type.Optional(ReturnPage) }),
  reply: Begun,
  status: 302,
  errors: ['not_found', 'invalid', 'identity_provider_away'],
  handle: async ({ params, query, context, request }, app) => {
    const url = await beginSignIn(app, context, params.provider, { returnUrl: query.return_url });
    request.setHeader('location', url);
    return { authorization_url: url, expires_in: STATE_TTL_S };
  },
});

const end = route('GET /api/v1/auth/oauth/:provider/callback', {
  id: 'completeOAuthSignIn',
  access: 'public',
  openQuery: 'Providers add fields of their own (RFC 6749, section 4.1.2).',
  rate: 'oauth',
  summary: 'Complete a sign-in with an identity provider',
  description:
    'The reply is that of `POST /auth/login`. A known identity signs in to its account. An unknown identity is linked to the tourist account that has verified the same e-mail address, if the provider has verified it, too; otherwise a new tourist account is created with the address, which another account loses that had not verified it. An account with another role is never opened by the word of a provider: 403 `sign_in_to_link`, until its holder signs in and adds the provider (`POST /api/v1/me/sign-in-methods`). Unverified addresses are not stored; addresses with characters that can be taken for others are refused with 422. When the provider or a store does not respond, the answer is 409 `start_again`: `code` and `state` are used up, so that the same request cannot succeed.',
  params,
  query: Type.Object(
    { code: Short, state: Short, error: Short },
    { additionalProperties: Type.String({ maxLength: 2_048 }) },
  ),
  reply: SignedInReply,
  errors: ['not_found', 'wrong_credentials', 'invalid', 'identity_taken', 'sign_in_to_link', 'start_again'],
  projections: [accounts],
  handle: async ({ params, query, context }, app) =>
    signedInOf(await endSignIn(app, context, params.provider, query as Record<string, string>)),
});

export const oauthRoutes = [begin, end];
