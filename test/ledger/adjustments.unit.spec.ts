/** Settlements of the providers, and adjustments that two admins decide on. */
import { describe, expect, it } from 'vitest';
import { type AdjustmentCommand, type AdjustmentEvent, adjustment } from '../../domain/ledger/adjustment.ts';
import { refunded, settled } from '../../domain/ledger/ledger.ts';
import { type SettlementCommand, type SettlementEvent, settlement } from '../../domain/ledger/settlement.ts';
import { adjustments } from '../../projections/ledger/adjustments.ts';
import { BOOKING, id, PAYMENT, PROVIDER } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { happened, projection } from '../kit/projected.ts';

describe('a settlement', () => {
  const given = specification(settlement);
  const terms = { provider: 'yookassa', reference: 'R-1', amountMinor: 9_700, feeMinor: 300, currency: 'RUB' };
  const post = (more: object = {}): SettlementCommand => ({ type: 'PostSettlement', ...terms, ...more });
  const posted: SettlementEvent = {
    type: 'SettlementPosted',
    data: {
      ...terms,
      postings: [
        { account: 'bank', amountMinor: 9_700 },
        { account: 'fees', amountMinor: 300 },
        { account: 'clearing:yookassa', amountMinor: -10_000 },
      ],
    },
  };
  it('moves what the provider paid and kept out of its clearing account, once', () =>
    given([]).when(post()).thenOnce([posted]));
  it('with another amount under the same reference is refused', () => {
    for (const other of [{ feeMinor: 301 }, { amountMinor: 9_701 }]) given([posted]).when(post(other)).then('conflict');
  });
  it('under a reference that was typed in another way is refused', () =>
    given([posted])
      .when(post({ reference: ' r-1' }))
      .then('conflict'));
  it('has no negative fee, and is not empty', () => {
    given([])
      .when(post({ feeMinor: -1 }))
      .then('invalid');
    for (const [amountMinor, feeMinor] of [
      [0, 0],
      [-300, 300],
    ])
      given([]).when(post({ amountMinor, feeMinor })).then('invalid');
  });
  it('may have no fee, and a fee as high as what was paid', () => {
    const postedOf = (of: object) =>
      settlement
        .decide(post(of), settlement.initial)
        .flatMap(({ data }) => data.postings.map((line) => line.amountMinor));
    expect(postedOf({ feeMinor: 0 })).toEqual([9_700, -9_700]);
    expect(postedOf({ amountMinor: 300 })).toEqual([300, 300, -600]);
  });
  it('can take money from our bank', () =>
    expect(settled('tbank', -500, 0)).toEqual([
      { account: 'bank', amountMinor: -500 },
      { account: 'clearing:tbank', amountMinor: 500 },
    ]));
});

const [ANNA, BORIS] = [id(91), id(92)];
const terms = { requestedBy: ANNA, reason: 'double fee', amountMinor: 500, currency: 'RUB' };
const available = `available:${PROVIDER}`;
const correction = { ...terms, debit: 'fees', credit: available };
const chargeback = { ...terms, paymentId: PAYMENT, itemId: BOOKING };
const corrected: AdjustmentEvent = { type: 'CorrectionRequested', data: correction };
const charged: AdjustmentEvent = { type: 'ChargebackRequested', data: chargeback };
const chargebackWon = { ...chargeback, chargebackId: id(81) };
const won: AdjustmentEvent = { type: 'ChargebackWonRequested', data: chargebackWon };
const approve = (by: string): AdjustmentCommand => ({ type: 'ApproveAdjustment', by });
const reject = (by: string): AdjustmentCommand => ({ type: 'RejectAdjustment', by, reason: 'wrong account' });
const approved = (postings: { account: string; amountMinor: number }[] = []): AdjustmentEvent => ({
  type: 'AdjustmentApproved',
  data: { approvedBy: BORIS, currency: 'RUB', postings },
});
const rejected: AdjustmentEvent = { type: 'AdjustmentRejected', data: { rejectedBy: BORIS, reason: 'wrong account' } };

describe('an adjustment', () => {
  const given = specification(adjustment);
  it('is requested once, with accounts that people may correct', () => {
    const request = (more: object = {}): AdjustmentCommand => ({ type: 'RequestCorrection', ...correction, ...more });
    given([]).when(request()).thenOnce([corrected]);
    given([])
      .when({ type: 'RequestChargeback', ...chargeback })
      .thenOnce([charged]);
    given([])
      .when({ type: 'RequestChargebackWon', ...chargebackWon })
      .thenOnce([won]);
    for (const debit of [`held:${PROVIDER}`, `payout:${PROVIDER}`, 'nominal:tbank', 'duplicates', 'nonsense'])
      given([]).when(request({ debit })).then('invalid');
    given([])
      .when(request({ debit: available }))
      .then('invalid');
    given([])
      .when(request({ amountMinor: 0 }))
      .then('invalid');
  });
  it('is posted when another admin approves it, never by the one who requested it', () => {
    const postings = [
      { account: available, amountMinor: -500 },
      { account: 'fees', amountMinor: 500 },
    ];
    given([corrected]).when(approve(ANNA)).then('forbidden');
    given([corrected])
      .when(approve(BORIS))
      .thenOnce([approved(postings)]);
    given([charged]).when(approve(BORIS)).thenOnce([approved()]);
    given([won]).when(approve(BORIS)).thenOnce([approved()]);
    given([]).when(approve(BORIS)).then('not_found');
  });
  it('is of the kind that was requested', () => {
    const kinds = [corrected, charged, won].map((event) => adjustment.evolve(adjustment.initial, event));
    expect(kinds).toEqual([
      { ...correction, kind: 'correction', status: 'requested' },
      { ...chargeback, kind: 'chargeback', status: 'requested' },
      { ...chargebackWon, kind: 'chargeback_won', status: 'requested' },
    ]);
  });
  it('can be rejected, then not approved, and the other way round', () => {
    given([corrected]).when(reject(BORIS)).thenOnce([rejected]);
    given([corrected, rejected]).when(approve(BORIS)).then('invalid_transition');
    // Other words would be lost.
    given([corrected, rejected])
      .when({ type: 'RejectAdjustment', by: BORIS, reason: 'another reason' })
      .then('conflict');
    given([corrected, approved()]).when(reject(BORIS)).then('invalid_transition');
  });
});

it('a chargeback takes what is left of an item, and the rest from the platform', () => {
  const item = { id: BOOKING, ownerId: PROVIDER, service: null, amountMinor: 10_000, commissionMinor: 1_000 };
  const about = { itemId: BOOKING };
  expect(refunded('tbank', item, { heldMinor: 0, availableMinor: 9_000, platformMinor: 500 }, 500)).toEqual([
    { account: 'commission', amountMinor: 500, ...about },
    { account: available, amountMinor: 9_000, ...about },
    { account: 'losses', amountMinor: 500, ...about },
    { account: 'clearing:tbank', amountMinor: -10_000, ...about },
  ]);
});

describe('the table of adjustments', () => {
  const rowsAfter = projection(adjustments);
  const T = '2027-01-01T00:00:00.000Z';
  const rowsOf = (...events: AdjustmentEvent[]) =>
    rowsAfter(events.map((event) => happened('adjustment', id(80), event, T)));
  const row = {
    id: id(80),
    status: 'requested',
    amount_minor: 500,
    currency: 'RUB',
    reason: 'double fee',
    requested_by: ANNA,
    decided_by: null,
    rejection_reason: null,
    created_at: T,
    updated_at: T,
  };
  it('shows what was requested, by whom and why', () => {
    const none = {
      debit: null,
      credit: null,
      payment_id: null,
      item_id: null,
      keeps_booking: false,
      chargeback_id: null,
    };
    expect(rowsOf(corrected)).toEqual([{ ...row, ...none, kind: 'correction', debit: 'fees', credit: available }]);
    const of = { payment_id: PAYMENT, item_id: BOOKING };
    expect(rowsOf(charged)).toEqual([{ ...row, ...none, kind: 'chargeback', ...of }]);
    expect(rowsOf(won)).toEqual([{ ...row, ...none, kind: 'chargeback_won', ...of, chargeback_id: id(81) }]);
  });
  it('shows who decided', () => {
    expect(rowsOf(corrected, approved())).toMatchObject([{ status: 'approved', decided_by: BORIS }]);
    expect(rowsOf(charged, rejected)).toMatchObject([
      { status: 'rejected', decided_by: BORIS, rejection_reason: 'wrong account' },
    ]);
  });
});
