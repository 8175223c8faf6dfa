/** Everything that acts by itself: policies that follow the log, and timers. Any number of workers run side by side. */
import type { CommandDeps } from './deps.ts';
import { notified } from './payments/inbox.ts';
import { dailyReconciliation, reconciliationRun } from './payments/reconciliation.ts';
import { accountPolicy } from './policies/accounts.ts';
import { bookingDue, bookingPolicy, holdExpiry } from './policies/bookings.ts';
import { bookPolicy } from './policies/books.ts';
import { escrowHold } from './policies/escrow.ts';
import { methodRemoval, methodSync, paymentMethodPolicy } from './policies/paymentMethods.ts';
import { capture, paymentCancel, paymentPolicy, paymentTtl, refund } from './policies/payments.ts';
import { policyRetry, runPolicy } from './policies/policy.ts';
import { purchaseExpiry, purchasePolicy } from './policies/purchases.ts';
import { release } from './policies/release.ts';
import { runTimers } from './policies/timers.ts';
import { tripPolicy } from './policies/trips.ts';

export const policies = [
  accountPolicy,
  bookingPolicy,
  paymentPolicy,
  bookPolicy,
  paymentMethodPolicy,
  purchasePolicy,
  tripPolicy,
] as const;
export const retry = policyRetry(policies);
export const timers = [
  holdExpiry,
  bookingDue,
  paymentTtl,
  paymentCancel,
  capture,
  refund,
  release,
  escrowHold,
  notified,
  methodSync,
  methodRemoval,
  dailyReconciliation,
  reconciliationRun,
  purchaseExpiry,
  retry,
] as const;

export interface Worker {
  /** Finishes what it has begun, then gives up its leases. */
  stop(): Promise<void>;
}

export const startWorker = (deps: CommandDeps & { readonly databaseUrl: string }): Worker => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = [...policies.map((each) => runPolicy(deps, each, retry, signal)), runTimers(deps, timers, signal)];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
