/** Keeps the owner accounts in step with the ledger: an owner can be paid what was released to them. */
import { policy } from '../core/policy.ts';
import { recordChanges } from './ownerAccounts.ts';

export const ledgerPolicy = policy('ledger', {
  ShareReleased: recordChanges,
  RefundSucceeded: recordChanges,
  ChargedBack: recordChanges,
  ChargebackWon: recordChanges,
  AdjustmentApproved: recordChanges,
});
