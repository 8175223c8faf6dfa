/**
 * The checks of what is outside: each does there what the system will do. They run beside the roles that use the part, at
 * the start and again and again; `resort check` runs all of them. Every attempt makes clients of its own from the settings.
 */
import pg from 'pg';
import { oauthSettingsOf } from '../../commands/accounts/identityProviders.ts';
import { tryProvider } from '../../commands/accounts/oauthProvider.ts';
import { mailTransportOf } from '../../commands/mail/connect.ts';
import { connectPayments } from '../../commands/payments/connect.ts';
import { ProviderError } from '../../commands/payments/paymentProvider.ts';
import { connectPush } from '../../commands/push/connect.ts';
import type { PushServiceName } from '../../commands/push/service.ts';
import { livekitOf } from '../../commands/voice/connect.ts';
import { tryLivekit } from '../../commands/voice/livekitTrial.ts';
import { connectEventStore } from '../../eventstore/client/index.ts';
import { compareMasterKeys } from '../../eventstore/keyRotation.ts';
import { NIL_ID } from '../../infra/ids.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import type { Logger } from '../../infra/log.ts';
import { exchange } from '../../infra/outside/exchange.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import { assertOwnSessions } from '../../infra/ownSessions.ts';
import { type Config, vaultKeysOf } from '../config.ts';
import type { Attempt, Check } from './check.ts';
import { assertOtherDisk, fileAttempts, writableFolders } from './folders.ts';

export interface PartCheck extends Check {
  /** The roles that use it, and repeat the check; none: only `resort check` does it. */
  readonly roles: readonly ('api' | 'policies')[];
  /** How often they repeat it, where that is more often than others: people notice at once when it fails. */
  readonly everyMs?: number;
  /** Worth knowing, and no reason to call the installation broken. */
  readonly isAdvice?: true;
  /** What to do when it fails. */
  readonly toDo: string;
  /** None: the settings name no such part. @throws ConfigError */
  readonly attempts: (config: Config, log: Logger) => readonly Attempt[];
}

const ANSWER_MS = 10_000;

/** Any answer will do: what it does for us, it cannot do without an effect. */
const answers = async (url: string): Promise<void> => {
  await exchange(url, { method: 'OPTIONS', timeoutMs: ANSWER_MS });
};

const isUnknownPayment = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'refused';

/** A part whose settings are set; of the others, the sandbox stands in, or there is none. */
const whereSet = (config: Config, names: readonly (keyof Config)[], attempts: () => readonly Attempt[]) =>
  names.every((name) => config[name] !== undefined) ? attempts() : [];

const SETTING_OF = { fcm: 'FCM_SERVICE_ACCOUNT', apns: 'APNS_KEY', web: 'VAPID_PRIVATE_KEY' } as const satisfies Record<
  PushServiceName,
  keyof Config
>;

const pushAttempts = (config: Config): Attempt[] =>
  Object.entries(connectPush(config).pushServices)
    .filter(([name]) => config[SETTING_OF[name as PushServiceName]] !== undefined)
    .map(([name, service]) => ({
      part: `the push service ${name}`,
      run: () => service.check().finally(() => service.close()),
    }));

const paymentAttempts = (config: Config): Attempt[] => {
  const isSet = { yookassa: config.YOOKASSA_SHOP_ID !== 'sandbox', tbank: config.TBANK_PASSWORD !== undefined };
  return [...connectPayments(config).paymentProviders.byName.values()]
    .filter(({ name }) => isSet[name as keyof typeof isSet] ?? false)
    .map((provider) => ({
      part: `the payment provider ${provider.name}`,
      run: () =>
        provider.get(provider.name === 'tbank' ? '1' : NIL_ID).catch((error: unknown) => {
          if (!isUnknownPayment(error)) throw error;
        }),
    }));
};

export const parts: readonly PartCheck[] = [
  {
    name: 'files',
    asks: 'Can an object be put, read and deleted in the file store, and is there room for uploads?',
    mayHappen: 'uploads fail, and files of erased people stay',
    roles: ['api', 'policies'],
    everyMs: 60_000,
    toDo: 'Look at S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_PATH_STYLE and the key with its rights, or at the folder in DATA_DIR and its disk',
    attempts: fileAttempts,
  },
  {
    name: 'mail',
    asks: 'Does the mail server let us sign in, with a certificate that is trusted?',
    mayHappen: 'e-mails wait, and people are not warned',
    roles: ['policies'],
    toDo: 'Look at SMTP_URL, and at NODE_EXTRA_CA_CERTS for a private authority',
    attempts: (config) =>
      whereSet(config, ['SMTP_URL'], () => {
        const transport = mailTransportOf(config);
        return transport === null
          ? []
          : [{ part: 'the mail server', run: () => transport.check().finally(() => transport.close()) }];
      }),
  },
  {
    name: 'sign_in_providers',
    asks: 'Does each identity provider publish the issuer of the settings, and accept our client?',
    mayHappen: 'people cannot sign in through it',
    roles: ['api'],
    toDo: 'Look at issuer, client_id and client_secret of this provider in OAUTH_PROVIDERS',
    attempts: (config) =>
      whereSet(config, ['OAUTH_PROVIDERS'], () =>
        oauthSettingsOf(config).map((settings) => ({
          part: `the identity provider ${settings.name}`,
          run: () => tryProvider(settings, `${config.PUBLIC_URL}/api/v1/auth/oauth/${settings.name}/callback`),
        })),
      ),
  },
  {
    name: 'voice',
    asks: 'Does the voice server accept our key and our tokens?',
    mayHappen: 'voice rooms do not open',
    roles: ['api'],
    toDo: 'Look at LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET and the clocks; voice check tries more',
    attempts: (config) =>
      whereSet(config, ['LIVEKIT_URL'], () => {
        const settings = livekitOf(config);
        return settings === null ? [] : [{ part: 'the voice server', run: () => tryLivekit(settings) }];
      }),
  },
  {
    name: 'push',
    asks: 'Does each push service accept our keys?',
    mayHappen: 'nothing reaches the devices of people',
    roles: ['policies'],
    toDo: 'Look at FCM_SERVICE_ACCOUNT, APNS_KEY with its ids and topic, or VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY',
    attempts: pushAttempts,
  },
  {
    name: 'payments',
    asks: 'Does each payment provider accept our key?',
    mayHappen: 'nobody can pay, and refunds wait',
    roles: ['policies'],
    toDo: 'Look at the address, shop or terminal and key of this provider',
    attempts: paymentAttempts,
  },
  {
    name: 'services',
    asks: 'Do the SMS gateway, the weather service and the language model answer?',
    mayHappen: 'what they do is late or missing',
    roles: ['policies'],
    toDo: 'Look at its setting, the network, and NODE_EXTRA_CA_CERTS for a private authority',
    attempts: (config) =>
      (['SMS_GATEWAY_URL', 'WEATHER_URL', 'LANGUAGE_MODEL_URL'] as const).flatMap((name) => {
        const url = config[name];
        return url === undefined ? [] : [{ part: `the service of ${name}`, run: () => answers(url) }];
      }),
  },
  {
    name: 'folders',
    asks: 'Can data, tombstones and backups be written?',
    mayHappen: 'uploads, erasures or backups fail',
    roles: ['policies'],
    toDo: 'Give the folder to the user of this process',
    attempts: writableFolders,
  },
  {
    name: 'tombstones_disk',
    asks: 'Are the tombstones on storage of their own?',
    mayHappen: 'whoever restores the whole disk brings back who was erased',
    roles: [],
    isAdvice: true,
    toDo: 'Put TOMBSTONES_DIR on another disk or volume, or copy it elsewhere all the time',
    attempts: (config) => [{ part: `TOMBSTONES_DIR ${config.TOMBSTONES_DIR}`, run: () => assertOtherDisk(config) }],
  },
  {
    name: 'database',
    asks: 'Does PostgreSQL let us in, with a session of its own for each connection?',
    mayHappen: 'nothing starts, or messages are lost',
    roles: [],
    toDo: 'Look at DATABASE_URL and DATABASE_PASSWORD; PgBouncer needs pool_mode = session',
    attempts: ({ DATABASE_URL: url }) =>
      url === undefined ? [] : [{ part: 'PostgreSQL', run: () => assertOwnSessions(url) }],
  },
  {
    name: 'vault_keys',
    asks: 'Are the keys of the vault those of this database?',
    mayHappen: 'nothing starts, because no personal data could be read',
    roles: [],
    toDo: 'Set the keys from your copy of the settings; new ones open nothing',
    attempts: (config) =>
      config.DATABASE_URL === undefined
        ? []
        : [{ part: 'the vault', run: () => tryVault(config, config.DATABASE_URL) }],
  },
  {
    name: 'event_store',
    asks: 'Does the event store let us read and write?',
    mayHappen: 'nothing starts',
    roles: [],
    toDo: 'Look at ESDB_CONNECTION_STRING; resort grant gives its user the rights',
    attempts: ({ ESDB_CONNECTION_STRING: address }) =>
      address === undefined ? [] : [{ part: 'the event store', run: () => tryEventStore(address) }],
  },
];

/** Before the first start there are no keys; that the database is away is told by its own check. */
const tryVault = async (config: Config, url = ''): Promise<void> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
  client.on('error', () => undefined); // what is asked next fails
  try {
    await client.connect();
    await compareMasterKeys(client, vaultKeysOf(config));
  } catch (error) {
    if (error instanceof IncompatibleData) throw new OutsideFault(error.message);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const tryEventStore = async (address: string): Promise<void> => {
  const store = connectEventStore(address);
  try {
    await store.assertAccess();
  } finally {
    await store.close();
  }
};
