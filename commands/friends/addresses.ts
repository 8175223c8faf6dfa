/**
 * Invitations by e-mail address or phone number. The invitation is recorded under the fingerprint of the address, and
 * the policy delivers it when an account has the address, now or until it expires: so reply, lists and the time that
 * they take are the same whether or not there is one.
 */
import { account, type OpenAccount } from '../../domain/accounts/account.ts';
import type { IdentifierKind } from '../../domain/accounts/identity.ts';
import { addMs, DAY_MS, isAfter } from '../../domain/core/instants.ts';
import { friendship } from '../../domain/friends/friendship.ts';
import { hintOf, invitedAddress } from '../../domain/friends/invitedAddress.ts';
import { derivedId } from '../../infra/ids.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import { holderOf } from '../accounts/identities.ts';
import { identifier, identityId } from '../accounts/identityIds.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { type CountingDeps, countBeginning, invite, pairId } from './friends.ts';

/** How long an invitation waits for an account. */
const WAITS_MS = 90 * DAY_MS;

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool'>;

/** @throws Rejected `invalid` for what is no address, `too_many_attempts` */
export const inviteAddress = async (
  deps: CountingDeps,
  context: CommandContext,
  by: string,
  kind: IdentifierKind,
  text: string,
): Promise<void> => {
  const address = identifier(kind, text);
  await countBeginning(deps, context, by);
  const id = identityId(deps.vault, kind, address);
  const command = {
    type: 'InviteAddress',
    invitationId: derivedId('addressInvitation', by, id),
    by,
    hint: hintOf(kind, address),
    until: addMs(context.at, WAITS_MS),
    at: context.at,
  } as const;
  await deps.aggregates.handle(invitedAddress, id, command, context);
};

/** Ends the invitation of `by` under a fingerprint; no effect if there is none. */
export const endAddressInvitation = async (
  { aggregates }: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  by: string,
  fingerprint: string,
): Promise<void> => {
  await aggregates.handle(invitedAddress, fingerprint, { type: 'EndAddressInvitation', by }, context);
};

/** The fingerprints of the addresses that were proved to be the person's. */
const provedBy = ({ vault }: Pick<Deps, 'vault'>, { phone, email, emailVouched }: OpenAccount): string[] =>
  [identityId(vault, 'phone', phone), emailVouched ? identityId(vault, 'email', email) : null].filter(
    (id) => id !== null,
  );

const openAccountOf = async ({ aggregates }: Pick<Deps, 'aggregates'>, id: string): Promise<OpenAccount | null> => {
  const { state } = await aggregates.load(account, id);
  return state.status === 'open' ? state : null;
};

const relationOf = async ({ aggregates }: Pick<Deps, 'aggregates'>, by: string, other: string) =>
  (await aggregates.load(friendship, pairId(by, other))).state.relations[by] ?? null;

/** Invites the other for `by`, unless one of them is gone, or `by` has blocked the other meanwhile. */
const deliverTo = async (deps: Deps, context: CommandContext, by: string, other: string): Promise<void> => {
  if (by === other || !(await openAccountOf(deps, by)) || (await relationOf(deps, by, other)) === 'blocked') return;
  await invite(deps, context, { by, other }, 'address');
};

/** Delivers an invitation if an account has the address. */
export const deliver = async (deps: Deps, context: CommandContext, by: string, fingerprint: string): Promise<void> => {
  const holder = await holderOf(deps, fingerprint);
  if (holder && provedBy(deps, holder.account).includes(fingerprint))
    await deliverTo(deps, context, by, holder.accountId);
};

/** Delivers what waits for the addresses of an account. */
export const deliverWaiting = async (deps: Deps, context: CommandContext, accountId: string): Promise<void> => {
  const holder = await openAccountOf(deps, accountId);
  for (const fingerprint of holder ? provedBy(deps, holder) : []) {
    const { state } = await deps.aggregates.load(invitedAddress, fingerprint);
    for (const { by, until } of state)
      if (isAfter(until, context.at)) await deliverTo(deps, followUp(context, `deliver ${by}`), by, accountId);
  }
};

/** Takes back what a withdrawn invitation delivered. */
export const takeBack = async (deps: Deps, context: CommandContext, by: string, fingerprint: string): Promise<void> => {
  const holder = await holderOf(deps, fingerprint);
  if (!holder || (await relationOf(deps, by, holder.accountId)) !== 'outgoing') return;
  const pair = { by, other: holder.accountId };
  await deps.aggregates.handle(
    friendship,
    pairId(by, holder.accountId),
    { type: 'WithdrawInvitation', ...pair, named: 'address' },
    context,
  );
};

/** Ends the invitations of `by` to every address of a person who is a friend now. */
export const endInvitationsTo = async (
  deps: Deps,
  context: CommandContext,
  by: string,
  other: string,
): Promise<void> => {
  const friend = await openAccountOf(deps, other);
  for (const fingerprint of friend ? provedBy(deps, friend) : [])
    await endAddressInvitation(deps, followUp(context, `end ${by} ${fingerprint}`), by, fingerprint);
};
