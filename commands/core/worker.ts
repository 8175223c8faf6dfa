/** Everything that acts by itself: policies that follow the log, and jobs. Any number of workers run side by side. */

import { accountPolicy } from '../accounts/policy.ts';
import { bookingDue, bookingPolicy, holdExpiry } from '../bookings/policy.ts';
import { tripPolicy } from '../bookings/tripPolicy.ts';
import { bookPolicy } from '../ledger/policy.ts';
import { escrowHold } from '../payments/escrow.ts';
import { notified } from '../payments/inbox.ts';
import { methodRemoval, methodSync, paymentMethodPolicy } from '../payments/paymentMethodPolicy.ts';
import { capture, paymentCancel, paymentPolicy, paymentTtl, refund } from '../payments/policy.ts';
import { dailyReconciliation, reconciliationRun } from '../payments/reconciliation.ts';
import { release } from '../payments/release.ts';
import { purchaseExpiry, purchasePolicy } from '../purchases/policy.ts';
import type { CommandDeps } from './deps.ts';
import { runJobs } from './jobs.ts';
import { policyRetry, runPolicy } from './policy.ts';

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
export const jobs = [
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
  const running = [...policies.map((each) => runPolicy(deps, each, retry, signal)), runJobs(deps, jobs, signal)];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
