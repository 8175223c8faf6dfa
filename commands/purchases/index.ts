/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { purchasePayable } from './payable.ts';
import { purchaseExpiry, purchasePolicy } from './policy.ts';

export const purchases = {
  policies: [purchasePolicy],
  jobs: [purchaseExpiry],
  payables: [purchasePayable],
} as const satisfies CommandModule & { payables: unknown };
