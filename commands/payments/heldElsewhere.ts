/** What this module holds about people outside of tables. */

import { paymentsPurpose } from '../../domain/payments/purpose.ts';
import type { HeldElsewhere } from '../../infra/holding.ts';

export const paymentsElsewhere: readonly HeldElsewhere[] = [
  {
    what: 'payments, saved cards and receipts at YooKassa and T-Bank; card numbers are only there',
    where: 'provider',
    why: paymentsPurpose,
    kept: { always: 'payments and receipts, as the law obliges the provider; saved cards until they are removed' },
    exported: '`payments` and `payment_methods`; for the rest, ask the provider',
    erased:
      'saved cards are deleted there, within seven days where the provider does not answer at once; YooKassa has no way to delete one, and cannot charge it without the token, which is forgotten here; payments and receipts stay',
  },
];
