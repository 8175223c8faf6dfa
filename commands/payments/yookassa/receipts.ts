/** Fiscal receipts in YooKassa's terms: "Receipts" of https://yookassa.ru/developers/api. */
import { beginningOf } from '../../../domain/core/storable.ts';
import { validator } from '../../../infra/validation.ts';
import {
  type ClosingReceipt,
  type Receipt as Neutral,
  type ReceiptVat,
  receiptVat,
  type Taxation,
} from '../fiscalReceipt.ts';
import { ProviderError } from '../paymentProvider.ts';
import { type CreateReceipt, IssuedReceipt, type Receipt, toAmount } from './api.ts';
import type { Call } from './client.ts';

const TAX_SYSTEMS: Readonly<Record<Taxation, number>> = {
  osn: 1,
  usn_income: 2,
  usn_income_outcome: 3,
  esn: 5,
  patent: 6,
};
const VAT_CODES: Readonly<Record<ReceiptVat, number>> = {
  none: 1,
  vat0: 2,
  vat10: 3,
  vat20: 4,
  vat110: 5,
  vat120: 6,
  vat5: 7,
  vat7: 8,
  vat105: 9,
  vat107: 10,
  vat22: 11,
  vat122: 12,
};
const NAME_LENGTH = 128;

const digits = (phone: string): string => phone.replace(/\D/g, '');

export const toReceipt = (receipt: Neutral, currency: string): Receipt => {
  const { customer, taxation, mode, items } = receipt;
  return {
    customer: 'email' in customer ? customer : { phone: digits(customer.phone) },
    tax_system_code: TAX_SYSTEMS[taxation],
    items: items.map((item) => ({
      description: beginningOf(item.name, NAME_LENGTH),
      quantity: 1,
      amount: toAmount(item.amountMinor, currency),
      vat_code: VAT_CODES[receiptVat(item, receipt)],
      payment_mode: mode,
      payment_subject: 'service',
      measure: 'piece',
      ...(item.supplier && {
        agent_type: 'agent',
        supplier: { ...item.supplier, phone: digits(item.supplier.phone) },
      }),
    })),
  };
};

const isIssued = validator(IssuedReceipt);

export const closeReceipt = async (
  call: Call,
  { receiptId, providerPaymentId, amountMinor, currency, receipt }: ClosingReceipt,
): Promise<void> => {
  const body: CreateReceipt = {
    ...toReceipt(receipt, currency),
    type: 'payment',
    payment_id: providerPaymentId,
    send: true,
    settlements: [{ type: 'prepayment', amount: toAmount(amountMinor, currency) }],
  };
  const { status } = await call(isIssued, 'POST', '/receipts', receiptId, body);
  if (status === 'canceled')
    throw new ProviderError('refused', 'yookassa: the receipt was not issued', 'receipt_canceled');
};
