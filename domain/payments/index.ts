/** The domain manifest of this module. */
import { payment } from './payment.ts';
import { paymentSettings } from './paymentSettings.ts';
import { paymentsPurpose } from './purpose.ts';
import { reconciliation } from './reconciliation.ts';
import { savedMethods } from './savedMethods.ts';

export const payments = {
  aggregates: [payment, paymentSettings, reconciliation, savedMethods],
  purpose: paymentsPurpose,
} as const;
