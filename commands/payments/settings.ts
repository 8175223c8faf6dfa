/** The environment settings of payments. */
import { Type } from '@sinclair/typebox';
import { vatRates } from '../../domain/payments/taxDetails.ts';
import { choice, HTTP_URL, integer, secret, text, unset } from '../../infra/settings.ts';
import { taxations } from './fiscalReceipt.ts';

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
