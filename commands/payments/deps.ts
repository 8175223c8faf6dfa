/** What the commands on payments need beside accounts and the core. */

import type { VatRate } from '../../domain/payments/taxDetails.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import type { WithSettings } from '../core/settings.ts';
import type { Taxation } from './fiscalReceipt.ts';
import type { PayablesPort } from './payables.ts';
import type { PaymentProviders } from './paymentProvider.ts';
import type { paymentSettings } from './settings.ts';

export interface PaymentPorts {
  readonly paymentProviders: PaymentProviders;
  readonly settings: PaymentSettings;
}
export type PaymentDeps = AccountDeps & PaymentPorts & PayablesPort & WithSettings<typeof paymentSettings>;

export interface ReceiptSettings {
  readonly taxation: Taxation;
  /** Of what the platform itself sells. */
  readonly vat: VatRate;
  /** The platform's address on receipts; receipts for erased payers go there. */
  readonly email: string;
}

/** What follows from several settings, or in milliseconds from one. */
export interface PaymentSettings {
  /** Fiscal receipts; null: none are issued. */
  readonly receipts: ReceiptSettings | null;
  /** How long an unpaid booking keeps its places, and an unpaid purchase its price. */
  readonly holdTtlMs: number;
  /** How long a pending payment lasts. */
  readonly paymentTtlMs: number;
}
