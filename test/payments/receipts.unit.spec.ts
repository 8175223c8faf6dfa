/** Fiscal receipts: whom they name, what they need, and how each provider wants them. */
import { describe, expect, it } from 'vitest';
import { connectPayments } from '../../commands/payments/connect.ts';
import { type ClosingReceipt, type Receipt, receiptVat } from '../../commands/payments/fiscalReceipt.ts';
import type { PayableKind } from '../../commands/payments/payables.ts';
import {
  receiptOfDuplicate,
  receiptOfPayment,
  receiptOfRefund,
  settlePrepayment,
} from '../../commands/payments/receipts.ts';
import { toReceipt as toTbank } from '../../commands/payments/tbank/receipts.ts';
import { toReceipt as toYookassa } from '../../commands/payments/yookassa/receipts.ts';
import type { AccountEvent } from '../../domain/accounts/accountEvents.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { type OpenPayment, type PaymentEvent, payment } from '../../domain/payments/payment.ts';
import { paymentSettings } from '../../domain/payments/paymentSettings.ts';
import { readConfig } from '../../ops/config.ts';
import {
  BOOKING,
  GUEST,
  id,
  PAYMENT,
  PROVIDER,
  paymentCreated,
  paymentSucceeded,
  paymentTerms,
} from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { fakeProvider } from './fakeProvider.ts';

const settings = { taxation: 'usn_income', vat: 'vat22', email: 'shop@example.com' } as const;
const tax = { inn: '7707083893', name: 'ООО «Лиственница»', phone: '+78005553535', vat: 'vat20' } as const;
const supplier = { inn: tax.inn, name: tax.name, phone: tax.phone };
const pass = { kind: 'purchase', id: id(50), ownerId: null, amountMinor: 5_000, commissionMinor: 0 } as const;

const guest = (email: string | null, phone: string | null = null): AccountEvent => ({
  type: 'AccountOpened',
  data: { role: 'tourist', email, phone, firstName: 'Vera', lastName: 'L', language: 'ru', passwordHash: null },
});

/** What is left of a guest's account once the guest is erased. */
const erased: readonly AccountEvent[] = [guest(ERASED, ERASED), { type: 'PersonErased', data: {} }];

/** A guest with this contact, and an owner with or without tax details. */
const world = (payer: readonly AccountEvent[] = [guest('guest@example.com')], taxDetails: typeof tax | null = tax) => {
  const aggregates = memoryAggregates();
  aggregates.given(`account-${GUEST}`, payer);
  if (taxDetails) aggregates.given(`paymentSettings-${PROVIDER}`, [{ type: 'TaxDetailsSet', data: taxDetails }]);
  const kind = { describe: ({ items }) => `Booking ${items[0]?.id}` } as PayableKind;
  const payables = new Map(['booking', 'purchase'].map((name) => [name, kind]));
  return { aggregates, payables, settings: { receipts: settings }, log: { error: () => undefined } };
};
const made = { userId: GUEST, items: [...paymentTerms.items, pass] };

it('receipts are off unless configured, and need the address of the platform', () => {
  const connect = (env: Record<string, string>) => connectPayments(readConfig(env)).settings.receipts;
  expect(connect({})).toBeNull();
  const email = 'shop@example.com';
  expect(connect({ RECEIPTS_TAXATION: 'osn', RECEIPTS_EMAIL: email })).toEqual({ taxation: 'osn', vat: 'none', email });
});

describe('the receipt of a payment', () => {
  it('names the seller of each item, and the rate that prepaid money contains', async () => {
    const receipt = await receiptOfPayment(world(), made);
    expect(receipt).toEqual({
      customer: { email: 'guest@example.com' },
      taxation: 'usn_income',
      companyEmail: 'shop@example.com',
      mode: 'full_prepayment',
      items: [
        { name: `Booking ${BOOKING}`, amountMinor: 20_000, vat: 'vat20', supplier },
        { name: `Booking ${id(50)}`, amountMinor: 5_000, vat: 'vat22' },
      ],
    });
    expect(receipt?.items.map((item) => receiptVat(item, receipt))).toEqual(['vat120', 'vat122']);
  });
  it('goes to the phone where there is no e-mail address', async () =>
    expect(await receiptOfPayment(world([guest(null, '+79001234567')]), made)).toMatchObject({
      customer: { phone: '+79001234567' },
    }));
  it('is impossible without a contact or the tax details of a seller', async () => {
    const impossible = { code: 'receipt_impossible' };
    for (const nowhere of [[guest(ERASED, ERASED)], erased])
      await expect(receiptOfPayment(world(nowhere), made)).rejects.toMatchObject(impossible);
    await expect(receiptOfPayment(world(undefined, null), made)).rejects.toMatchObject(impossible);
  });
});

const hasReceipt: PaymentEvent = { type: 'PaymentCreated', data: { ...paymentTerms, hasReceipt: true } };
const fold = (...events: PaymentEvent[]) => events.reduce(payment.evolve, payment.initial) as OpenPayment;
const part = { itemId: BOOKING, amountMinor: 4_000 };

describe('the receipt of a refund', () => {
  it('is like that of the payment, and like that of its settlement after it', async () => {
    const deps = world();
    const closed: PaymentEvent = {
      type: 'ClosingReceiptIssued',
      data: { itemId: BOOKING, amountMinor: 20_000, currency: 'RUB' },
    };
    const item = { amountMinor: 4_000, vat: 'vat20', supplier };
    expect(await receiptOfRefund(deps, fold(hasReceipt, paymentSucceeded), part)).toMatchObject({
      mode: 'full_prepayment',
      items: [item],
    });
    expect(await receiptOfRefund(deps, fold(hasReceipt, paymentSucceeded, closed), part)).toMatchObject({
      mode: 'full_payment',
    });
  });
  it('is not made for a payment without one', async () =>
    expect(await receiptOfRefund(world(), fold(paymentCreated, paymentSucceeded), part)).toBeUndefined());
  it('never holds up the money: for an erased payer it goes to the platform, without tax details it is left out', async () => {
    const state = fold(hasReceipt, paymentSucceeded);
    expect(await receiptOfRefund(world(erased), state, part)).toMatchObject({
      customer: { email: 'shop@example.com' },
      items: [{ amountMinor: 4_000, vat: 'vat20', supplier }],
    });
    expect(await receiptOfRefund(world(undefined, null), state, part)).toBeUndefined();
  });
});

it('the receipt of a second charge is like that of the payment, and goes to the platform for an erased payer', async () => {
  const state = fold(hasReceipt, paymentSucceeded);
  const receipt = await receiptOfPayment(world(), state);
  expect(await receiptOfDuplicate(world(), state)).toEqual(receipt);
  const toPlatform = { ...receipt, customer: { email: 'shop@example.com' } };
  expect(await receiptOfDuplicate(world(erased), state)).toEqual(toPlatform);
  expect(await receiptOfDuplicate(world(), fold(paymentCreated, paymentSucceeded))).toBeUndefined();
});

it('a prepayment is settled once, for what was not refunded', async () => {
  const deps = world();
  const { aggregates } = deps;
  const refunded: PaymentEvent = {
    type: 'RefundRequested',
    data: { ...part, refundId: id(9), currency: 'RUB', cause: 'requested' },
  };
  aggregates.given(`payment-${PAYMENT}`, [hasReceipt, paymentSucceeded, refunded]);
  const sent: ClosingReceipt[] = [];
  const provider = {
    ...fakeProvider('yookassa'),
    closeReceipt: async (closing: ClosingReceipt) => void sent.push(closing),
  };
  const paymentProviders = { default: provider, byName: new Map([['yookassa', provider]]) };
  for (let n = 0; n < 2; n += 1)
    await settlePrepayment({ ...deps, paymentProviders }, contextOf('job', 'system'), PAYMENT, BOOKING);
  expect(sent).toMatchObject([{ amountMinor: 16_000, receipt: { mode: 'full_payment', items: [{ vat: 'vat20' }] } }]);
  expect((aggregates.stateOf(payment, PAYMENT) as OpenPayment).closedReceipts).toEqual([BOOKING]);
  expect(aggregates.stateOf(paymentSettings, PROVIDER).taxDetails).toEqual(tax);
});

describe('at a provider', () => {
  const receipt: Receipt = {
    customer: { phone: '+79001234567' },
    taxation: 'osn',
    companyEmail: 'shop@example.com',
    mode: 'full_prepayment',
    items: [{ name: 'x'.repeat(200), amountMinor: 12_345, vat: 'vat20', supplier }],
  };
  it('YooKassa gets decimal amounts, codes and phones without a plus', () =>
    expect(toYookassa(receipt, 'RUB')).toEqual({
      customer: { phone: '79001234567' },
      tax_system_code: 1,
      items: [
        {
          description: 'x'.repeat(128),
          quantity: 1,
          amount: { value: '123.45', currency: 'RUB' },
          vat_code: 6,
          payment_mode: 'full_prepayment',
          payment_subject: 'service',
          measure: 'piece',
          agent_type: 'agent',
          supplier: { ...supplier, phone: '78005553535' },
        },
      ],
    }));
  it('T-Bank gets kopecks, names and the agent of another kind', () =>
    expect(toTbank({ ...receipt, mode: 'full_payment' })).toEqual({
      FfdVersion: '1.2',
      Phone: '+79001234567',
      EmailCompany: 'shop@example.com',
      Taxation: 'osn',
      Items: [
        {
          Name: 'x'.repeat(128),
          Price: 12_345,
          Quantity: 1,
          Amount: 12_345,
          Tax: 'vat20',
          PaymentMethod: 'full_payment',
          PaymentObject: 'service',
          MeasurementUnit: 'шт',
          AgentData: { AgentSign: 'another' },
          SupplierInfo: { Phones: ['+78005553535'], Name: tax.name, Inn: tax.inn },
        },
      ],
    }));
});
