/** Fiscal receipts (Federal Law 54-FZ) in neutral terms. The provider's cash register issues them; adapters translate. */
import type { VatRate } from '../../domain/payments/taxDetails.ts';

export const taxations = ['osn', 'usn_income', 'usn_income_outcome', 'esn', 'patent'] as const;
export type Taxation = (typeof taxations)[number];

/** For whom the platform sells as an agent. */
interface Supplier {
  readonly inn: string;
  readonly name: string;
  /** With the country code: `+78005553535`. */
  readonly phone: string;
}

export interface ReceiptItem {
  readonly name: string;
  readonly amountMinor: number;
  readonly vat: VatRate;
  /** Absent: the platform sells it itself. */
  readonly supplier?: Supplier;
}

export interface Receipt {
  /** Who gets it. */
  readonly customer: { readonly email: string } | { readonly phone: string };
  readonly taxation: Taxation;
  /** The platform's own address. */
  readonly companyEmail: string;
  /** `full_prepayment`: paid before the service. `full_payment`: the service was provided. */
  readonly mode: 'full_prepayment' | 'full_payment';
  /** Together they are the amount of the payment, refund or settlement. */
  readonly items: readonly ReceiptItem[];
}

/** The rates of a receipt: money that comes before the service is taxed by the rate that is contained in it. */
export type ReceiptVat = VatRate | 'vat105' | 'vat107' | 'vat110' | 'vat120' | 'vat122';
const CONTAINED: Readonly<Partial<Record<VatRate, ReceiptVat>>> = {
  vat5: 'vat105',
  vat7: 'vat107',
  vat10: 'vat110',
  vat20: 'vat120',
  vat22: 'vat122',
};
export const receiptVat = ({ vat }: ReceiptItem, { mode }: Receipt): ReceiptVat =>
  mode === 'full_prepayment' ? (CONTAINED[vat] ?? vat) : vat;

/** The settlement of a prepayment, once the service was provided. */
export interface ClosingReceipt {
  /** Ours; the idempotency key. */
  readonly receiptId: string;
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly receipt: Receipt;
}
