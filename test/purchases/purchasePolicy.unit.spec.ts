/** What a paid purchase leads to. */
import { expect, it } from 'vitest';
import type { JobSink } from '../../commands/core/jobChanges.ts';
import { purchasePolicy } from '../../commands/purchases/policy.ts';
import { PAYMENT } from '../bookings/bookingFixtures.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened } from '../kit/projected.ts';
import { made, PURCHASE, paidFor } from './productFixtures.ts';

/** The jobs that are set when a purchase was paid, as `kind due`. */
const jobsAfterPayment = async (receipts: object | null) => {
  const aggregates = memoryAggregates();
  aggregates.given(`purchase-${PURCHASE}`, [made, paidFor]);
  const set: string[] = [];
  const jobs: JobSink = {
    add: (change) => {
      if (change.how === 'set') set.push(`${change.kind} ${change.dueAt} ${change.data}`);
    },
  };
  const event = happened('purchase', PURCHASE, paidFor, '2026-03-01T12:00:00Z');
  const deps = { aggregates, jobs, settings: { receipts } };
  await purchasePolicy.handlers.get('PurchasePaid')?.(event as never, { deps } as never);
  return set;
};

it('its prepayment is settled by a receipt after the last valid day', async () => {
  const settled = `closing_receipt 2026-03-09T21:00:00.000Z ${JSON.stringify({ paymentId: PAYMENT })}`;
  expect(await jobsAfterPayment({ taxation: 'osn' })).toEqual([settled]);
  expect(await jobsAfterPayment(null)).toEqual([]);
});
