/** What an event of money has brought and cost, item by item. */
import { expect, it } from 'vitest';
import {
  captured,
  chargebackReturned,
  corrected,
  drawn,
  type PaidItem,
  type Posting,
  partsOf,
  refunded,
  released,
} from '../../domain/ledger/ledger.ts';
import { revenueLines } from '../../projections/analytics/revenueLines.ts';
import { at, BOOKING, id, PAYMENT, PROVIDER } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';

const rowsAfter = projection(revenueLines);
const moved = (type: string, postings: readonly Posting[]) =>
  rowsAfter([happened('payment', PAYMENT, { type, data: { currency: 'RUB', postings } }, at(0))]);

const stay: PaidItem = {
  id: BOOKING,
  ownerId: PROVIDER,
  service: null,
  amountMinor: 9_000,
  commissionMinor: 1_000,
  promotionMinor: 500,
};
const pass: PaidItem = { id: id(7), ownerId: null, service: 'ski_pass', amountMinor: 4_000, commissionMinor: 0 };
const nothing = {
  ...{ captured_minor: 0, refunded_minor: 0, revenue_minor: 0, earned_minor: 0 },
  ...{ discounts_minor: 0, losses_minor: 0, corrections_minor: 0 },
};
const ofStay = { item_id: BOOKING, seller_id: PROVIDER, service: null };
const ofPass = { item_id: id(7), seller_id: null, service: 'ski_pass' };

it('a payment brings each item what was paid for it, and what the platform adds', () =>
  expect(moved('PaymentSucceeded', captured('fake', [stay, pass]))).toMatchObject([
    { ...nothing, ...ofStay, captured_minor: 9_000, revenue_minor: 1_000, earned_minor: 8_500, discounts_minor: 500 },
    { ...nothing, ...ofPass, captured_minor: 4_000, revenue_minor: 4_000 },
  ]));

it('what goes back is taken from where it came, and what is too much is lost', () => {
  const all = partsOf(stay);
  const back = {
    refunded_minor: 9_300,
    revenue_minor: -1_000,
    earned_minor: -8_500,
    discounts_minor: -500,
    losses_minor: 300,
  };
  expect(moved('ChargedBack', refunded('fake', stay, all, 300))).toMatchObject([{ ...nothing, ...ofStay, ...back }]);
  const won = {
    refunded_minor: -9_300,
    revenue_minor: 1_000,
    earned_minor: 8_500,
    discounts_minor: 500,
    losses_minor: -300,
  };
  expect(moved('ChargebackWon', chargebackReturned('fake', stay, all, 300))).toMatchObject([
    { ...nothing, ...ofStay, ...won },
  ]);
});

it('the seller is not named where only the commission goes back', () => {
  const left = { heldMinor: 0, availableMinor: 0, platformMinor: 700 };
  expect(moved('RefundSucceeded', refunded('fake', stay, drawn(left, 700)))).toMatchObject([
    { ...nothing, item_id: BOOKING, seller_id: null, service: null, refunded_minor: 700, revenue_minor: -700 },
  ]);
});

it('a correction changes what it names, and says what came from other accounts', () => {
  const rows = moved('AdjustmentApproved', corrected('bank', `available:${PROVIDER}`, 50));
  expect(rows).toMatchObject([{ ...nothing, item_id: null, seller_id: null, earned_minor: 50, corrections_minor: 50 }]);
  expect(moved('AdjustmentApproved', corrected('bank', 'fees', 50))).toEqual([]);
});

it.each([...revenueLines.handlers.keys()])('%s that only moves what a seller has earned brings nothing', (type) =>
  expect(moved(type, released(PROVIDER, 9_000, BOOKING))).toEqual([]),
);
