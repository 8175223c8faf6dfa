/** Fiscal receipts in T-Bank's terms: "Структура объекта Receipt" of https://developer.tbank.ru/eacq/api. */
import { beginningOf } from '../../../domain/core/storable.ts';
import { validator } from '../../../infra/validation.ts';
import { type ClosingReceipt, type Receipt as Neutral, receiptVat } from '../fiscalReceipt.ts';
import { type Receipt, ReceiptSent } from './api.ts';
import type { TbankCall } from './client.ts';

const NAME_LENGTH = 128;

/** The agent is of no kind that the law names: `another`. */
export const toReceipt = (receipt: Neutral): Receipt => {
  const { customer, taxation, companyEmail, mode, items } = receipt;
  return {
    FfdVersion: '1.2',
    ...('email' in customer ? { Email: customer.email } : { Phone: customer.phone }),
    EmailCompany: companyEmail,
    Taxation: taxation,
    Items: items.map((item) => ({
      Name: beginningOf(item.name, NAME_LENGTH),
      Price: item.amountMinor,
      Quantity: 1,
      Amount: item.amountMinor,
      Tax: receiptVat(item, receipt),
      PaymentMethod: mode,
      PaymentObject: 'service',
      MeasurementUnit: 'шт',
      ...(item.supplier && {
        AgentData: { AgentSign: 'another' },
        SupplierInfo: { Phones: [item.supplier.phone], Name: item.supplier.name, Inn: item.supplier.inn },
      }),
    })),
  };
};

const isSent = validator(ReceiptSent);

/** The bank heeds no key here: a repeated request after a lost answer may issue the receipt twice. */
export const closeReceipt = async (
  callRegister: TbankCall,
  { providerPaymentId, amountMinor, receipt }: ClosingReceipt,
): Promise<void> => {
  const Payments = { Electronic: 0, AdvancePayment: amountMinor };
  const Receipt = { ...toReceipt(receipt), Payments };
  await callRegister('SendClosingReceipt', isSent, { PaymentId: providerPaymentId, Receipt });
};
