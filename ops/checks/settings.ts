/**
 * The checks of settings. Those under `refused` end the start in production, because data, money or privacy could be lost;
 * the others are warnings. `ops/config.ts` runs them at each start, `resort check` shows them.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { endpointOf, isLocal, isLoopback, isThisMachine } from '../../infra/endpoints.ts';
import type { Check, Finding } from './check.ts';
import { equalSecrets, FORMER_KEYS, weakSecrets, wellKnownSecrets } from './secrets.ts';
import { hostsWithoutTls } from './stores.ts';

/** What an installation can do without, if whoever runs it says so (`PRODUCTION_WITHOUT`). */
export const DISPENSABLE = ['sms', 'mail', 'backup', 'limits'] as const;
type Dispensable = (typeof DISPENSABLE)[number];

/** All settings with their declarations and values, and the environment that they were read from. */
interface Given {
  readonly declarations: Readonly<Record<string, TSchema>>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly env: NodeJS.ProcessEnv;
}

export interface SettingsCheck extends Check {
  readonly find: (given: Given) => readonly Finding[];
}

type Value = string | number | undefined;
const settingOf = ({ values }: Given, name: string): Value => values[name] as Value;
const listOf = ({ values }: Given, name: string): readonly string[] => [values[name] ?? []].flat() as string[];

const goesWithout = (given: Given, what: Dispensable): boolean => listOf(given, 'PRODUCTION_WITHOUT').includes(what);
const unlessWithout =
  (what: Dispensable, find: SettingsCheck['find']): SettingsCheck['find'] =>
  (given) =>
    goesWithout(given, what)
      ? []
      : find(given).map((found) => ({ ...found, toDo: `${found.toDo}, or ${leave(what)}` }));
const leave = (what: Dispensable): string => `add ${what} to PRODUCTION_WITHOUT to do without`;

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** The addresses in settings that are in use, those inside of JSON included. */
const addressesIn = (given: Given) =>
  Object.entries(given.declarations)
    .filter(([name, { neededBy }]) => name !== 'SANDBOX_URL' && (!neededBy || given.values[neededBy] !== undefined))
    .flatMap(([setting]) =>
      textsIn(given.values[setting]).flatMap((text) => {
        const endpoint = endpointOf(text);
        return endpoint === undefined ? [] : [{ setting, endpoint }];
      }),
    );

/** Each setting once. */
const bySetting = <T extends { readonly setting: string }>(found: readonly T[]): T[] => [
  ...new Map(found.map((each) => [each.setting, each])).values(),
];

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
      wrong: `${setting} has ${endpoint.host}, which is another machine for each person`,
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
    .filter(({ endpoint }) => !isPrivate(given, endpoint.host))
    .map(({ setting, endpoint }) => unencrypted(setting, endpoint.host));

const plainStores = (given: Given): Finding[] =>
  (['DATABASE_URL', 'ESDB_CONNECTION_STRING'] as const).flatMap((setting) => {
    const address = settingOf(given, setting);
    if (typeof address !== 'string') return [];
    return hostsWithoutTls(setting, address)
      .filter((host) => !isLoopback(host) && !isPrivate(given, host))
      .map((host) => unencrypted(setting, host));
  });

/** By the host and the port, whatever the scheme: the sandbox is one server, with another port for e-mails. */
const sandboxed = (given: Given): Finding[] => {
  const sandbox = endpointOf(String(settingOf(given, 'SANDBOX_URL')));
  const ports = [settingOf(given, 'SANDBOX_PORT'), settingOf(given, 'SANDBOX_SMTP_PORT')];
  const isSandbox = ({ host, port }: { readonly host: string; readonly port: number }): boolean =>
    (sandbox !== undefined && host === sandbox.host && (port === sandbox.port || ports.includes(port))) ||
    (isThisMachine(host) &&
      (ports.includes(port) || (sandbox !== undefined && isThisMachine(sandbox.host) && port === sandbox.port)));
  return bySetting(addressesIn(given).filter(({ endpoint }) => isSandbox(endpoint))).map(({ setting }) => ({
    wrong: `${setting} is an address of the sandbox`,
    toDo: `Set ${setting} to the address of the real service`,
  }));
};

/** Where the path leads, links followed as far as it exists. */
const realPath = (given: string): string => {
  const absolute = path.resolve(given);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(realPath(parent), path.basename(absolute));
  }
};
const isInside = (inner: string, outer: string): boolean => {
  const relative = path.relative(realPath(outer), realPath(inner));
  return relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
};

/** Where a folder is inside of another one that is emptied, restored or lost as a whole. */
const folderInside = (given: Given, inner: string, outer: string): Finding[] => {
  const [one, other] = [settingOf(given, inner), settingOf(given, outer)];
  return typeof one === 'string' && typeof other === 'string' && isInside(one, other)
    ? [{ wrong: `${inner} is inside of ${outer} (${other})`, toDo: `Set ${inner} to a folder on storage of its own` }]
    : [];
};

/** One that stands for "none". */
const UNLIMITED_FROM = 100;
const limitsOff = (given: Given): Finding[] => {
  const factor = Number(settingOf(given, 'RATE_LIMITS'));
  const off = ['SMS_PER_ADDRESS', 'SMS_PER_NUMBER', 'SMS_PER_DAY'].filter((name) => settingOf(given, name) === 0);
  return [
    ...(factor === 0 || factor > UNLIMITED_FROM
      ? [{ wrong: `RATE_LIMITS is ${factor}, which is no limit`, toDo: 'Set RATE_LIMITS to about 1' }]
      : []),
    ...off.map((name) => ({ wrong: `${name} is 0, which is no limit`, toDo: `Set ${name} to a number` })),
  ];
};

const unset =
  (setting: string, what: string): SettingsCheck['find'] =>
  (given) =>
    settingOf(given, setting) === undefined
      ? [{ wrong: `${setting} is not set: ${what}`, toDo: `Set ${setting}` }]
      : [];

/** In the order in which they are told. */
export const refused: readonly SettingsCheck[] = [
  {
    name: 'secrets_known',
    asks: 'Is every secret one of your own?',
    mayHappen:
      'it is in the source, or in many examples, and whoever knows it can sign in as anybody or read everything',
    find: ({ declarations, values }) =>
      wellKnownSecrets(declarations, values).map(({ setting, label }) => ({
        wrong: `${label} is missing or known to everybody`,
        toDo: `Set ${setting} to a secret of its own (resort init makes them)`,
      })),
  },
  {
    name: 'secrets_weak',
    asks: 'Is every secret hard to guess?',
    mayHappen: 'it can be found by trying',
    find: ({ declarations, values }) =>
      weakSecrets(declarations, values)
        .filter(({ setting }) => !FORMER_KEYS.includes(setting))
        .map(({ setting, label }) => ({
          wrong: `${label} is easy to guess`,
          toDo: `Set ${setting} to a random text (openssl rand -base64 32)`,
        })),
  },
  {
    name: 'secrets_equal',
    asks: 'Does every secret have a text of its own?',
    mayHappen: 'whoever learns one of them has all of them',
    find: ({ declarations, values }) =>
      equalSecrets(declarations, values).map((labels) => ({
        wrong: `${labels.join(' and ')} are the same text`,
        toDo: 'Set each to a random text of its own',
      })),
  },
  {
    name: 'sandbox_role',
    asks: 'Is there no sandbox in production?',
    mayHappen: 'it accepts test cards, and shows the codes of text messages',
    find: (given) =>
      listOf(given, 'ROLE').includes('sandbox')
        ? [{ wrong: 'ROLE sandbox is not allowed with NODE_ENV=production', toDo: 'Remove it from ROLE' }]
        : [],
  },
  {
    name: 'sandbox_addresses',
    asks: 'Are all services real ones?',
    mayHappen: 'it takes test cards for money, and sends nothing',
    find: sandboxed,
  },
  {
    name: 'stand_ins',
    asks: 'Are accounts at services your own?',
    mayHappen: 'money and messages go to an account that is not yours, or are refused',
    find: (given) =>
      Object.entries(given.declarations)
        .filter(([, { neededBy }]) => !neededBy || given.values[neededBy] !== undefined)
        .filter(([name, schema]) => schema.standIn && given.values[name] === schema.default)
        .map(([name]) => ({ wrong: `${name} is not set`, toDo: `Set ${name} to your own` })),
  },
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
  {
    name: 'tombstones',
    asks: 'Are the tombstones outside of what a restore replaces?',
    mayHappen: 'a restore empties that folder, and brings back whoever was erased',
    find: (given) => folderInside(given, 'TOMBSTONES_DIR', 'DATA_DIR'),
  },
  {
    name: 'backup_beside_data',
    asks: 'Are the backups apart from the data?',
    mayHappen: 'whatever destroys the data destroys the backups, too',
    find: (given) => folderInside(given, 'BACKUP_DIR', 'DATA_DIR'),
  },
  {
    name: 'backup',
    asks: 'Are backups taken?',
    mayHappen: 'a lost disk is the end of all bookings and of the money that is owed',
    find: unlessWithout('backup', unset('BACKUP_DIR', 'no backups are taken')),
  },
  {
    name: 'sms',
    asks: 'Are text messages sent?',
    mayHappen: 'nobody can sign in by phone, rescuers are not alarmed, and owners of accounts are not warned',
    find: unlessWithout('sms', unset('SMS_GATEWAY_URL', 'no text messages are sent')),
  },
  {
    name: 'mail',
    asks: 'Are e-mails sent?',
    mayHappen: 'people get no confirmations and warnings, and cannot prove their address',
    find: unlessWithout('mail', unset('SMTP_URL', 'no e-mails are sent')),
  },
  {
    name: 'limits',
    asks: 'Are there limits?',
    mayHappen: 'codes and passwords can be tried without end, and text messages cost without end',
    find: unlessWithout('limits', limitsOff),
  },
];

export const warned: readonly SettingsCheck[] = [
  {
    name: 'former_keys_weak',
    asks: 'Were the former keys of the vault hard to guess?',
    mayHappen: 'whoever has a copy of the database finds phone numbers and addresses by trying',
    find: ({ declarations, values }) =>
      weakSecrets(declarations, values)
        .filter(({ setting }) => FORMER_KEYS.includes(setting))
        .map(({ label }) => ({ wrong: `${label} is easy to guess`, toDo: 'Keep the database and its backups apart' })),
  },
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
