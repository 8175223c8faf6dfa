/** Commission rules, and the commission on a sale. */
import { account } from '../../domain/accounts/account.ts';
import { type Commission, commissionOf } from '../../domain/commissions/commission.ts';
import {
  commissionRules,
  type RateScope,
  type RoleRate,
  rateFor,
  type Sale,
} from '../../domain/commissions/commissionRules.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { loadAccount } from '../accounts/accounts.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, FOR_QUOTE } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** In effect for bookings from now on. @throws Rejected `not_found` when there is no account with the id of the owner */
export const setCommissionRate = async (
  deps: Deps,
  context: CommandContext,
  scope: RateScope,
  rateBps: number,
): Promise<void> => {
  if (scope.rule === 'owner') await loadAccount(deps, scope.ownerId);
  await deps.aggregates.handle(commissionRules, ONLY_ONE, { type: 'SetRate', scope, rateBps }, context);
};

/** The next applicable rule takes effect. Nothing happens where there is no such rule. */
export const removeCommissionRate = async (deps: Deps, context: CommandContext, scope: RateScope): Promise<void> => {
  await deps.aggregates.handle(commissionRules, ONLY_ONE, { type: 'RemoveRate', scope }, context);
};

/** All rates by role, in one step: those that are left out are removed. @throws Rejected `invalid` */
export const replaceRoleRates = async (
  deps: Deps,
  context: CommandContext,
  rates: readonly RoleRate[],
): Promise<void> => {
  await deps.aggregates.handle(commissionRules, ONLY_ONE, { type: 'ReplaceRoleRates', rates }, context);
};

/** The commission on a price by the current rules. The booking keeps it. */
export const commissionFor = async (
  deps: Deps,
  { ownerId, type, totalMinor }: Omit<Sale, 'role'> & { readonly totalMinor: number },
): Promise<Commission> => {
  const [{ state: rules }, { state: owner }] = await Promise.all([
    deps.aggregates.load(commissionRules, ONLY_ONE, FOR_QUOTE),
    deps.aggregates.load(account, ownerId, FOR_QUOTE),
  ]);
  const role = owner.status === 'none' ? null : owner.role;
  return commissionOf(totalMinor, rateFor(rules, { ownerId, type, role }));
};
