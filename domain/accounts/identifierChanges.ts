/** Decisions on what somebody signs in with: addresses, links, the password. Claims of identifiers are in `identity.ts`. */
import { notFound, Outdated, Rejected } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import type { AccountEvent, ProviderLink } from './accountEvents.ts';
import type { Account, OpenAccount } from './accountState.ts';
import { hasWayIn, mayHarmOthers, type SignInMethodId, withoutMethod } from './signInWays.ts';

/** The account's `identifierRevision` that was read before anything was claimed. */
interface AsOf {
  readonly asOf: number;
}
/** `former`: the identity stream that is released, null for none; `formerClaim`: how often it was claimed. */
interface Former {
  readonly former: string | null;
  readonly formerClaim?: number;
}
/** A new e-mail or phone; null: none. */
interface Moved extends Former, AsOf {
  readonly value: string | null;
}

export type IdentifierCommand =
  /**
   * Claimed before. `byEmail`: the verified address by which the provider's word links it; null: the person does,
   * while signed in.
   */
  | (AsOf &
      Pick<ProviderLink, 'provider' | 'identityId'> & {
        readonly type: 'LinkProvider';
        readonly byEmail: string | null;
      })
  /** Fields that are absent do not change. A new e-mail or phone is normalised and claimed before. */
  | {
      readonly type: 'ChangeProfile';
      readonly firstName?: string;
      readonly lastName?: string;
      readonly language?: string;
      /** `isProved`: by a code that was sent to it. */
      readonly email?: Moved & { readonly isProved?: boolean };
      readonly phone?: Moved;
    }
  /** `email`: the address that was proved. */
  | { readonly type: 'VerifyEmail'; readonly email: string }
  | (Former & AsOf & { readonly type: 'RemoveSignInMethod'; readonly id: SignInMethodId })
  /** It was proved that the address is another account's. `former`: its identity stream. */
  | { readonly type: 'YieldEmail'; readonly email: string; readonly former: string; readonly by: ProvedBy }
  /** The account does not show this identity, as of then. Also of an account that was never opened. */
  | (AsOf & { readonly type: 'VoidClaim'; readonly identityId: string });

/** Who proves an address: its person, with a code that was sent there, or an identity provider, which vouches for it. */
export type ProvedBy = 'person' | 'provider';

/** Whether an account loses its address to one that has proved it. A provider's word takes none from those who may harm others. */
export const yieldsEmail = (account: OpenAccount, by: ProvedBy): boolean =>
  account.email !== null && !account.emailVouched && !(by === 'provider' && mayHarmOthers(account));

export const requireUnchanged = (asOf: number, { identifierRevision }: Account): void => {
  if (asOf !== identifierRevision) throw new Outdated();
};

export const identityTaken = (): Rejected =>
  new Rejected('identity_taken', 'This e-mail address, phone number or identity belongs to another account.');

export const voidClaim = (
  { identityId, asOf }: Extract<IdentifierCommand, { type: 'VoidClaim' }>,
  state: Account,
): AccountEvent[] => {
  requireUnchanged(asOf, state);
  return [{ type: 'ClaimVoided', data: { identityId } }];
};

export const beingErased = (): Rejected => new Rejected('not_found', 'This account is being deleted.');

export const changeIdentifiers = (
  command: Exclude<IdentifierCommand, { type: 'VoidClaim' }>,
  state: OpenAccount,
): AccountEvent[] => {
  // What is added now would not be given back.
  if (state.isEnding && command.type !== 'YieldEmail') throw beingErased();
  switch (command.type) {
    case 'LinkProvider':
      return linkTo(command, state);
    case 'ChangeProfile':
      return changeProfile(command, state);
    case 'VerifyEmail':
      if (command.email !== state.email)
        throw new Rejected(
          'conflict',
          'The e-mail address of the account has changed. Request a code for the new one.',
        );
      return state.emailVouched ? [] : [{ type: 'EmailVerified', data: {} }];
    case 'RemoveSignInMethod':
      return removeMethod(command, state);
    case 'YieldEmail': {
      const { email, former, by } = command;
      if (state.email !== email) throw new Outdated();
      if (!yieldsEmail(state, by)) throw identityTaken();
      return [{ type: 'EmailChanged', data: { email: null, former, provedElsewhere: true } }];
    }
  }
};

const linkTo = (
  { provider, identityId, asOf, byEmail }: Extract<IdentifierCommand, { type: 'LinkProvider' }>,
  state: OpenAccount,
): AccountEvent[] => {
  const known = state.links.find((link) => link.identityId === identityId);
  if (known && (known.byHolder || byEmail !== null)) return [];
  if (byEmail !== null && mayHarmOthers(state)) throw signInToLink();
  if (byEmail !== null && !(state.email === byEmail && state.emailVouched)) throw new Outdated();
  requireUnchanged(asOf, state);
  return [
    { type: 'ProviderLinked', data: { provider, identityId, ...(byEmail === null && { byHolder: true as const }) } },
  ];
};

/** What somebody is told whose provider's word alone would open an account that may harm others. */
export const signInToLink = (): Rejected =>
  new Rejected(
    'sign_in_to_link',
    'This identity provider does not open this account yet. Sign in with the password or a code by SMS, then add the provider to the ways to sign in.',
  );

const changeProfile = (
  { type, email, phone, ...changes }: Extract<IdentifierCommand, { type: 'ChangeProfile' }>,
  state: OpenAccount,
): AccountEvent[] => {
  const after = { ...state, ...(email && { email: email.value }), ...(phone && { phone: phone.value }) };
  if (!hasWayIn(after)) throw new Rejected('invalid', NO_WAY_IN, { fields: ['email', 'phone'] });
  const data = differences(state, changes);
  const events: AccountEvent[] = Object.keys(data).length > 0 ? [{ type: 'ProfileChanged', data }] : [];
  if (email && email.value !== state.email) {
    const { value, isProved = false, asOf, ...former } = email;
    requireUnchanged(asOf, state);
    events.push({ type: 'EmailChanged', data: { email: value, ...former } });
    if (isProved) events.push({ type: 'EmailVerified', data: {} });
  }
  if (phone && phone.value !== state.phone) {
    const { value, asOf, ...former } = phone;
    requireUnchanged(asOf, state);
    events.push({ type: 'PhoneChanged', data: { phone: value, ...former } });
  }
  return events;
};

const removeMethod = (
  { type: _, id, asOf, ...former }: Extract<IdentifierCommand, { type: 'RemoveSignInMethod' }>,
  state: OpenAccount,
): AccountEvent[] => {
  const after = withoutMethod(state, id);
  if (after === null) throw notFound('way to sign in');
  requireUnchanged(asOf, state);
  if (!hasWayIn(after))
    throw new Rejected('last_way_in', 'Nothing else signs in to this account. Add another way to sign in first.');
  switch (id) {
    case 'password':
      return [{ type: 'PasswordRemoved', data: {} }];
    case 'email':
      return [{ type: 'EmailChanged', data: { email: null, ...former } }];
    case 'phone':
      return [{ type: 'PhoneChanged', data: { phone: null, ...former } }];
    default:
      return unlinked(state.links.filter(({ identityId }) => identityId === id));
  }
};

export const unlinked = (links: readonly ProviderLink[]): AccountEvent[] =>
  links.map(({ provider, identityId }) => ({ type: 'ProviderUnlinked', data: { provider, identityId } }));

export const NO_WAY_IN = 'An account needs a phone number, or an e-mail address and a password, to sign in.';
