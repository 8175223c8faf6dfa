/**
 * Claims of identifiers. The order of writes: the identity stream (claimed), then the account's (shown), then the former
 * identity stream (released). The account's stream decides: what adds an identifier names the account's
 * `identifierRevision` that was read before the claim.
 *
 * A crash, a race or an erasure can leave a claim that its account does not show. It leads nowhere, and the next account
 * takes it over, in this order: the claim is read, then declared void in the stream of the account that has it (refused
 * where that shows the identifier), then claimed at the number of claims that was read. So whatever the former account
 * still adds on that claim is outdated, and what it has claimed anew since makes the taker begin again.
 */
import { account } from '../../domain/accounts/account.ts';
import { identityTaken, type ProvedBy, yieldsEmail } from '../../domain/accounts/identifierChanges.ts';
import { identity } from '../../domain/accounts/identity.ts';
import { onFreshFacts } from '../core/freshFacts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { AccountDeps } from './deps.ts';
import { shows } from './identityIds.ts';
import { keepState, withholdFromOthers } from './lastKnown.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool'>;

/** An identifier that an account is to show. */
export interface Wanted {
  /** Its identity stream. */
  readonly id: string;
  /** An e-mail address that was proved: it is taken from an account that shows it without having proved it. */
  readonly proved?: { readonly email: string; readonly by: ProvedBy } | undefined;
}

/** Another account is changed by a rule, not by the person whose command comes to it. */
const byRule = (context: CommandContext, step: string): CommandContext => ({
  ...followUp(context, step),
  actor: { kind: 'system', id: 'identity claims', role: 'system' },
  ip: null,
});

/** The account that has claimed an identity, if it is another one; whether it shows it, and whether it can lose it. */
const otherHolder = async ({ aggregates, vault }: Deps, accountId: string, { id, proved }: Wanted) => {
  const { state: claim } = await aggregates.load(identity, id);
  if (claim.accountId === null || claim.accountId === accountId) return { claim, other: null };
  const loaded = await aggregates.load(account, claim.accountId);
  const { state } = loaded;
  const isShown = state.status === 'open' && shows(vault, state, id);
  const yields = isShown && proved !== undefined && state.email === proved.email && yieldsEmail(state, proved.by);
  return { claim, other: { id: claim.accountId, loaded, isShown, yields } };
};

/**
 * Refuses what another account shows, before anything is written.
 * @throws Rejected `identity_taken`
 */
export const refuseTaken = async (deps: Deps, accountId: string, wanted: readonly Wanted[]): Promise<void> => {
  for (const each of wanted) {
    const { other } = await otherHolder(deps, accountId, each);
    if (other?.isShown && !other.yields) throw identityTaken();
  }
};

/**
 * Claims an identifier for an account, also one that another account has claimed and does not show.
 * @throws Rejected `identity_taken`
 * @throws Outdated when others act on the same claim: begin again with the account
 */
export const take = async (deps: Deps, context: CommandContext, accountId: string, wanted: Wanted): Promise<void> => {
  const { id, proved } = wanted;
  const { claim, other } = await otherHolder(deps, accountId, wanted);
  if (other) {
    if (other.isShown && !other.yields) throw identityTaken();
    await keepState(deps, other.id, other.loaded, [id]);
    const asOf = other.loaded.state.identifierRevision;
    const command =
      other.isShown && proved
        ? ({ type: 'YieldEmail', ...proved, former: id } as const)
        : ({ type: 'VoidClaim', identityId: id, asOf } as const);
    await deps.aggregates.handle(account, other.id, command, byRule(context, `void ${id}`));
  }
  await withholdFromOthers(deps, accountId, id);
  const command = { type: 'ClaimIdentity', accountId, asOf: claim.claims } as const;
  await deps.aggregates.handle(identity, id, command, followUp(context, 'claim'));
};

/** How often an identity was claimed; undefined for null. */
export const claimsOf = async ({ aggregates }: Pick<Deps, 'aggregates'>, id: string | null) =>
  id === null ? undefined : (await aggregates.load(identity, id)).state.claims;

/** The claim of an account. */
export interface Claim {
  readonly id: string;
  readonly accountId: string;
}

/**
 * Releases a claim whose account has ceased to show the identifier; `claims` was read before that. It has no effect when
 * it was claimed since.
 */
export const release = async (
  { aggregates }: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  { id, accountId }: Claim,
  claims: number,
): Promise<boolean> => {
  const command = { type: 'ReleaseIdentity', accountId, asOf: claims } as const;
  const { events } = await aggregates.handle(identity, id, command, followUp(context, `release ${id}`));
  return events.length > 0;
};

/**
 * Releases the claim of an account unless it shows the identifier. Safe to repeat, however late.
 * @returns whether there was such a claim
 */
export const releaseUnshown = (
  deps: Pick<Deps, 'aggregates' | 'vault'>,
  context: CommandContext,
  { id, accountId }: Claim,
): Promise<boolean> =>
  onFreshFacts(async () => {
    const { state: claim } = await deps.aggregates.load(identity, id);
    if (claim.accountId !== accountId) return false;
    const { state } = await deps.aggregates.load(account, accountId);
    if (state.status === 'open' && shows(deps.vault, state, id)) return false;
    const command = { type: 'VoidClaim', identityId: id, asOf: state.identifierRevision } as const;
    await deps.aggregates.handle(account, accountId, command, byRule(context, `void ${id}`));
    return release(deps, context, { id, accountId }, claim.claims);
  });
