/** The identity providers that the settings name, and the known addresses of Yandex ID and VK ID. */
import { type Static, Type } from '@sinclair/typebox';
import type { ModuleConfig } from '../core/module.ts';
import type { IdentityProviders } from './identityProvider.ts';
import { type OauthProviderSettings, oauthProvider } from './oauthProvider.ts';

/** Without TLS only on this machine, to try a provider in development: production refuses it. */
const Https = Type.Optional(
  Type.String({ pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?(/|$))' }),
);
/** One entry of `OAUTH_PROVIDERS`. */
export const OauthProviderSetting = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,29}$' }),
    issuer: Https,
    authorization_endpoint: Https,
    token_endpoint: Https,
    userinfo_endpoint: Https,
    client_id: Type.String({ minLength: 1 }),
    client_secret: Type.Optional(Type.String({ minLength: 1 })),
    scope: Type.Optional(Type.String()),
    emails_verified: Type.Optional(Type.Boolean()),
    email_domains: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$' }), { minItems: 1 })),
  },
  { additionalProperties: false },
);
type Given = Static<typeof OauthProviderSetting>;

type Known = Pick<OauthProviderSettings, 'server' | 'scope' | 'echo' | 'userinfoByForm'>;

/**
 * Sources: https://yandex.ru/dev/id/doc/en/codes/code-url, https://yandex.ru/dev/id/doc/en/user-information;
 * https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-description
 */
const KNOWN: Readonly<Record<string, Known>> = {
  yandex: {
    server: {
      authorization: 'https://oauth.yandex.ru/authorize',
      token: 'https://oauth.yandex.ru/token',
      userinfo: 'https://login.yandex.ru/info?format=json',
    },
    scope: 'login:email login:info',
  },
  vk: {
    server: {
      authorization: 'https://id.vk.com/authorize',
      token: 'https://id.vk.com/oauth2/auth',
      userinfo: 'https://id.vk.com/oauth2/user_info',
    },
    scope: 'email',
    echo: ['device_id', 'state'],
    userinfoByForm: true,
  },
};

type Process = ModuleConfig<Record<never, never>>;
type Sandbox = Pick<Process, 'SANDBOX_URL' | 'SANDBOX_PUBLIC_URL'>;

/** The sandbox's stand-ins, whose pages browsers open: one publishes its addresses (`issuer`), the other's are given. */
const standIns = ({ SANDBOX_URL, SANDBOX_PUBLIC_URL }: Sandbox): OauthProviderSettings[] => {
  const common = { clientId: 'sandbox', clientSecret: 'sandbox', scope: 'openid email profile', emailsVerified: false };
  const at = (name: string) => `${SANDBOX_URL}/sandbox-idp/${name}`;
  const yandex = {
    authorization: `${SANDBOX_PUBLIC_URL}/sandbox-idp/yandex/authorize`,
    token: `${at('yandex')}/token`,
    userinfo: `${at('yandex')}/userinfo`,
  };
  return [
    { ...common, name: 'yandex', server: yandex },
    { ...common, name: 'vk', server: { issuer: at('vk') } },
  ];
};

const withoutServer = ({ name }: Given): string =>
  `OAUTH_PROVIDERS: ${name} needs its issuer, or all of authorization_endpoint, token_endpoint and userinfo_endpoint`;

/** What is wrong with entries that have the right form. */
export const unusableProviders = (given: readonly Given[]): string[] => {
  const names = given.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...given.filter((one) => serverOf(one) === undefined).map(withoutServer),
    ...[...new Set(twice)].map(
      (name) => `OAUTH_PROVIDERS has ${name} more than once: give each entry a name of its own`,
    ),
  ];
};

const serverOf = (given: Given): OauthProviderSettings['server'] | undefined => {
  const { authorization_endpoint: authorization, token_endpoint: token, userinfo_endpoint: userinfo } = given;
  if (given.issuer) return { issuer: given.issuer };
  return authorization && token && userinfo ? { authorization, token, userinfo } : KNOWN[given.name]?.server;
};

const settingsOf = (given: Given): OauthProviderSettings => {
  const known = KNOWN[given.name];
  const server = serverOf(given);
  if (!server) throw new Error(withoutServer(given));
  return {
    ...known,
    name: given.name,
    server,
    clientId: given.client_id,
    ...(given.client_secret !== undefined && { clientSecret: given.client_secret }),
    scope: given.scope ?? known?.scope ?? 'openid email profile',
    emailsVerified: given.emails_verified ?? false,
    ...(given.email_domains !== undefined && { emailDomains: given.email_domains }),
  };
};

type Providers = Pick<Process, 'NODE_ENV'> & Sandbox & { readonly OAUTH_PROVIDERS?: readonly Given[] };

/** What is known of each provider. */
export const oauthSettingsOf = (config: Providers): OauthProviderSettings[] => {
  const fallback = config.NODE_ENV === 'production' ? [] : standIns(config);
  return config.OAUTH_PROVIDERS?.map(settingsOf) ?? fallback;
};

/** The providers of `OAUTH_PROVIDERS`. Unset: the sandbox's stand-ins, and in production none. */
export const identityProvidersOf = (config: Providers): IdentityProviders =>
  new Map(oauthSettingsOf(config).map((settings) => [settings.name, oauthProvider(settings)]));
