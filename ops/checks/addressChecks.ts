/** Whether addresses lead where they should, over TLS. */
import { isLocal, isLoopback } from '../../infra/endpoints.ts';
import { addressesIn, bySetting } from './addresses.ts';
import type { Finding } from './check.ts';
import { type Given, isGiven, listOf, type SettingsCheck, settingOf } from './settingsCheck.ts';
import { hostsWithoutTls } from './stores.ts';

/** Addresses that browsers, apps and people are told. */
const TOLD = ['PUBLIC_URL', 'CORS_ORIGINS', 'PAYMENT_RETURN_URLS', 'TURN_URLS', 'LIVEKIT_URL'];
/** Of our own processes and stores: on the same machine, nothing leaves it. */
const OWN = ['DATABASE_URL', 'ESDB_CONNECTION_STRING', 'REALTIME_URL', 'S3_ENDPOINT'] as const;
const UNENCRYPTED = ['http', 'ws'];
/** Checked by other rules: production upgrades `smtp://` to TLS. */
const isTold = (setting: string): boolean => TOLD.includes(setting) && setting !== 'LIVEKIT_URL';

const localAddresses = (given: Given): Finding[] =>
  bySetting(addressesIn(given).filter(({ setting, endpoint }) => TOLD.includes(setting) && isLocal(endpoint.host))).map(
    ({ setting, endpoint }) => ({
      wrong: isGiven(given, setting)
        ? `${setting} has ${endpoint.host}, which is another machine for each person`
        : `${setting} is not set, and stands for ${endpoint.host}, which is another machine for each person`,
      toDo: `Set ${setting} to the address at which people reach it`,
    }),
  );

const plainAddresses = (given: Given): Finding[] =>
  bySetting(addressesIn(given).filter(({ setting, endpoint }) => isTold(setting) && endpoint.scheme === 'http')).map(
    ({ setting, endpoint }) => ({
      wrong: `${setting} has http://${endpoint.host}, without TLS`,
      toDo: `Set ${setting} to https://…`,
    }),
  );

const isPrivate = (given: Given, host: string): boolean =>
  listOf(given, 'PRIVATE_HOSTS').some((each) => each.toLowerCase().replace(/\.$/, '') === host.toLowerCase());

const unencrypted = (setting: string, host: string): Finding => ({
  wrong: `${setting} leads to ${host} without verified TLS`,
  toDo: `Set ${setting} to an address with TLS, or name ${host} in PRIVATE_HOSTS if only a private network leads there`,
});

const plainOutside = (given: Given): Finding[] =>
  addressesIn(given)
    .filter(({ setting, endpoint }) => !isTold(setting) && UNENCRYPTED.includes(endpoint.scheme))
    .filter(({ setting, endpoint }) => !(OWN as readonly string[]).includes(setting) || !isLoopback(endpoint.host))
    .filter(({ setting, endpoint }) => isGiven(given, setting) && !isPrivate(given, endpoint.host))
    .map(({ setting, endpoint }) => unencrypted(setting, endpoint.host));

const plainStores = (given: Given): Finding[] =>
  (['DATABASE_URL', 'ESDB_CONNECTION_STRING'] as const).flatMap((setting) => {
    const address = settingOf(given, setting);
    if (typeof address !== 'string') return [];
    return hostsWithoutTls(setting, address)
      .filter((host) => !isLoopback(host) && !isPrivate(given, host))
      .map((host) => unencrypted(setting, host));
  });

export const addressChecks: readonly SettingsCheck[] = [
  {
    name: 'local_addresses',
    asks: 'Are the addresses that people are told not those of their own machine?',
    mayHappen: 'links, payments and sign-ins lead nowhere, or to a program on the machine of the person',
    find: localAddresses,
  },
  {
    name: 'public_tls',
    asks: 'Do people reach everything over TLS?',
    mayHappen: 'passwords and tokens can be read and changed on the way',
    find: plainAddresses,
  },
  {
    name: 'services_tls',
    asks: 'Are services outside reached over TLS?',
    mayHappen: 'keys, money and personal data can be read and changed on the way',
    find: plainOutside,
  },
  {
    name: 'stores_tls',
    asks: 'Are the stores reached over TLS?',
    mayHappen: 'passwords and personal data can be read and changed on the way',
    find: plainStores,
  },
  {
    name: 'certificates_ignored',
    asks: 'Are certificates verified?',
    mayHappen: 'anybody on the way can pose as the bank, the mail server or a store',
    find: ({ env }) =>
      env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
        ? [
            {
              wrong: 'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate is verified',
              toDo: 'Remove it, and name the file of a private authority in NODE_EXTRA_CA_CERTS',
            },
          ]
        : [],
  },
];

export const developmentChecks: readonly SettingsCheck[] = [
  {
    name: 'open_development',
    asks: 'Is a system that is open to the network in production mode?',
    mayHappen: 'its secrets are in the source: whoever reaches it can sign in as anybody',
    find: (given) =>
      settingOf(given, 'NODE_ENV') === 'production' || isLoopback(String(settingOf(given, 'HOST')))
        ? []
        : [
            {
              wrong: `HOST ${settingOf(given, 'HOST')} opens a system with default secrets to the network`,
              toDo: 'Set NODE_ENV=production, or HOST=127.0.0.1',
            },
          ],
  },
];
