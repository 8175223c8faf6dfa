import { describe, expect, it } from 'vitest';
import {
  type CommissionRulesEvent,
  commissionRules as decider,
  type RateScope,
  rateFor,
  type Sale,
} from '../../domain/commissions/commissionRules.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { commissionRules } from '../../projections/commissions/commissionRules.ts';
import { specification } from '../kit/given.ts';
import { happened, projection } from '../kit/projected.ts';

const given = specification(decider);
const OWNER = '018f0000-0000-7000-8000-00000000000a';
const OTHER = '018f0000-0000-7000-8000-00000000000b';

const owner: RateScope = { rule: 'owner', ownerId: OWNER };
const tours: RateScope = { rule: 'type_role', type: 'tour', role: 'tour_operator' };
const operators: RateScope = { rule: 'role', role: 'tour_operator' };
const everyone: RateScope = { rule: 'global' };
const set = (scope: RateScope, rateBps: number): CommissionRulesEvent => ({
  type: 'CommissionRateSet',
  data: { scope, rateBps },
});
const removed = (scope: RateScope): CommissionRulesEvent => ({ type: 'CommissionRateRemoved', data: { scope } });
const all = [set(everyone, 900), set(operators, 800), set(tours, 700), set(owner, 600)];

describe('the rate of a sale', () => {
  const sale: Sale = { ownerId: OWNER, type: 'tour', role: 'tour_operator' };
  const rate = (events: readonly CommissionRulesEvent[], more: Partial<Sale> = {}) => {
    const { rule, rateBps } = rateFor(given(events).state, { ...sale, ...more });
    return [rule, rateBps];
  };

  it('comes from the first rule that applies: owner, type and role, role, global, default', () => {
    expect(rate(all)).toEqual(['owner', 600]);
    expect(rate(all.slice(0, 3))).toEqual(['type_role', 700]);
    expect(rate(all.slice(0, 2))).toEqual(['role', 800]);
    expect(rate(all.slice(0, 1))).toEqual(['global', 900]);
    expect(rate([])).toEqual(['default', 1_000]);
  });

  it('comes from the next rule where one does not apply', () => {
    expect(rate(all, { ownerId: OTHER })).toEqual(['type_role', 700]);
    expect(rate(all, { ownerId: OTHER, type: 'hotel' })).toEqual(['role', 800]);
    expect(rate(all, { ownerId: OTHER, role: 'hotelier' })).toEqual(['global', 900]);
    expect(rate(all, { ownerId: OTHER, role: null })).toEqual(['global', 900]);
  });

  it('may be nothing', () => expect(rate([...all, set(owner, 0)])).toEqual(['owner', 0]));
  it('comes from the next rule when one is removed', () =>
    expect(rate([...all, removed(owner)])).toEqual(['type_role', 700]));
});

describe('a rule', () => {
  it('is set once', () =>
    given([])
      .when({ type: 'SetRate', scope: owner, rateBps: 500 })
      .thenOnce([set(owner, 500)]));
  it('is changed', () =>
    given(all)
      .when({ type: 'SetRate', scope: owner, rateBps: 500 })
      .thenOnce([set(owner, 500)]));
  it('is removed once', () =>
    given(all)
      .when({ type: 'RemoveRate', scope: owner })
      .thenOnce([removed(owner)]));
  it('is not removed when it does not exist', () => given([]).when({ type: 'RemoveRate', scope: owner }).then([]));
});

describe('all rates by role', () => {
  const rates = [
    { role: 'hotelier', type: null, rateBps: 1_200 },
    { role: 'tour_operator', type: 'tour', rateBps: 700 },
  ] as const;

  it('are replaced in one step; owners and the global rate stay', () =>
    given(all)
      .when({ type: 'ReplaceRoleRates', rates })
      .thenOnce([removed(operators), set({ rule: 'role', role: 'hotelier' }, 1_200)]));
  it('are those that are sent, and no others', () =>
    given(all)
      .when({ type: 'ReplaceRoleRates', rates: [] })
      .thenOnce([removed(operators), removed(tours)]));
  it('are refused when one of them is listed twice', () =>
    given([])
      .when({ type: 'ReplaceRoleRates', rates: [...rates, { ...rates[0], rateBps: 1 }] })
      .then('invalid'));
});

describe('the table of rules', () => {
  const rowsAfter = projection(commissionRules);
  const T = '2027-01-01T00:00:00.000Z';
  const of = (event: CommissionRulesEvent) => happened(decider.category, ONLY_ONE, event, T);
  const who = { updated_at: T, updated_by: 'test' };

  it('has one row for each rule', () => {
    expect(rowsAfter([...all, set(everyone, 950)].map(of))).toEqual([
      { scope: 'global', rule: 'global', owner_id: null, role: null, type: null, rate_bps: 950, ...who },
      {
        scope: 'role:tour_operator',
        rule: 'role',
        owner_id: null,
        role: 'tour_operator',
        type: null,
        rate_bps: 800,
        ...who,
      },
      {
        scope: 'type_role:tour:tour_operator',
        rule: 'type_role',
        owner_id: null,
        role: 'tour_operator',
        type: 'tour',
        rate_bps: 700,
        ...who,
      },
      { scope: `owner:${OWNER}`, rule: 'owner', owner_id: OWNER, role: null, type: null, rate_bps: 600, ...who },
    ]);
  });

  it('loses the row of a rule that was removed', () =>
    expect(rowsAfter([set(owner, 1), removed(owner)].map(of))).toEqual([]));
});
