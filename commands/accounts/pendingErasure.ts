/**
 * The time between the request to delete an account and its erasure, in which signing in takes the request back. The
 * setting `ERASURE_GRACE_DAYS` says how long it is; by default there is none, unless something is left to be settled.
 * `commands/privacy/endOfGrace.ts` ends it.
 */

import { account } from '../../domain/accounts/account.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { raiseTokenVersion } from '../../infra/sessions.ts';
import { certificateOf } from '../core/certificateParts.ts';
import { expectCertificate } from '../core/certificates.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import type { AccountDeps } from './deps.ts';
import type { Holder } from './identities.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'pool' | 'vault'>;

/**
 * Has the account erased after `ms`. Its sessions end, and its listings close. Repeated, the first request counts.
 * @returns when, RFC 3339
 */
export const requestErasure = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  ms: number,
): Promise<string> => {
  const dueAt = addMs(context.at, ms);
  const { state } = await deps.aggregates.handle(account, accountId, { type: 'RequestErasure', dueAt }, context);
  if (state.status === 'none' || !state.erasure) throw notFound('account');
  await raiseTokenVersion(deps.pool, accountId, state.tokenVersion, 'end');
  const { dueAt: agreed } = state.erasure;
  await expectCertificate(deps.pool, certificateOf(deps.vault, accountId), { at: context.at, dueAt: agreed });
  return agreed;
};

const deleted = () =>
  new Rejected('wrong_credentials', 'This account was deleted.', { fields: ['identifier', 'phone', 'state'] });

/** Whoever has just proved who they are keeps the account. @throws Rejected `wrong_credentials` once its erasure has begun */
export const keepAfterSignIn = async (
  { aggregates }: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  holder: Holder,
): Promise<Holder> => {
  if (!holder.account.erasure && !holder.account.isEnding) return holder;
  const { accountId } = holder;
  const actor = { kind: 'user', id: accountId, role: holder.account.role } as const;
  const own = { ...followUp(context, 'keep the account'), actor };
  const withdraw = () => aggregates.handle(account, accountId, { type: 'WithdrawErasure' }, own);
  const kept = await unlessRejected(withdraw, 'not_found');
  if (!kept || kept.state.status === 'none') throw deleted();
  return { accountId, account: kept.state };
};
