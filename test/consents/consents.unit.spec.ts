/** Consents: what is recorded, what counts, and what the tables show. */
import { describe, expect, it } from 'vitest';
import { type ConsentEvent, consent, isGranted, mustAsk } from '../../domain/consents/consent.ts';
import { type ConsentPoliciesEvent, consentPolicies } from '../../domain/consents/policy.ts';
import { consentRecords } from '../../projections/consents/consentRecords.ts';
import { consents } from '../../projections/consents/consents.ts';
import { consentPolicies as policyTable } from '../../projections/consents/policies.ts';
import { specification } from '../kit/given.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';

const answered = (granted: boolean, policyVersion = '1'): ConsentEvent => ({
  type: 'ConsentAnswered',
  data: { purpose: 'marketing', policyVersion, granted, userAgent: 'App/1' },
});
const answer = (granted: boolean, policyVersion = '1', current = '1') =>
  ({ type: 'AnswerConsent', purpose: 'marketing', policyVersion, granted, userAgent: 'App/1', current }) as const;
const published = (version: string, url: string | null = null): ConsentPoliciesEvent => ({
  type: 'ConsentPolicyPublished',
  data: { purpose: 'marketing', version, url },
});
const publish = (version: string, url: string | null = null) =>
  ({ type: 'PublishPolicy', purpose: 'marketing', version, url }) as const;

describe('an answer', () => {
  const given = specification(consent);
  it('is recorded once, yes or no', () => {
    given([])
      .when(answer(true))
      .thenOnce([answered(true)]);
    given([])
      .when(answer(false))
      .thenOnce([answered(false)]);
    given([answered(true)])
      .when(answer(false))
      .thenOnce([answered(false)]);
  });
  it('is recorded again for a new version', () =>
    given([answered(true)])
      .when(answer(true, '2', '2'))
      .thenOnce([answered(true, '2')]));
  it('cannot agree once more to a version that is not in force any more', () =>
    given([answered(true)])
      .when(answer(true, '1', '2'))
      .then('conflict'));
  it('cannot agree to a version that is not in force; it can always refuse', () => {
    given([])
      .when(answer(true, '1', '2'))
      .then('conflict');
    given([answered(true)])
      .when(answer(false, '1', '2'))
      .then([answered(false)]);
  });
  it('counts for the version that it was given for', () => {
    const yes = { policyVersion: '1', granted: true };
    expect([isGranted(yes, '1'), isGranted(yes, '2'), isGranted(undefined, '1')]).toEqual([true, false, false]);
    expect(isGranted({ ...yes, granted: false }, '1')).toBe(false);
    expect([mustAsk(yes, '1'), mustAsk(yes, '2'), mustAsk(undefined, '1')]).toEqual([false, true, true]);
    expect(mustAsk({ ...yes, granted: false }, '1')).toBe(false);
  });
});

describe('a policy', () => {
  const given = specification(consentPolicies);
  it('is published once', () =>
    given([])
      .when(publish('2', 'https://a.test'))
      .thenOnce([published('2', 'https://a.test')]));
  it('can move without a new version', () =>
    given([])
      .when(publish('1', 'https://a.test'))
      .thenOnce([published('1', 'https://a.test')]));
  it('never comes back to an earlier version', () =>
    given([published('2')])
      .when(publish('1'))
      .then('conflict'));
});

describe('the tables', () => {
  const ANNA = '018f0000-0000-7000-8000-00000000000a';
  const [T1, T2] = ['2027-01-01T00:00:00.000Z', '2027-01-02T00:00:00.000Z'];
  const rowsAfter = projection(consents);
  const recordsAfter = projection(consentRecords);
  const policiesAfter = projection(policyTable);
  const from = (event: ConsentEvent, at: string) => {
    const plain = happened('consent', ANNA, event, at);
    return { ...plain, meta: { ...plain.meta, ip: '192.0.2.1' } };
  };
  const events = [from(answered(true), T1), from(answered(false), T2)];
  const row = (granted: boolean, at: string) => ({
    account_id: ANNA,
    purpose: 'marketing',
    policy_version: '1',
    granted,
    at,
    ip: '192.0.2.1',
    user_agent: 'App/1',
  });

  it('have the last answer and all of them, with their address', () => {
    expect(rowsAfter(events)).toEqual([row(false, T2)]);
    expect(recordsAfter(events).map(({ id: _, revision: _order, ...record }) => record)).toEqual([
      row(true, T1),
      row(false, T2),
    ]);
    expect(toldOn(consents, row(false, T2))).toEqual([`realtime:user_${ANNA}`]);
  });
  it('have no consent of somebody who is erased', () => {
    const erased = happened('account', ANNA, { type: 'PersonErased', data: {} }, T2);
    expect(rowsAfter([from(answered(true), T1), erased])).toEqual([row(false, T1)]);
    expect(rowsAfter([erased])).toEqual([]);
  });
  it('have the policies in force', () => {
    const ONE = '00000000-0000-0000-0000-000000000000';
    expect(policiesAfter([happened('consentPolicies', ONE, published('2', 'https://a.test'), T1)])).toEqual([
      { purpose: 'marketing', version: '2', url: 'https://a.test', published_at: T1, published_by: 'test' },
    ]);
  });
});
