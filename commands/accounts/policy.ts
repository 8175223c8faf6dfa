/** Completes what a crash between an account's event and its effects left undone. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { raiseTokenVersion } from '../../infra/sessions.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import { release, releaseUnshown } from './claims.ts';
import type { AccountDeps } from './deps.ts';
import { keepAccount } from './lastKnown.ts';
import { giveNotice } from './notices.ts';
import { grantRequestedRole } from './roleRequests.ts';

const giveBackFormer: PolicyHandler<Recorded<EventOf<'EmailChanged' | 'PhoneChanged'>>, AccountDeps> = async (
  event,
  ctx,
) => {
  const { former, formerClaim } = event.data;
  const claim = former === null ? null : { id: former, accountId: event.streamId };
  if (claim && formerClaim !== undefined) await release(ctx.deps, ctx.context, claim, formerClaim);
  else if (claim) await releaseUnshown(ctx.deps, ctx.context, claim);
  await giveNotice(event, ctx);
};

const giveBackLink: PolicyHandler<Recorded<EventOf<'ProviderUnlinked'>>, AccountDeps> = async (event, ctx) => {
  await releaseUnshown(ctx.deps, ctx.context, { id: event.data.identityId, accountId: event.streamId });
  await giveNotice(event, ctx);
};

/** Keeps the account as it is now for the times without the log, then does what else follows. */
const keeping =
  <E extends Recorded>(then?: PolicyHandler<E, AccountDeps>): PolicyHandler<E, AccountDeps> =>
  async (event, ctx) => {
    await keepAccount(ctx.deps, event.streamId);
    await then?.(event, ctx);
  };

export const accountPolicy = policy<AccountDeps>('accounts', {
  AccountOpened: keeping(),
  ProfileChanged: keeping(),
  RoleGranted: keeping(),
  TokensRevoked: keeping(({ streamId, data }, { deps }) =>
    raiseTokenVersion(deps.pool, streamId, data.tokenVersion, data.sessionsStay ? 'stay' : 'end'),
  ),
  EmailChanged: keeping(giveBackFormer),
  EmailVerified: keeping(),
  PhoneChanged: keeping(giveBackFormer),
  PasswordChanged: keeping(giveNotice),
  PasswordRemoved: keeping(giveNotice),
  ProviderLinked: keeping(giveNotice),
  ProviderUnlinked: keeping(giveBackLink),
  ErasureRequested: keeping(),
  ErasureWithdrawn: keeping(),
  RoleRequestApproved: ({ streamId, data }, { deps, context }) => grantRequestedRole(deps, context, streamId, data),
});
