/** Completes what a crash between an account's event and its effects left undone. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { raiseTokenVersion } from '../../infra/tokens.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import { releaseUnused } from './identities.ts';
import { grantRequestedRole } from './roleRequests.ts';

const giveBackFormer: PolicyHandler<Recorded<EventOf<'EmailChanged' | 'PhoneChanged'>>> = async (
  { streamId, data: { former } },
  { deps, context },
) => {
  if (former !== null) await releaseUnused(deps, context, former, streamId);
};

export const accountPolicy = policy('accounts', {
  TokensRevoked: ({ streamId, data }, { deps }) => raiseTokenVersion(deps.pool, streamId, data.tokenVersion),
  EmailChanged: giveBackFormer,
  PhoneChanged: giveBackFormer,
  RoleRequestApproved: ({ streamId, data }, { deps, context }) => grantRequestedRole(deps, context, streamId, data),
});
