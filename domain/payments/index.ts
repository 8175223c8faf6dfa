/** The domain manifest of this module. */
import { payment } from './payment.ts';
import { paymentSettings } from './paymentSettings.ts';
import { reconciliation } from './reconciliation.ts';
import { savedMethods } from './savedMethods.ts';

/** Why this module holds personal data. */
export const paymentsPurpose = {
  purpose: 'take payments, refund them and issue receipts',
  basis: 'contract',
  seenBy: ['self', 'admins', 'provider'],
} as const;

export const payments = {
  aggregates: [payment, paymentSettings, reconciliation, savedMethods],
  purpose: paymentsPurpose,
} as const;
