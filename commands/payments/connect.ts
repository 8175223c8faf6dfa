/** The payment providers, made from the settings. */
import { HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { isSameOrigin } from '../../infra/settings.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { PaymentPorts } from './deps.ts';
import type { PaymentProvider, PaymentProviders } from './paymentProvider.ts';
import type { paymentSettings } from './settings.ts';
import { tbankNominal } from './tbank/nominal.ts';
import { tbank } from './tbank/provider.ts';
import { NOTIFICATION_SENDERS, yookassa } from './yookassa/provider.ts';

type Config = ModuleConfig<typeof paymentSettings>;

/** The address that a payment provider reports to. */
export const webhookUrl = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, provider: string): string =>
  `${PUBLIC_URL}/api/v1/payments/webhooks/${provider}`;

/** The real provider is recognised by the address it sends from; the sandbox signs its notifications. */
const yookassaOf = (config: Config): PaymentProvider => {
  const { YOOKASSA_API_URL: apiUrl, YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey } = config;
  const proof = isSameOrigin(apiUrl, config.SANDBOX_URL)
    ? { webhookSecret: config.PAYMENT_WEBHOOK_SECRET }
    : { senders: NOTIFICATION_SENDERS };
  return yookassa({ apiUrl, shopId, secretKey, ...proof });
};

/** The sandbox accepts this credential where none is set; production has no such fallback. */
const orSandbox = ({ NODE_ENV }: Pick<Config, 'NODE_ENV'>, given: string | undefined): string | undefined =>
  given ?? (NODE_ENV === 'production' ? undefined : 'sandbox');

/** Signs requests to T-Bank and its notifications; undefined: T-Bank is not set up. */
export const tbankPassword = (config: Pick<Config, 'NODE_ENV' | 'TBANK_PASSWORD'>): string | undefined =>
  orSandbox(config, config.TBANK_PASSWORD);

const tbankOf = (config: Config): PaymentProvider | undefined => {
  const password = tbankPassword(config);
  if (password === undefined) return undefined;
  const { TBANK_NOMINAL_API_URL: nominalUrl, TBANK_NOMINAL_ACCOUNT: accountNumber } = config;
  const token = orSandbox(config, config.TBANK_NOMINAL_TOKEN);
  const escrow = token === undefined ? undefined : tbankNominal({ apiUrl: nominalUrl, token, accountNumber });
  const { TBANK_API_URL: apiUrl, TBANK_TERMINAL_KEY: terminalKey } = config;
  return tbank({ apiUrl, terminalKey, password, notificationUrl: webhookUrl(config, 'tbank') }, escrow);
};

const providersOf = (config: Config): PaymentProviders => {
  const standard = yookassaOf(config);
  const alternative = tbankOf(config);
  const providers = alternative ? [standard, alternative] : [standard];
  return { default: standard, byName: new Map(providers.map((provider) => [provider.name, provider])) };
};

const receiptsOf = ({ RECEIPTS_TAXATION: taxation, RECEIPTS_VAT: vat, RECEIPTS_EMAIL: email }: Config) =>
  taxation === 'off' || email === undefined ? null : { taxation, vat, email };

export const connectPayments = (config: Config): PaymentPorts => ({
  paymentProviders: providersOf(config),
  settings: {
    holdTtlMs: config.HOLD_TTL_MINUTES * MINUTE_MS,
    paymentTtlMs: config.PAYMENT_TTL_HOURS * HOUR_MS,
    receipts: receiptsOf(config),
  },
});
