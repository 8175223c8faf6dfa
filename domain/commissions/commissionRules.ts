/**
 * The commission rules. All rules are one aggregate, so that several can change in one decision; its one stream is
 * `commissionRules-<ONLY_ONE>`. A booking keeps the rate that it was made with.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Role } from '../accounts/role.ts';
import { BookingType } from '../catalog/bookableItem.ts';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { ImmutableMap } from '../core/immutableMap.ts';
import { Nullable, Uuid } from '../core/schema.ts';
import { DEFAULT_RATE, type Rate, RateBps } from './commission.ts';

/** What a rate is for. */
export const RateScope = Type.Union([
  Type.Object({ rule: Type.Literal('owner'), ownerId: Uuid }),
  Type.Object({ rule: Type.Literal('type_role'), type: BookingType, role: Role }),
  Type.Object({ rule: Type.Literal('role'), role: Role }),
  Type.Object({ rule: Type.Literal('global') }),
]);
export type RateScope = Static<typeof RateScope>;

/** The rate for a role; `type` null: for all booking types. */
export const RoleRate = Type.Object({ role: Role, type: Nullable(BookingType), rateBps: RateBps });
export type RoleRate = Static<typeof RoleRate>;

const commissionRulesEvents = {
  CommissionRateSet: { data: Type.Object({ scope: RateScope, rateBps: RateBps }) },
  CommissionRateRemoved: { data: Type.Object({ scope: RateScope }) },
} as const satisfies EventDeclarations;
export type CommissionRulesEvent = EventsOf<typeof commissionRulesEvents>;

export type CommissionRulesCommand =
  | { readonly type: 'SetRate'; readonly scope: RateScope; readonly rateBps: number }
  | { readonly type: 'RemoveRate'; readonly scope: RateScope }
  /** These, and no others. */
  | { readonly type: 'ReplaceRoleRates'; readonly rates: readonly RoleRate[] };

type ScopedRate = CommissionRulesEvent & { readonly type: 'CommissionRateSet' };
/** By `scopeKey`. */
export type CommissionRules = ImmutableMap<ScopedRate['data']>;

/** A scope as a text key; equal scopes have equal keys. */
export const scopeKey = (scope: RateScope): string => {
  switch (scope.rule) {
    case 'owner':
      return `owner:${scope.ownerId}`;
    case 'type_role':
      return `type_role:${scope.type}:${scope.role}`;
    case 'role':
      return `role:${scope.role}`;
    case 'global':
      return 'global';
  }
};

const scopeOf = ({ role, type }: Pick<RoleRate, 'role' | 'type'>): RateScope =>
  type === null ? { rule: 'role', role } : { rule: 'type_role', type, role };

/** Who sells what. */
export interface Sale {
  readonly ownerId: string;
  readonly type: Static<typeof BookingType>;
  /** The owner's; null when unknown. */
  readonly role: Role | null;
}

/** The rate of a sale, by the first rule that there is: owner, type and role, role, global, default. */
export const rateFor = (rules: CommissionRules, { ownerId, type, role }: Sale): Rate => {
  const scopes: RateScope[] = [
    { rule: 'owner', ownerId },
    // Stryker disable next-line ConditionalExpression: for the compiler; no rule is for an unknown role
    ...(role === null
      ? []
      : ([
          { rule: 'type_role', type, role },
          { rule: 'role', role },
        ] as const)),
    { rule: 'global' },
  ];
  for (const scope of scopes) {
    const found = rules.get(scopeKey(scope));
    if (found) return { rule: scope.rule, rateBps: found.rateBps };
  }
  return DEFAULT_RATE;
};

const set = (scope: RateScope, rateBps: number, state: CommissionRules): CommissionRulesEvent[] =>
  state.get(scopeKey(scope))?.rateBps === rateBps ? [] : [{ type: 'CommissionRateSet', data: { scope, rateBps } }];

const remove = (scope: RateScope, state: CommissionRules): CommissionRulesEvent[] =>
  state.get(scopeKey(scope)) ? [{ type: 'CommissionRateRemoved', data: { scope } }] : [];

const replaceRoleRates = (rates: readonly RoleRate[], state: CommissionRules): CommissionRulesEvent[] => {
  const kept = new Set(rates.map((rate) => scopeKey(scopeOf(rate))));
  if (kept.size < rates.length)
    throw new Rejected('invalid', 'The list has two rates for the same role and type.', { fields: ['rates'] });
  const former = [...state].map(([, { scope }]) => scope).filter(({ rule }) => rule === 'role' || rule === 'type_role');
  return [
    ...former.filter((scope) => !kept.has(scopeKey(scope))).flatMap((scope) => remove(scope, state)),
    ...rates.flatMap((rate) => set(scopeOf(rate), rate.rateBps, state)),
  ];
};

const decide = (command: CommissionRulesCommand, state: CommissionRules): CommissionRulesEvent[] => {
  switch (command.type) {
    case 'SetRate':
      return set(command.scope, command.rateBps, state);
    case 'RemoveRate':
      return remove(command.scope, state);
    case 'ReplaceRoleRates':
      return replaceRoleRates(command.rates, state);
  }
};

const evolve = (state: CommissionRules, event: CommissionRulesEvent): CommissionRules => {
  switch (event.type) {
    case 'CommissionRateSet':
      return state.set(scopeKey(event.data.scope), event.data);
    case 'CommissionRateRemoved':
      return state.delete(scopeKey(event.data.scope));
  }
};

export const commissionRules: Decider<CommissionRules, CommissionRulesCommand, CommissionRulesEvent> = {
  category: 'commissionRules',
  short: 'people of the resort write it',
  events: commissionRulesEvents,
  initial: ImmutableMap.empty(),
  decide,
  evolve,
};
