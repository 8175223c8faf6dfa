/** Accounts by e-mail, phone and identity provider: the one way from an identifier to an account. */
import { account, type OpenAccount } from '../../domain/accounts/account.ts';
import { asCompared, formerPhone, type IdentifierKind, identity } from '../../domain/accounts/identity.ts';
import { Contended } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import type { AccountDeps } from './deps.ts';
import { identityId, shows } from './identityIds.ts';
import { lastKnownBy } from './lastKnown.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool'>;

export interface Holder {
  readonly accountId: string;
  readonly account: OpenAccount;
}

/** The account that signs in with this identifier, as typed or as stored; null when there is none. */
export const findHolder = async (deps: Deps, kind: IdentifierKind, text: string): Promise<Holder | null> => {
  const value = asCompared(kind, text);
  const found = await holderOf(deps, identityId(deps.vault, kind, value));
  const former = kind === 'phone' ? formerPhone(text) : value;
  return found || former === value ? found : holderOf(deps, identityId(deps.vault, kind, former));
};

/**
 * The account that has claimed this identity and shows it now; null when there is none. While the log is unavailable, as
 * last known.
 */
export const holderOf = async (deps: Deps, id: string): Promise<Holder | null> => {
  try {
    return await currentHolder(deps, id);
  } catch (error) {
    if (error instanceof StoreUnavailable) return lastKnownBy(deps, id);
    throw error;
  }
};

/** So often an identity can change its holder while it is looked up. */
const MOST_MOVES = 10;

/** An account that does not show the identity may have lost it to another one meanwhile: then that is looked at. */
const currentHolder = async ({ aggregates, vault }: Deps, id: string): Promise<Holder | null> => {
  let { state: claim } = await aggregates.load(identity, id);
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    if (claim.accountId === null) return null;
    const { accountId } = claim;
    const { state } = await aggregates.load(account, accountId);
    if (state.status === 'open' && shows(vault, state, id)) return { accountId, account: state };
    const { state: now } = await aggregates.load(identity, id);
    if (now.accountId === accountId && now.claims === claim.claims) return null;
    claim = now;
  }
  throw new Contended();
};
