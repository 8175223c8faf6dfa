/**
 * Requests for a role and their answers. A request is approved first, then the role is granted. After a crash in
 * between, the policy on `RoleRequestApproved`, or a repeated approval, completes it. The account remembers the request
 * of a grant, so that neither undoes what an admin did later.
 */
import { type RoleRequest, type RoleRequestDetails, roleRequest } from '../../domain/accounts/roleRequest.ts';
import { derivedId } from '../../infra/ids.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import { changeRole, loadAccount } from './accounts.ts';
import type { AccountDeps } from './deps.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'pool'>;

/**
 * Asks for a role for oneself; repeated with the same `context.commandId` it is the same request.
 * @returns its id
 * @throws Rejected `conflict` while another one is pending, or for a role that one has
 */
export const requestRole = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  details: RoleRequestDetails,
): Promise<string> => {
  const requestId = derivedId(context.commandId, 'roleRequest');
  const { role: currentRole } = await loadAccount(deps, accountId);
  const command = { type: 'RequestRole', requestId, currentRole, ...details } as const;
  await deps.aggregates.handle(roleRequest, accountId, command, context);
  return requestId;
};

/** Withdraws one's own pending request. @throws Rejected `not_found`, `invalid_transition` when it was answered */
export const withdrawRoleRequest = async (deps: Deps, context: CommandContext, accountId: string): Promise<void> => {
  await deps.aggregates.handle(roleRequest, accountId, { type: 'Withdraw' }, context);
};

/** At the erasure of a person: nobody is asked for a role of theirs any more. */
export const withdrawRequestOf = async (deps: Deps, context: CommandContext, person: string): Promise<void> => {
  await unlessRejected(() => withdrawRoleRequest(deps, followUp(context, 'withdraw role request'), person));
};

/** Whose request, and which. */
export interface Asked {
  readonly accountId: string;
  readonly requestId: string;
}

/** Gives the role that was asked for. Tokens of the former role end, a refresh gives new ones. @throws Rejected `not_found`, `invalid_transition` */
export const approveRoleRequest = async (
  deps: Deps,
  context: CommandContext,
  { accountId, requestId }: Asked,
): Promise<void> => {
  const { state } = await deps.aggregates.handle(roleRequest, accountId, { type: 'Approve', requestId }, context);
  const { role } = state.find(({ id }) => id === requestId) as RoleRequest;
  await grantRequestedRole(deps, context, accountId, { role, requestId });
};

/** Once per request, however often it is retried. */
export const grantRequestedRole = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  { role, requestId }: { readonly role: RoleRequest['role']; readonly requestId: string },
): Promise<void> => {
  await changeRole(deps, followUp(context, 'grant'), accountId, { role, requestId });
};

/** @throws Rejected `not_found`, `invalid_transition` */
export const rejectRoleRequest = async (
  deps: Deps,
  context: CommandContext,
  { accountId, requestId }: Asked,
  reason: string,
): Promise<void> => {
  await deps.aggregates.handle(roleRequest, accountId, { type: 'Reject', requestId, reason }, context);
};
