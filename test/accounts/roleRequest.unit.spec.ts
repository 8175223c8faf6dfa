import { describe, expect, it } from 'vitest';
import { type RoleRequestEvent, type RoleRequestStatus, roleRequest } from '../../domain/accounts/roleRequest.ts';
import { roleRequests } from '../../projections/accounts/roleRequests.ts';
import { specification } from '../kit/given.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';

const given = specification(roleRequest);
const [FIRST, SECOND] = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002'];
const details = {
  role: 'restaurant' as const,
  companyName: 'Larch LLC',
  documents: [{ name: 'Licence', url: 'https://files.test/licence.pdf' }],
  comment: null,
};
const requested = (requestId = FIRST): RoleRequestEvent => ({ type: 'RoleRequested', data: { requestId, ...details } });
const approved: RoleRequestEvent = { type: 'RoleRequestApproved', data: { requestId: FIRST, role: 'restaurant' } };
const rejected: RoleRequestEvent = { type: 'RoleRequestRejected', data: { requestId: FIRST, reason: 'No licence' } };
const withdrawn: RoleRequestEvent = { type: 'RoleRequestWithdrawn', data: { requestId: FIRST } };

const ask = { type: 'RequestRole', requestId: FIRST, currentRole: 'tourist', ...details } as const;
const askAgain = { ...ask, requestId: SECOND };
const approve = { type: 'Approve', requestId: FIRST } as const;
const reject = { type: 'Reject', requestId: FIRST, reason: 'No licence' } as const;
const withdraw = { type: 'Withdraw' } as const;

describe('asking', () => {
  it('is recorded once', () => given([]).when(ask).thenOnce([requested()]));
  it('is possible once at a time', () => given([requested()]).when(askAgain).then('conflict'));
  it.each([[approved], [rejected], [withdrawn]])('is possible again after %j', (end) =>
    given([requested(), end])
      .when(askAgain)
      .thenOnce([requested(SECOND)]),
  );
  it('is not done again by a repeated command', () => given([requested(), withdrawn]).when(ask).then([]));
  it('is refused for a role that the account already has', () => {
    given([])
      .when({ ...ask, currentRole: 'restaurant' })
      .then('conflict');
    given([])
      .when({ ...ask, currentRole: 'admin' })
      .then('conflict');
    given([])
      .when({ ...ask, currentRole: 'hotelier' })
      .then([requested()]);
  });
});

describe('answering', () => {
  it('approves once', () => given([requested()]).when(approve).thenOnce([approved]));
  it('rejects once', () => given([requested()]).when(reject).thenOnce([rejected]));
  it('withdraws once', () => given([requested()]).when(withdraw).thenOnce([withdrawn]));
  it('answers only the request that is named', () =>
    given([requested(), withdrawn, requested(SECOND)])
      .when(approve)
      .then('invalid_transition'));

  const ends: [RoleRequestStatus, RoleRequestEvent][] = [
    ['approved', approved],
    ['rejected', rejected],
    ['withdrawn', withdrawn],
  ];
  it.each(ends)('is over when it is %s', (status, end) => {
    for (const [command, to] of [
      [approve, 'approved'],
      [reject, 'rejected'],
      [withdraw, 'withdrawn'],
    ] as const)
      given([requested(), end])
        .when(command)
        .then(to === status ? [] : 'invalid_transition');
    expect(given([requested(), end]).state).toMatchObject([{ id: FIRST, role: 'restaurant', status }]);
  });
  it('refuses an unknown request', () => {
    for (const command of [approve, reject, withdraw]) given([]).when(command).then('not_found');
  });
});

describe('the table of requests', () => {
  const rowsAfter = projection(roleRequests);
  const ANNA = '018f0000-0000-7000-8000-00000000000a';
  const [T1, T2] = ['2027-01-01T00:00:00.000Z', '2027-01-02T00:00:00.000Z'];
  const of = (event: RoleRequestEvent, at = T1) => happened(roleRequest.category, ANNA, event, at);
  const pending = {
    id: FIRST,
    account_id: ANNA,
    role: 'restaurant',
    company_name: 'Larch LLC',
    documents: details.documents,
    comment: null,
    status: 'pending',
    reason: null,
    decided_by: null,
    decided_at: null,
    created_at: T1,
  };

  it('has a row for each request, and notifies its user', () => {
    expect(rowsAfter([of(requested())])).toEqual([pending]);
    expect(toldOn(roleRequests, pending)).toEqual([`realtime:user_${ANNA}`]);
  });
  it.each([
    [approved, { status: 'approved' }],
    [rejected, { status: 'rejected', reason: 'No licence' }],
    [withdrawn, { status: 'withdrawn' }],
  ])('%j', (event, change) => {
    const end = { decided_by: 'test', decided_at: T2, ...change };
    expect(rowsAfter([of(requested()), of(event, T2), of(requested(SECOND), T2)])).toEqual([
      { ...pending, ...end },
      { ...pending, id: SECOND, created_at: T2 },
    ]);
  });
});
