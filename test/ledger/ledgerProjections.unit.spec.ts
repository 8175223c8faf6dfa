import { describe, expect, it } from 'vitest';
import {
  captured,
  escrowReleased,
  type Posting,
  paidOut,
  payoutFailed,
  payoutRequested,
  released,
} from '../../domain/ledger/ledger.ts';
import type { OwnerAccountEvent } from '../../domain/ledger/ownerAccount.ts';
import { allEvents } from '../../domain/modules.ts';
import { balances } from '../../projections/ledger/balances.ts';
import { ledgerDays } from '../../projections/ledger/days.ts';
import { ledgerEntries } from '../../projections/ledger/entries.ts';
import { payouts } from '../../projections/ledger/payouts.ts';
import { refundReservations } from '../../projections/ledger/reservations.ts';
import { at, BOOKING, id, PAYMENT, PROVIDER } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';

const [T1, T2] = [at(0), at(5)] as const;
const stay = { id: BOOKING, ownerId: PROVIDER, service: null, amountMinor: 10_000, commissionMinor: 1_000 };
const moneyEvents = Object.entries(allEvents)
  .filter(([, { data }]) => 'postings' in data.properties)
  .map(([type]) => type);

/** Any payment event that moves money, with only the fields about money. */
const moved = (type: string, postings: readonly Posting[], when = T1) =>
  happened('payment', PAYMENT, { type, data: { currency: 'RUB', postings } }, when);
const [SOME = ''] = moneyEvents;

it('a reservation of a refund is shown until it ends', () => {
  const rowsAfter = projection(refundReservations);
  const refund = { ownerId: PROVIDER, currency: 'RUB', refundId: id(30), paymentId: PAYMENT };
  const reserved = happened(
    'ownerAccount',
    id(8),
    { type: 'RefundReserved', data: { ...refund, amountMinor: 70 } },
    T1,
  );
  const ended = happened('ownerAccount', id(8), { type: 'RefundReservationEnded', data: refund }, T2);
  expect(rowsAfter([reserved])).toEqual([{ refund_id: id(30), owner_id: PROVIDER, currency: 'RUB', amount_minor: 70 }]);
  expect(rowsAfter([reserved, ended])).toEqual([]);
});

const payout = (amountMinor: number, postings: readonly Posting[]) => ({
  payoutId: id(20),
  ownerId: PROVIDER,
  currency: 'RUB',
  amountMinor,
  postings: [...postings],
});
const requested: OwnerAccountEvent = { type: 'PayoutRequested', data: payout(500, payoutRequested(PROVIDER, 500)) };
const paid: OwnerAccountEvent = {
  type: 'PayoutPaid',
  data: { ...payout(500, paidOut(PROVIDER, 500)), reference: 'PP-1' },
};
const failed: OwnerAccountEvent = {
  type: 'PayoutFailed',
  data: { ...payout(500, payoutFailed(PROVIDER, 500)), reason: 'account closed' },
};
const ofAccount = (event: OwnerAccountEvent, when: string) => happened('ownerAccount', id(30), event, when);

describe('ledger entries', () => {
  const rowsAfter = projection(ledgerEntries);

  it.each(moneyEvents)('have a line for every posting of %s', (type) => {
    const event = moved(type, captured('fake', [stay]));
    const line = { event_id: event.id, currency: 'RUB', type, payment_id: PAYMENT, payout_id: null, item_id: BOOKING };
    const place = { at: T1, commit: 0, prepare: 0 };
    expect(rowsAfter([event])).toEqual([
      { ...line, ...place, line: 0, account: 'clearing:fake', owner_id: null, amount_minor: 10_000 },
      { ...line, ...place, line: 1, account: 'commission', owner_id: null, amount_minor: -1_000 },
      { ...line, ...place, line: 2, account: `held:${PROVIDER}`, owner_id: PROVIDER, amount_minor: -9_000 },
    ]);
  });
  it('name the payout', () =>
    expect(rowsAfter([ofAccount(requested, T1)])).toMatchObject([
      { account: `payout:${PROVIDER}`, amount_minor: -500, payment_id: null, payout_id: id(20), item_id: null },
      { account: `available:${PROVIDER}`, amount_minor: 500 },
    ]));
});

describe('balances', () => {
  const rowsAfter = projection(balances);
  const row = (account: string, balance_minor: number, owner_id: string | null = null, paid_out_minor = 0) => ({
    account,
    currency: 'RUB',
    owner_id,
    balance_minor,
    paid_out_minor,
  });

  it.each(moneyEvents)('add up the postings of %s', (type) =>
    expect(rowsAfter([moved(type, captured('fake', [stay, { ...stay, id: id(8) }]))])).toMatchObject([
      { account: 'clearing:fake', owner_id: null, balance_minor: 20_000 },
      { account: 'commission', owner_id: null, balance_minor: -2_000 },
      { account: `held:${PROVIDER}`, owner_id: PROVIDER, balance_minor: -18_000 },
    ]),
  );
  it('follow a payment from start to payout', () => {
    const history = [
      moved(SOME, captured('fake', [stay])),
      moved(SOME, released(PROVIDER, 9_000)),
      ofAccount(requested, T2),
      ofAccount(paid, T2),
    ];
    expect(rowsAfter(history)).toEqual([
      row('clearing:fake', 10_000),
      row('commission', -1_000),
      row(`held:${PROVIDER}`, 0, PROVIDER),
      row(`available:${PROVIDER}`, -8_500, PROVIDER),
      row(`payout:${PROVIDER}`, 0, PROVIDER, 500),
      row('bank', -500),
    ]);
  });
  it('say that escrow which is released to its owner is paid out, from what was held', () =>
    expect(rowsAfter([moved('EscrowReleased', escrowReleased('fake', PROVIDER, 700, BOOKING))])).toEqual([
      row('nominal:fake', -700),
      row(`held:${PROVIDER}`, 700, PROVIDER, 700),
    ]));
});

describe('days of the ledger', () => {
  const rowsAfter = projection(ledgerDays);
  const [today, tomorrow] = ['2026-03-01', '2026-03-02'];
  const row = (account: string, day: string, change_minor: number) => ({ account, currency: 'RUB', day, change_minor });

  it.each(moneyEvents)('say what %s and others have changed on the accounts of owners, day by day (UTC)', (type) =>
    expect(
      rowsAfter([
        moved(type, captured('fake', [stay])),
        moved(type, captured('fake', [stay]), `${today}T23:59:59.999Z`),
        moved(type, released(PROVIDER, 700), `${tomorrow}T00:00:00.000Z`),
      ]),
    ).toEqual([
      row(`held:${PROVIDER}`, today, -18_000),
      row(`available:${PROVIDER}`, tomorrow, -700),
      row(`held:${PROVIDER}`, tomorrow, 700),
    ]),
  );
});

describe('payouts', () => {
  const rowsAfter = projection(payouts);
  const row = {
    id: id(20),
    owner_id: PROVIDER,
    currency: 'RUB',
    amount_minor: 500,
    status: 'requested',
    reference: null,
    reason: null,
    created_at: T1,
    updated_at: T1,
  };

  it('are requested, then paid or failed', () => {
    const asked = ofAccount(requested, T1);
    expect(rowsAfter([asked])).toEqual([row]);
    expect(rowsAfter([asked, ofAccount(paid, T2)])).toEqual([
      { ...row, status: 'paid', reference: 'PP-1', updated_at: T2 },
    ]);
    expect(rowsAfter([asked, ofAccount(failed, T2)])).toEqual([
      { ...row, status: 'failed', reason: 'account closed', updated_at: T2 },
    ]);
  });
});
