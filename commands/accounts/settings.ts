/** The environment settings of accounts. */
import { Type } from '@sinclair/typebox';
import { HTTP_URL, integer, secret, unset } from '../../infra/settings.ts';
import { OauthProviderSetting, unusableProviders } from './identityProviders.ts';

export const accountSettings = {
  JWT_SECRET: secret('dev-only-jwt-secret-not-for-production', { minLength: 32, description: 'Signs access tokens.' }),
  JWT_SECRET_PREVIOUS: unset({
    secret: true,
    minLength: 32,
    description: 'The previous secret: still verifies access tokens while `JWT_SECRET` is being replaced.',
  }),
  SMS_PEPPER: secret('dev-only-sms-pepper', {
    minLength: 16,
    description: 'Secret key of the hashes of one-time codes.',
  }),
  SMS_GATEWAY_URL: unset({
    pattern: HTTP_URL,
    description:
      'Address that receives `POST {"to", "text"}` for every text message. Once it has taken over, it answers 201, 202 or 204, or 200 with JSON that has an `id`; for a number that it will never send to, 422 without a body or with JSON that has an `error`. Any other answer is taken for one of a proxy, and the message is sent again. Unset = the sandbox shows the messages; in production none are sent.',
  }),
  SMS_GATEWAY_TOKEN: unset({ secret: true, neededBy: 'SMS_GATEWAY_URL', description: 'Bearer token of that gateway.' }),
  SMS_PER_ADDRESS: integer(
    60,
    0,
    1_000_000,
    'SMS codes that one address can request in an hour, multiplied by `RATE_LIMITS`. 0 = any number.',
  ),
  SMS_PER_NUMBER: integer(10, 0, 1_000, 'SMS codes that are sent to one number in a day. 0 = any number.'),
  SMS_PER_DAY: integer(
    5_000,
    0,
    100_000_000,
    'SMS codes that are sent in a day. 0 = any number. Devices that signed in before can always request some.',
  ),
  ERASURE_GRACE_DAYS: integer(
    0,
    0,
    90,
    'Days after which an account is erased whose person deletes it; signing in before takes the request back. 0 = at once.',
  ),
  OAUTH_PROVIDERS: Type.Optional(
    Type.Array(OauthProviderSetting, {
      secret: true,
      json: true,
      unreadable: unusableProviders,
      description:
        'Identity providers to sign in through, as JSON: `[{"name", "client_id", "client_secret"}]` for `yandex` and `vk`; others also need their `issuer`, or `authorization_endpoint`, `token_endpoint` and `userinfo_endpoint`. Optional: `scope`, and `emails_verified` for a provider that returns only verified addresses without saying so, and `email_domains`: the only domains, in lower case, whose addresses the provider can verify. Addresses are `https://`; `http://localhost` serves development only. Unset = two stand-ins of the sandbox; in production none.',
    }),
  ),
};
