/** The write-side manifest of this module. */
import { insuranceProduct } from '../../domain/purchases/insurance.ts';
import type { CommandModule } from '../core/module.ts';
import type { PaidModule } from '../payments/payables.ts';
import { purchasePayable } from './payables.ts';
import { purchaseExpiry, purchasePolicy } from './policy.ts';
import { purchasePromoPolicy, purchaseUses } from './promoUses.ts';

export const purchases = {
  policies: [purchasePolicy, purchasePromoPolicy],
  jobs: [purchaseExpiry, purchaseUses.due],
  followedByApi: [insuranceProduct],
  payables: [purchasePayable],
} as const satisfies CommandModule & PaidModule;
