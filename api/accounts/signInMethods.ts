/** The ways to sign in to one's account: listed, added and removed. */
import { Type } from '@sinclair/typebox';
import { beginSignIn, endLinking, STATE_TTL_S } from '../../commands/accounts/oauth.ts';
import {
  listSignInMethods,
  methodKinds,
  removeSignInMethod,
  type SignInMethod,
} from '../../commands/accounts/signInMethods.ts';
import { Instant, Nullable, OneOf } from '../../domain/core/schema.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import type { App } from '../http/app.ts';
import { NO_CONTENT, route } from '../http/route.ts';
import { Begun, ReturnPage } from './oauth.ts';

const Method = Type.Object(
  {
    id: Type.String({ description: '`password`, `phone`, `email`, or the id of an identity at a provider.' }),
    kind: OneOf(methodKinds),
    provider: Nullable(Type.String({ description: 'The identity provider.' })),
    value: Nullable(
      Type.String({ description: 'The phone number or e-mail address, which signs in with the password.' }),
    ),
    verified: Type.Boolean({
      description:
        'Of an address: you have proved that it is yours. Of an identity: it opens the account. One that was linked by its e-mail address does not open an account that sells, administers or audits, until you add it again.',
    }),
    added_at: Instant,
    removable: Type.Boolean({ description: 'false: nothing else signs in to the account.' }),
  },
  { $id: 'SignInMethod' },
);
export const SignInMethods = Type.Array(Method);
const Methods = Type.Object({ data: SignInMethods }, { $id: 'SignInMethods' });
const ProviderText = Type.Optional(Type.String({ maxLength: 2_048 }));
const Provider = Type.String({ maxLength: 30, examples: ['yandex', 'vk'] });

const shown = ({ isVerified, addedAt, isRemovable, ...method }: SignInMethod) => ({
  ...method,
  verified: isVerified,
  added_at: addedAt,
  removable: isRemovable,
});
export const signInMethodsOf = async (app: App, accountId: string) =>
  (await listSignInMethods(app, accountId)).map(shown);

const list = route('GET /api/v1/me/sign-in-methods', {
  id: 'listSignInMethods',
  access: 'user',
  summary: 'List your ways to sign in',
  description: 'Oldest first. After somebody else was in your account, look for what you have not added.',
  reply: Methods,
  errors: ['not_found'],
  handle: async ({ caller }, app) => ({ data: await signInMethodsOf(app, caller.id) }),
});

const begin = route('POST /api/v1/me/sign-in-methods/links', {
  id: 'startLinkingProvider',
  access: 'user',
  rate: 'oauth',
  harm: 'account',
  summary: 'Start to link an identity provider',
  description: `Send the browser to \`authorization_url\`. The provider redirects it to \`return_url\`, which gives the query that it gets to \`POST /api/v1/me/sign-in-methods\`. Each start is valid once, for ${STATE_TTL_S / 60} minutes, and for this account only.`,
  body: Type.Object({ provider: Provider, return_url: Type.Optional(ReturnPage) }),
  reply: Begun,
  errors: ['not_found', 'invalid', 'identity_provider_away'],
  handle: async ({ body, caller, context }, app) => ({
    authorization_url: await beginSignIn(app, context, body.provider, {
      returnUrl: body.return_url,
      linksTo: caller.id,
    }),
    expires_in: STATE_TTL_S,
  }),
});

const link = route('POST /api/v1/me/sign-in-methods', {
  id: 'linkProvider',
  access: 'user',
  rate: 'oauth',
  harm: 'account',
  summary: 'Link an identity provider',
  description:
    'Completes what `POST /api/v1/me/sign-in-methods/links` began. From then on the identity signs in to this account. The reply has all ways to sign in.',
  body: Type.Object({
    provider: Provider,
    answer: Type.Object(
      { state: ProviderText, code: ProviderText, error: ProviderText },
      {
        // Some providers need more than the standard's.
        additionalProperties: Type.String({ maxLength: 2_048 }),
        maxProperties: 20,
        description: 'The query with which the provider sent the browser back, each parameter as a field.',
      },
    ),
  }),
  reply: Methods,
  errors: ['not_found', 'wrong_credentials', 'identity_taken', 'start_again'],
  handle: async ({ body, caller, context }, app) => {
    await endLinking(app, context, caller.id, body.provider, body.answer);
    return { data: await signInMethodsOf(app, caller.id) };
  },
});

const remove = route('DELETE /api/v1/me/sign-in-methods/:id', {
  id: 'removeSignInMethod',
  access: 'user',
  harm: 'account',
  summary: 'Remove a way to sign in',
  description:
    'The password, the phone, the e-mail address or an identity at a provider. Sessions stay: `POST /auth/logout` ends them. The last way in is refused with 409 `last_way_in`.',
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 40 }) }),
  ...NO_CONTENT,
  errors: ['not_found', 'last_way_in'],
  projections: [accounts],
  handle: async ({ params, caller, context }, app) => {
    await removeSignInMethod(app, context, caller.id, params.id);
    return null;
  },
});

export const signInMethodRoutes = [list, begin, link, remove];
