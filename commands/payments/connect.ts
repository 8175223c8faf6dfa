/** The environment settings of payments, and the ports that are made from them. */
import { Type } from '@sinclair/typebox';
import { HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { vatRates } from '../../domain/payments/taxDetails.ts';
import { choice, HTTP_URL, integer, isSameOrigin, secret, text, unset } from '../../infra/settings.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { PaymentPorts } from './deps.ts';
import { taxations } from './fiscalReceipt.ts';
import type { PaymentProvider, PaymentProviders } from './paymentProvider.ts';
import { tbankNominal } from './tbank/nominal.ts';
import { tbank } from './tbank/provider.ts';
import { NOTIFICATION_SENDERS, yookassa } from './yookassa/provider.ts';

export const paymentSettings = {
  HOLD_TTL_MINUTES: Type.Number({
    default: 30,
    exclusiveMinimum: 0,
    maximum: 1_440,
    description: 'Minutes for which an unpaid booking is held and an unpaid purchase keeps its price.',
  }),
  PAYMENT_TTL_HOURS: Type.Number({
    default: 24,
    exclusiveMinimum: 0,
    maximum: 720,
    description: 'Hours after which a pending payment is cancelled.',
  }),
  PAYMENT_CAPTURE: choice(
    ['automatic', 'manual'],
    'automatic',
    '`manual`: the payment is authorized first, and captured when the booking is certain.',
  ),
  DISPUTE_WINDOW_HOURS: Type.Number({
    default: 72,
    minimum: 0,
    maximum: 8_760,
    description: 'Hours from the end of a service until the share of its seller can be paid out.',
  }),
  RECONCILIATION_HOUR: integer(
    3,
    0,
    23,
    'Hour of the day (UTC) at which payments are compared with the records of the providers.',
  ),
  RECEIPTS_TAXATION: choice(
    ['off', ...taxations],
    'off',
    'Tax system of the platform. Turns on fiscal receipts (54-FZ), which the payment providers issue: sellers must give their tax details.',
    { needs: ['RECEIPTS_EMAIL'] },
  ),
  RECEIPTS_VAT: choice(vatRates, 'none', 'Value-added tax on what the platform itself sells.'),
  RECEIPTS_EMAIL: unset({
    pattern: '^[^@\\s]+@[^@\\s]+$',
    example: 'receipts@resort.example',
    description: "The platform's e-mail address on fiscal receipts.",
  }),
  PAYMENT_WEBHOOK_SECRET: secret('dev-only-webhook-secret', {
    minLength: 16,
    description: 'Signs the notifications of the sandbox.',
  }),
  YOOKASSA_API_URL: text('{SANDBOX_URL}/yookassa/v3', {
    pattern: HTTP_URL,
    description:
      'Address of the YooKassa API. Unset = the sandbox; production needs the real one, `https://api.yookassa.ru/v3`.',
  }),
  YOOKASSA_SHOP_ID: text('sandbox', { standIn: true, minLength: 1, description: 'YooKassa shop.' }),
  YOOKASSA_SECRET_KEY: secret('dev-only-yookassa-key', {
    chosen: false,
    minLength: 8,
    description: 'YooKassa key of that shop.',
  }),
  TBANK_API_URL: text('{SANDBOX_URL}/tbank/v2', {
    pattern: HTTP_URL,
    neededBy: 'TBANK_PASSWORD',
    description: 'Address of the T-Bank acquiring API. Unset = the sandbox.',
  }),
  TBANK_TERMINAL_KEY: text('sandbox', {
    standIn: true,
    neededBy: 'TBANK_PASSWORD',
    minLength: 1,
    maxLength: 20,
    description: 'T-Bank terminal.',
  }),
  TBANK_PASSWORD: unset({
    secret: true,
    // The examples of the provider's documents.
    wellKnown: ['usaf8fw8fsw21g', 'Dfsfh56dgKl'],
    minLength: 8,
    description:
      'T-Bank password of that terminal: signs requests and notifications. Unset = the password of the sandbox; in production T-Bank is not available.',
  }),
  TBANK_NOMINAL_API_URL: text('{SANDBOX_URL}/tbank/nominal', {
    pattern: HTTP_URL,
    neededBy: 'TBANK_NOMINAL_TOKEN',
    description: 'Address of the T-Bank nominal account API. Unset = the sandbox.',
  }),
  TBANK_NOMINAL_TOKEN: unset({
    secret: true,
    needs: ['TBANK_PASSWORD'],
    minLength: 8,
    description:
      'Token of that API, which keeps the shares of sellers until payout. Unset = the sandbox keeps them; in production only the ledger does.',
  }),
  TBANK_NOMINAL_ACCOUNT: text('40702810900000000001', {
    standIn: true,
    neededBy: 'TBANK_NOMINAL_TOKEN',
    pattern: '^(\\d{20}|\\d{22})$',
    example: '40702810900000000001',
    description: 'Number of the nominal account.',
  }),
};
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
    paymentCapture: config.PAYMENT_CAPTURE,
    disputeWindowMs: config.DISPUTE_WINDOW_HOURS * HOUR_MS,
    reconciliationHour: config.RECONCILIATION_HOUR,
    receipts: receiptsOf(config),
  },
});
