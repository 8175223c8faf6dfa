/** What has to end before an account can be deleted, of all modules. They are resolved in this order. */
import { adminBlockers } from './accounts/deletionBlockers.ts';
import { bookingBlockers } from './bookings/deletionBlockers.ts';
import type { DeletionBlocker } from './http/deletionBlocker.ts';
import { balanceBlockers, debtBlockers } from './ledger/deletionBlockers.ts';
import { purchaseBlockers } from './purchases/deletionBlockers.ts';

/** Apart from the manifests: the workers need them, and nothing else of the API. */
export const deletionBlockers: readonly DeletionBlocker[] = [
  adminBlockers,
  bookingBlockers,
  purchaseBlockers,
  debtBlockers,
  balanceBlockers,
];
