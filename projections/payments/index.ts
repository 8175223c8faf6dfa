/** The read models of payments. */
import type { ReadModel } from '../engine/readModel.ts';
import { paymentItems } from './paymentItems.ts';
import { paymentMethods } from './paymentMethods.ts';
import { paymentReceipts } from './paymentReceipts.ts';
import { paymentSettings } from './paymentSettings.ts';
import { payments } from './payments.ts';
import { paymentDifferences, reconciliations } from './reconciliations.ts';

export const readModels: readonly ReadModel[] = [
  payments,
  paymentItems,
  paymentReceipts,
  paymentSettings,
  paymentMethods,
  reconciliations,
  paymentDifferences,
];
