/** Completes what a crash between an account's event and its effects left undone. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { raiseTokenVersion } from '../../infra/sessions.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import type { AccountDeps } from './deps.ts';
import { releaseUnused } from './identities.ts';
import { giveNotice } from './notices.ts';
import { grantRequestedRole } from './roleRequests.ts';

const giveBackFormer: PolicyHandler<Recorded<EventOf<'EmailChanged' | 'PhoneChanged'>>, AccountDeps> = async (
  event,
  ctx,
) => {
  const { former } = event.data;
  if (former !== null) await releaseUnused(ctx.deps, ctx.context, former, event.streamId);
  await giveNotice(event.type === 'EmailChanged' ? 'email' : 'phone', event, ctx);
};

export const accountPolicy = policy<AccountDeps>('accounts', {
  TokensRevoked: ({ streamId, data }, { deps }) =>
    raiseTokenVersion(deps.pool, streamId, data.tokenVersion, data.sessionsStay ? 'stay' : 'end'),
  EmailChanged: giveBackFormer,
  PhoneChanged: giveBackFormer,
  PasswordChanged: (event, ctx) => giveNotice('password', event, ctx),
  ProviderLinked: (event, ctx) => giveNotice('provider', event, ctx),
  RoleRequestApproved: ({ streamId, data }, { deps, context }) => grantRequestedRole(deps, context, streamId, data),
});
