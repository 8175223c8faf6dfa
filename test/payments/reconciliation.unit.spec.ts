import { describe, expect, it } from 'vitest';
import { nextDaily } from '../../domain/core/dates.ts';
import {
  type ComparedPayment,
  type Difference,
  differencesBetween,
  type ReconciliationEvent,
  reconciliation,
} from '../../domain/payments/reconciliation.ts';
import { paymentDifferences, reconciliations } from '../../projections/payments/reconciliations.ts';
import { at, id, PAYMENT } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { happened, projection } from '../kit/projected.ts';

const given = specification(reconciliation);
const started: ReconciliationEvent = { type: 'ReconciliationStarted', data: { trigger: 'daily' } };
const difference: Difference = {
  paymentId: PAYMENT,
  provider: 'fake',
  kind: 'status',
  ours: 'succeeded',
  theirs: 'cancelled',
};
const found: ReconciliationEvent = { type: 'DifferenceFound', data: difference };
const finished: ReconciliationEvent = { type: 'ReconciliationFinished', data: { checked: 3, unanswered: 1 } };
const record = { type: 'RecordDifferences', differences: [difference] } as const;
const finish = { type: 'FinishReconciliation', checked: 3, unanswered: 1 } as const;

describe('a run', () => {
  it('starts, finds and ends once', () => {
    given([]).when({ type: 'StartReconciliation', trigger: 'daily' }).thenOnce([started]);
    given([started]).when(record).thenOnce([found]);
    given([started, found]).when(finish).thenOnce([finished]);
    given([started, finished]).when(record).then([]);
  });
  it('records of several differences those that are new', () => {
    const another: Difference = { ...difference, kind: 'amount', ours: '200', theirs: '100' };
    given([started, found])
      .when({ ...record, differences: [difference, another] })
      .thenOnce([{ type: 'DifferenceFound', data: another }]);
  });
  it('is found only when it was started', () => {
    given([]).when(record).then('not_found');
    given([]).when(finish).then('not_found');
  });
});

const unsent = { commissionMinor: 0, attempt: 1, sentAt: null, isKnownToHaveFailed: false } as const;

describe('a payment and its provider’s word', () => {
  const refund = { itemId: id(6), amountMinor: 400, status: 'succeeded', ...unsent, providerRefundId: 'r1' } as const;
  const ours: ComparedPayment = {
    status: 'succeeded',
    provider: 'fake',
    amountMinor: 1_000,
    currency: 'RUB',
    refunds: { [id(7)]: refund, [id(8)]: { ...refund, status: 'pending' } },
  };
  const theirs = { status: 'succeeded', amountMinor: 1_000, currency: 'RUB', refundedMinor: 400 };
  const kinds = (mine: ComparedPayment, other: typeof theirs) =>
    differencesBetween(PAYMENT, mine, other).map(({ kind, ours, theirs }) => [kind, ours, theirs]);

  it('are the same', () => {
    expect(kinds(ours, theirs)).toEqual([]);
    expect(
      kinds({ ...ours, status: 'expired', refunds: {} }, { ...theirs, status: 'cancelled', refundedMinor: 0 }),
    ).toEqual([]);
    const { refundedMinor, ...silent } = theirs;
    expect(differencesBetween(PAYMENT, ours, silent)).toEqual([]);
  });
  it('differ', () => {
    expect(kinds(ours, { ...theirs, status: 'cancelled' })).toEqual([['status', 'succeeded', 'cancelled']]);
    expect(kinds({ ...ours, status: 'cancelled' }, { ...theirs, status: 'pending' })).toEqual([
      ['status', 'cancelled', 'pending'],
    ]);
    expect(kinds(ours, { ...theirs, amountMinor: 999, currency: 'EUR', refundedMinor: 800 })).toEqual([
      ['amount', '1000', '999'],
      ['currency', 'RUB', 'EUR'],
      ['refunds', '400', '800'],
    ]);
  });
});

const RUN = id(40);
const inRun = (event: ReconciliationEvent, when: number) => happened('reconciliation', RUN, event, at(when));
const history = [inRun(started, 0), inRun(found, 1), inRun(finished, 2)];

describe('reconciliations', () => {
  const rowsAfter = projection(reconciliations);
  const row = {
    id: RUN,
    trigger: 'daily',
    status: 'running',
    checked: null,
    unanswered: null,
    unanswered_payments: [],
    differences: 0,
    started_at: at(0),
    finished_at: null,
  };
  it('run, count and end', () => {
    expect(rowsAfter(history.slice(0, 1))).toEqual([row]);
    expect(rowsAfter(history.slice(0, 2))).toEqual([{ ...row, differences: 1 }]);
    expect(rowsAfter(history)).toEqual([
      { ...row, differences: 1, status: 'finished', checked: 3, unanswered: 1, finished_at: at(2) },
    ]);
  });
});

describe('differences', () => {
  const rowsAfter = projection(paymentDifferences);
  it('are listed by run', () =>
    expect(rowsAfter(history)).toEqual([
      {
        reconciliation_id: RUN,
        payment_id: PAYMENT,
        provider: 'fake',
        kind: 'status',
        ours: 'succeeded',
        theirs: 'cancelled',
        found_at: at(1),
      },
    ]));
});

it('comes at the same hour every day', () => {
  expect(nextDaily('2026-03-01T02:59:59.999Z', 3)).toBe('2026-03-01T03:00:00.000Z');
  expect(nextDaily('2026-03-01T03:00:00.000Z', 3)).toBe('2026-03-02T03:00:00.000Z');
  expect(nextDaily('2026-03-31T23:00:00.000Z', 0)).toBe('2026-04-01T00:00:00.000Z');
});
