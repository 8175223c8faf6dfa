/** Signing in through an identity provider. The flow itself is in `commands/accounts/oauth.ts`. */
import { Type } from '@sinclair/typebox';
import { beginSignIn, endSignIn, STATE_TTL_S } from '../../commands/accounts/oauth.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import { route } from '../http/route.ts';
import { SignedInReply, tokensOf, userOf } from './auth.ts';

const params = Type.Object({ provider: Type.String({ maxLength: 30, examples: ['yandex', 'vk'] }) });
const Short = Type.Optional(Type.String({ maxLength: 2_048 }));

const begin = route('GET /api/v1/auth/oauth/:provider', {
  id: 'startOAuthSignIn',
  access: 'public',
  rate: 'login',
  summary: 'Sign in through an identity provider',
  description: `Sends the browser to the provider: \`Location\`, and the same address in the body. The provider sends it back to the callback, or to \`return_url\`, which brings \`code\` and \`state\` to the callback itself. Good for one answer within ${STATE_TTL_S / 60} minutes.`,
  params,
  query: Type.Object({
    return_url: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description:
          'A page of an app, at one of the allowed origins (`PAYMENT_RETURN_URLS`) and known to the provider, with neither query nor fragment.',
      }),
    ),
  }),
  reply: Type.Object({
    authorization_url: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  }),
  status: 302,
  errors: ['not_found', 'invalid', 'identity_provider_away'],
  handle: async ({ params, query, context, request }, app) => {
    const url = await beginSignIn(app, context, params.provider, query.return_url);
    request.setHeader('location', url);
    return { authorization_url: url, expires_in: STATE_TTL_S };
  },
});

const end = route('GET /api/v1/auth/oauth/:provider/callback', {
  id: 'completeOAuthSignIn',
  access: 'public',
  rate: 'login',
  summary: 'What the identity provider sends the browser back to',
  description:
    'Answers as `POST /auth/login` does. Whoever is known by the provider signs in to the same account again; else to the one that was opened with the e-mail address, if the provider has verified it; else to a new tourist account. An address that was put into a profile later does not link, and one that is not verified is not kept.',
  params,
  // Providers add what they like (RFC 6749, 4.1.2: to be ignored).
  query: Type.Object(
    { code: Short, state: Short, error: Short },
    { additionalProperties: Type.String({ maxLength: 2_048 }) },
  ),
  reply: SignedInReply,
  errors: ['not_found', 'wrong_credentials', 'identity_taken', 'identity_provider_away'],
  projections: [accounts],
  handle: async ({ params, query, context }, app) => {
    const { tokens, ...holder } = await endSignIn(app, context, params.provider, query as Record<string, string>);
    return { ...tokensOf(tokens), user: userOf(holder) };
  },
});

export const oauthRoutes = [begin, end];
