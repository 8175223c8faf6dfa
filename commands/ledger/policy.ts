/** What follows for the books: owners learn what they can be paid, and payments are watched and held against providers. */

import type { Recorded } from '../../domain/core/decider.ts';
import { account, ownerOf } from '../../domain/ledger/ledger.ts';
import type { EventOf } from '../../domain/modules.ts';
import { followUp } from '../core/handle.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { keepInEscrow } from '../payments/escrow.ts';
import { listPayments, watchPayment } from '../payments/reconciliation.ts';
import { commandOwnerAccount } from './payouts.ts';

/** What an entry adds to, or takes from, what its owner can be paid. The event's id keeps it from counting twice. */
const tellOwner = async (
  { id: causeId, data }: Recorded<EventOf<'ShareReleased' | 'RefundSucceeded'>>,
  { deps, context }: PolicyContext,
): Promise<void> => {
  const { currency, postings } = data;
  for (const { account: name, amountMinor } of postings) {
    const ownerId = ownerOf(name);
    if (ownerId === null || name !== account.available(ownerId)) continue;
    const change = { ownerId, currency, causeId, amountMinor: -amountMinor };
    const command = { type: 'RecordChange', ...change } as const;
    await commandOwnerAccount(deps, followUp(context, name), change, command);
  }
};

export const bookPolicy = policy('books', {
  BookingPaid: keepInEscrow,
  PaymentCreated: watchPayment,
  PaymentSucceeded: watchPayment,
  PaymentFailed: watchPayment,
  PaymentCancelled: watchPayment,
  PaymentExpired: watchPayment,
  RefundRequested: watchPayment,
  RefundRetried: watchPayment,
  RefundSucceeded: async (event, ctx) => {
    await tellOwner(event, ctx);
    await watchPayment(event, ctx);
  },
  RefundFailed: watchPayment,
  ShareReleased: tellOwner,
  ReconciliationStarted: listPayments,
});
