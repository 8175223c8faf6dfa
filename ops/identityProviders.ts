/** The identity providers of the settings, with the addresses and scopes of Yandex ID and VK ID. */
import type { IdentityProviders } from '../commands/accounts/identityProvider.ts';
import { type OauthProviderSettings, oauthProvider } from '../commands/accounts/oauthProvider.ts';
import { type Config, ConfigError } from './config.ts';

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

/** The stand-ins of the sandbox: one is found by discovery, the other has its endpoints configured. */
const standIns = ({ SANDBOX_URL }: Config): OauthProviderSettings[] => {
  const common = { clientId: 'sandbox', clientSecret: 'sandbox', scope: 'openid email profile', emailsVerified: false };
  const at = (name: string) => `${SANDBOX_URL}/sandbox-idp/${name}`;
  const yandex = { authorization: `${at('yandex')}/authorize`, token: `${at('yandex')}/token` };
  return [
    { ...common, name: 'yandex', server: { ...yandex, userinfo: `${at('yandex')}/userinfo` } },
    { ...common, name: 'vk', server: { issuer: at('vk') } },
  ];
};

type Given = NonNullable<Config['OAUTH_PROVIDERS']>[number];

const settingsOf = (given: Given): OauthProviderSettings => {
  const known = KNOWN[given.name];
  const { authorization_endpoint: authorization, token_endpoint: token, userinfo_endpoint: userinfo } = given;
  const said = authorization && token && userinfo ? { authorization, token, userinfo } : known?.server;
  const server = given.issuer ? { issuer: given.issuer } : said;
  if (!server) throw new ConfigError([`OAUTH_PROVIDERS: ${given.name} needs an issuer or all three endpoints`]);
  return {
    ...known,
    name: given.name,
    server,
    clientId: given.client_id,
    ...(given.client_secret !== undefined && { clientSecret: given.client_secret }),
    scope: given.scope ?? known?.scope ?? 'openid email profile',
    emailsVerified: given.emails_verified ?? false,
  };
};

/** Reads `OAUTH_PROVIDERS`. Unset means the stand-ins of the sandbox, and in production none. */
export const identityProvidersOf = (config: Config): IdentityProviders => {
  const fallback = config.NODE_ENV === 'production' ? [] : standIns(config);
  const all = config.OAUTH_PROVIDERS?.map(settingsOf) ?? fallback;
  return new Map(all.map((settings) => [settings.name, oauthProvider(settings)]));
};
