/** Creates what most roles need from the settings: stores, codec, vault, aggregates. */
import { createGatewaySms, noSms } from '../commands/accounts/gatewaySms.ts';
import { createSandboxSms } from '../commands/accounts/sandboxSms.ts';
import type { SmsSender } from '../commands/accounts/sms.ts';
import type { CommandDeps } from '../commands/core/deps.ts';
import { createAggregates } from '../commands/core/handle.ts';
import type { PaymentProvider, PaymentProviders } from '../commands/payments/port.ts';
import { tbankNominal } from '../commands/payments/tbank/nominal.ts';
import { tbank } from '../commands/payments/tbank/provider.ts';
import { NOTIFICATION_SENDERS, yookassa } from '../commands/payments/yookassa/provider.ts';
import { allEvents } from '../domain/core/events.ts';
import { connectEventStore, type EventStore } from '../eventstore/client/index.ts';
import { createCodec } from '../eventstore/codec.ts';
import { createVault } from '../eventstore/vault.ts';
import type { Logger } from '../infra/log.ts';
import { createPool, type Pool } from '../infra/postgres.ts';
import type { Config } from './config.ts';
import { identityProvidersOf } from './identityProviders.ts';

const MINUTE_MS = 60_000;

/** Both addresses are known by now: `ops/main.ts` has started what was not configured. */
export const storesOf = (config: Config): { databaseUrl: string; eventStore: string } => {
  const { DATABASE_URL: databaseUrl, ESDB_CONNECTION_STRING: eventStore } = config;
  if (!databaseUrl || !eventStore)
    throw new Error('a role that runs alone needs DATABASE_URL and ESDB_CONNECTION_STRING');
  return { databaseUrl, eventStore };
};

export interface Wiring extends CommandDeps {
  readonly databaseUrl: string;
  close(): Promise<void>;
}

const paymentProviders = (config: Config): PaymentProviders => {
  const yookassa = yookassaOf(config);
  const alternative = tbankOf(config);
  const providers = alternative ? [yookassa, alternative] : [yookassa];
  return { default: yookassa, byName: new Map(providers.map((provider) => [provider.name, provider])) };
};

/** The real provider is known by where it sends from; the sandbox signs. */
const yookassaOf = (config: Config): PaymentProvider => {
  const { YOOKASSA_API_URL: apiUrl, YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey } = config;
  const proof = apiUrl.startsWith(config.SANDBOX_URL)
    ? { webhookSecret: config.PAYMENT_WEBHOOK_SECRET }
    : { senders: NOTIFICATION_SENDERS };
  return yookassa({ apiUrl, shopId, secretKey, ...proof });
};

/** What the sandbox takes where production has nothing. */
const orSandbox = ({ NODE_ENV }: Config, given: string | undefined): string | undefined =>
  given ?? (NODE_ENV === 'production' ? undefined : 'sandbox');

/** Signs what T-Bank and we tell each other; undefined: T-Bank is not set up. */
export const tbankPassword = (config: Config): string | undefined => orSandbox(config, config.TBANK_PASSWORD);

const tbankOf = (config: Config): PaymentProvider | undefined => {
  const password = tbankPassword(config);
  if (password === undefined) return undefined;
  const { TBANK_NOMINAL_API_URL: nominalUrl, TBANK_NOMINAL_ACCOUNT: accountNumber } = config;
  const token = orSandbox(config, config.TBANK_NOMINAL_TOKEN);
  const escrow = token === undefined ? undefined : tbankNominal({ apiUrl: nominalUrl, token, accountNumber });
  const { TBANK_API_URL: apiUrl, TBANK_TERMINAL_KEY: terminalKey } = config;
  return tbank({ apiUrl, terminalKey, password, notificationUrl: webhookUrl(config, 'tbank') }, escrow);
};

/** Where a payment provider reports. */
export const webhookUrl = ({ PUBLIC_URL }: Config, provider: string): string =>
  `${PUBLIC_URL}/api/v1/payments/webhooks/${provider}`;

const clients = new Map<string, { store: EventStore; users: number }>();

/** One client a process, however many roles it has: two would share a map of pending appends inside the package. */
const shareEventStore = (connectionString: string): { store: EventStore; release(): Promise<void> } => {
  const client = clients.get(connectionString) ?? { store: connectEventStore(connectionString), users: 0 };
  clients.set(connectionString, client);
  client.users += 1;
  return {
    store: client.store,
    release: async () => {
      client.users -= 1;
      if (client.users > 0) return;
      clients.delete(connectionString);
      await client.store.close();
    },
  };
};

const smsSender = (config: Config, pool: Pool, log: Logger): SmsSender => {
  if (config.SMS_GATEWAY_URL) return createGatewaySms(config.SMS_GATEWAY_URL, config.SMS_GATEWAY_TOKEN ?? '');
  return config.NODE_ENV === 'production' ? noSms : createSandboxSms(pool, log, config.SANDBOX_URL);
};

/** Connects lazily: nothing is asked of the stores yet. `close` after everything that uses it has stopped. */
export const wire = (config: Config, role: string, log: Logger): Wiring => {
  const { databaseUrl, eventStore } = storesOf(config);
  const pool = createPool(databaseUrl, { max: config.DATABASE_POOL, applicationName: role, log });
  const vault = createVault(pool, config.VAULT_MASTER_KEY);
  const { store, release } = shareEventStore(eventStore);
  const codec = createCodec(allEvents, vault);
  const aggregates = createAggregates(store, codec);
  return {
    databaseUrl,
    pool,
    vault,
    store,
    codec,
    aggregates,
    paymentProviders: paymentProviders(config),
    identityProviders: identityProvidersOf(config),
    sms: smsSender(config, pool, log),
    log,
    now: () => new Date().toISOString(),
    settings: {
      jwtSecret: config.JWT_SECRET,
      jwtSecretPrevious: config.JWT_SECRET_PREVIOUS,
      smsPepper: config.SMS_PEPPER,
      rateLimits: config.RATE_LIMITS,
      holdTtlMs: config.HOLD_TTL_MINUTES * MINUTE_MS,
      paymentTtlMs: config.PAYMENT_TTL_HOURS * 60 * MINUTE_MS,
      paymentCapture: config.PAYMENT_CAPTURE,
      disputeWindowMs: config.DISPUTE_WINDOW_HOURS * 60 * MINUTE_MS,
      reconciliationHour: config.RECONCILIATION_HOUR,
      returnOrigins: config.PAYMENT_RETURN_URLS,
      publicUrl: config.PUBLIC_URL,
    },
    close: async () => {
      await release();
      await pool.end();
    },
  };
};
