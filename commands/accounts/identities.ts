/**
 * Accounts by e-mail, phone and identity provider. The claim comes first, then the account's event; a crash between the two leaves a claim
 * that its account does not use:
 * - the account was never opened → the next one to open with this identifier takes over the id, and the claim with it;
 * - the account is open → it can claim again by repeating its change.
 */
import { account, type OpenAccount } from '../../domain/accounts/account.ts';
import { type IdentifierKind, identity, normalised } from '../../domain/accounts/identity.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import type { Vault } from '../../eventstore/vault.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { AccountDeps } from './deps.ts';
import { lastKnownBy } from './lastKnown.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool'>;

export interface Holder {
  readonly accountId: string;
  readonly account: OpenAccount;
}

/** The identity stream of a normalised identifier; null for null. */
export const identityId = <T extends string | null>(vault: Vault, kind: IdentifierKind, value: T): T =>
  (value === null ? null : vault.fingerprint(kind, value)) as T;

/** Normalises it, or refuses it with a message for the user. */
export const identifier = (kind: IdentifierKind, text: string): string => {
  const value = normalised(kind, text);
  if (value !== null) return value;
  throw new Rejected(
    'invalid',
    kind === 'email' ? 'This is not an e-mail address.' : 'Write the phone number with its country code: +79990000000.',
  );
};

/** The account that signs in with this identifier; null when there is none. */
export const findHolder = (deps: Deps, kind: IdentifierKind, value: string): Promise<Holder | null> =>
  holderOf(deps, identityId(deps.vault, kind, value));

/** The account that this identity stream leads to; null when there is none. While the log is unavailable, as last known. */
export const holderOf = async (deps: Deps, id: string): Promise<Holder | null> => {
  try {
    const { state } = await deps.aggregates.load(identity, id);
    return state.accountId === null ? null : await holder(deps, state.accountId);
  } catch (error) {
    if (error instanceof StoreUnavailable) return lastKnownBy(deps, id);
    throw error;
  }
};

/** null: never opened. */
const holder = async (deps: Deps, accountId: string): Promise<Holder | null> => {
  const { state } = await deps.aggregates.load(account, accountId);
  return state.status === 'open' ? { accountId, account: state } : null;
};

/**
 * The id under which an account with these identities can be opened: `fresh`, or that of a claim whose account never was.
 * @throws Rejected `identity_taken`
 */
export const vacantId = async (deps: Deps, identityIds: readonly string[], fresh: string): Promise<string> => {
  const claims = await Promise.all(identityIds.map((id) => deps.aggregates.load(identity, id)));
  const holders = [...new Set(claims.flatMap(({ state }) => state.accountId ?? []))];
  const others = await Promise.all(holders.filter((id) => id !== fresh).map((id) => holder(deps, id)));
  if (holders.length > 1 || others.some((open) => open !== null))
    throw new Rejected('identity_taken', 'This e-mail address, phone number or identity belongs to another account.');
  return holders[0] ?? fresh;
};

/** @throws Rejected `identity_taken` */
export const claim = async (deps: Deps, context: CommandContext, identityId: string, accountId: string) => {
  await deps.aggregates.handle(identity, identityId, { type: 'ClaimIdentity', accountId }, followUp(context, 'claim'));
};

/** Releases an identity unless it belongs to its account (again). Safe to repeat. */
export const releaseUnused = async (deps: Deps, context: CommandContext, unused: string, accountId: string) => {
  const holding = await holder(deps, accountId);
  const used =
    holding && (['email', 'phone'] as const).map((kind) => identityId(deps.vault, kind, holding.account[kind]));
  if (used?.includes(unused)) return;
  await deps.aggregates.handle(identity, unused, { type: 'ReleaseIdentity', accountId }, followUp(context, 'release'));
};
