/** The ways to sign in to an account, for its person: listed with the time of each, and removed. */
import { type Account, account, type OpenAccount } from '../../domain/accounts/account.ts';
import type { AccountEvent } from '../../domain/accounts/accountEvents.ts';
import { hasWayIn, opensByLink, withoutMethod } from '../../domain/accounts/signInWays.ts';
import { existing, type Recorded, requireExisting } from '../../domain/core/decider.ts';
import { onFreshFacts } from '../core/freshFacts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { claimsOf, release } from './claims.ts';
import type { AccountDeps } from './deps.ts';
import { identityId } from './identityIds.ts';
import { keepState } from './lastKnown.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool'>;

export const methodKinds = ['password', 'phone', 'email', 'provider'] as const;

export interface SignInMethod {
  /** `password`, `phone` or `email`; of an identity at a provider, its identity stream. */
  readonly id: string;
  readonly kind: (typeof methodKinds)[number];
  readonly provider: string | null;
  /** The number or address; null for the others. */
  readonly value: string | null;
  /** An address that was proved, or an identity that opens the account. */
  readonly isVerified: boolean;
  /** Since when, RFC 3339. */
  readonly addedAt: string;
  /** Not the last way in. */
  readonly isRemovable: boolean;
}

const methodsOf = (state: OpenAccount): Omit<SignInMethod, 'addedAt' | 'isRemovable'>[] => [
  ...(state.passwordHash === null ? [] : [methodOf('password', null, true)]),
  ...(state.phone === null ? [] : [methodOf('phone', state.phone, true)]),
  ...(state.email === null ? [] : [methodOf('email', state.email, state.emailVouched)]),
  ...state.links.map((link) => ({
    id: link.identityId,
    kind: 'provider' as const,
    provider: link.provider,
    value: null,
    isVerified: opensByLink(state, link),
  })),
];

const methodOf = (kind: 'password' | 'phone' | 'email', value: string | null, isVerified: boolean) => ({
  id: kind,
  kind,
  provider: null,
  value,
  isVerified,
});

/** What tells whether a method is the one of before, or another one. */
const versionOf = (state: OpenAccount, { id, value }: Pick<SignInMethod, 'id' | 'value'>): string =>
  `${id} ${id === 'password' ? state.passwordHash : value}`;

/** When each of the present methods was added. */
const addedAts = (events: readonly Recorded<AccountEvent>[]): ReadonlyMap<string, string> => {
  let state: Account = account.initial;
  let added = new Map<string, string>();
  for (const event of events) {
    state = account.evolve(state, event);
    if (state.status === 'none') continue;
    const now = state;
    const versions = methodsOf(now).map((method) => versionOf(now, method));
    added = new Map(versions.map((version) => [version, added.get(version) ?? event.at]));
  }
  return added;
};

/** Oldest first. @throws Rejected `not_found` */
export const listSignInMethods = async (
  deps: Pick<AccountDeps, 'store' | 'codec'>,
  accountId: string,
): Promise<SignInMethod[]> => {
  const events = await deps.codec.decode<Recorded<AccountEvent>>(await deps.store.read(`account-${accountId}`));
  const state = events.reduce<Account>(account.evolve, account.initial);
  requireExisting(state, 'account');
  const added = addedAts(events);
  const methods = methodsOf(state).map((method) => {
    const without = withoutMethod(state, method.id);
    const addedAt = added.get(versionOf(state, method)) ?? '';
    return { ...method, addedAt, isRemovable: without !== null && hasWayIn(without) };
  });
  return methods.toSorted((a, b) => a.addedAt.localeCompare(b.addedAt));
};

/**
 * Removes a way to sign in. Sessions stay.
 * @throws Rejected `not_found`, `last_way_in`
 */
export const removeSignInMethod = (deps: Deps, context: CommandContext, accountId: string, id: string): Promise<void> =>
  onFreshFacts(async () => {
    const loaded = await deps.aggregates.load(account, accountId);
    const before = existing(loaded.state, 'account');
    const isAddress = id === 'email' || id === 'phone';
    const former = isAddress ? identityId(deps.vault, id, before[id]) : id === 'password' ? null : id;
    const formerClaim = former === null ? undefined : await claimsOf(deps, former);
    const asOf = before.identifierRevision;
    const command = {
      type: 'RemoveSignInMethod',
      id,
      former,
      ...(formerClaim && { formerClaim }),
      asOf,
    } as const;
    account.decide(command, before);
    if (former) await keepState(deps, accountId, loaded, [former]);
    const outcome = await deps.aggregates.handle(account, accountId, command, followUp(context, 'remove'));
    if (former && formerClaim) await release(deps, context, { id: former, accountId }, formerClaim);
    await keepState(deps, accountId, outcome);
  });
