/** What the commands on payments need beside accounts and the core. */

import type { VatRate } from '../../domain/payments/taxDetails.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import type { Taxation } from './fiscalReceipt.ts';
import type { PayablesPort } from './payable.ts';
import type { PaymentProviders } from './paymentProvider.ts';

export interface PaymentPorts {
  readonly paymentProviders: PaymentProviders;
  readonly settings: PaymentSettings;
}
export type PaymentDeps = AccountDeps & PaymentPorts & PayablesPort;

export interface ReceiptSettings {
  readonly taxation: Taxation;
  /** Of what the platform itself sells. */
  readonly vat: VatRate;
  /** The platform's address on receipts; receipts for erased payers go there. */
  readonly email: string;
}

export interface PaymentSettings {
  /** Fiscal receipts; null: none are issued. */
  readonly receipts: ReceiptSettings | null;
  /** How long an unpaid booking keeps its places, and an unpaid purchase its price. */
  readonly holdTtlMs: number;
  /** How long a pending payment lasts. */
  readonly paymentTtlMs: number;
  /** `manual`: the money is reserved first, and captured once what it pays for is certain. */
  readonly paymentCapture: 'automatic' | 'manual';
  /** The time from the end of the booked service until its owner can be paid. */
  readonly disputeWindowMs: number;
  /** 0–23, UTC. */
  readonly reconciliationHour: number;
}
