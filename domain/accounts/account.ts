/** A person who signs in: their identifiers, their role, and which of their tokens are valid. */
import { type Decider, notFound, Rejected } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { type AccountEvent, accountEvents, type Opened, type ProviderLink } from './accountEvents.ts';
import type { Role } from './role.ts';

export type AccountCommand =
  /** E-mail, phone and the identity at a provider must be normalised and claimed before. */
  | ({ readonly type: 'OpenAccount'; readonly link?: ProviderLink } & Opened)
  /** Claimed before. */
  | ({ readonly type: 'LinkProvider' } & ProviderLink)
  /** Fields that are absent do not change. A new e-mail or phone is normalised and claimed before. */
  | {
      readonly type: 'ChangeProfile';
      readonly firstName?: string;
      readonly lastName?: string;
      readonly language?: string;
      readonly email?: { readonly value: string | null; readonly former: string | null };
      readonly phone?: { readonly value: string | null; readonly former: string | null };
    }
  /** `email`: the address that was proved. */
  | { readonly type: 'VerifyEmail'; readonly email: string }
  | { readonly type: 'ChangePassword'; readonly passwordHash: string }
  /** With `requestId` the role is granted only once: a late repetition must not undo a later grant. */
  | { readonly type: 'GrantRole'; readonly role: Role; readonly requestId?: string }
  /** Ends the sessions that began with this token version or an older one. */
  | { readonly type: 'RevokeTokens'; readonly upTo: number }
  | { readonly type: 'RequestErasure'; readonly dueAt: string }
  | { readonly type: 'WithdrawErasure' }
  /** Refused unless the erasure that was requested for then is still wanted. */
  | { readonly type: 'BeginErasure'; readonly dueAt: string }
  /** Closes the account for good. Its personal data was destroyed before. */
  | { readonly type: 'ErasePerson' };

export interface OpenAccount extends Readonly<Opened> {
  readonly status: 'open';
  readonly tokenVersion: number;
  /** Sessions that began with an older token version have ended. */
  readonly sessionsSince: number;
  /**
   * Whether the e-mail address is the person's: an admin or an identity provider that verified it opened the account, or
   * the person proved it since. An address that was entered later is not verified.
   */
  readonly emailVouched: boolean;
  readonly links: readonly ProviderLink[];
  /** How often the role was granted anew. */
  readonly roleChanges: number;
  /** Ids of the role requests whose role was granted. */
  readonly grantedRequests: readonly string[];
  /** An erasure that was requested and not withdrawn. */
  readonly erasure?: { readonly dueAt: string; readonly role: Role; readonly hasBegun: boolean };
}
export type Account = { readonly status: 'none'; readonly isErased?: true } | OpenAccount;
/** Whether there was such an account, whose person is erased. */
export const isErased = (account: Account): boolean => account.status === 'none' && account.isErased === true;

const refuseIfLockedOut = (
  { email, phone, passwordHash }: Pick<Opened, 'email' | 'phone' | 'passwordHash'>,
  isLinked: boolean,
): void => {
  if (!isLinked && phone === null && (email === null || passwordHash === null))
    throw new Rejected('invalid', 'An account needs a phone number, or an e-mail address and a password, to sign in.');
};

const decide = (command: AccountCommand, state: Account): AccountEvent[] => {
  if (state.status === 'none' && state.isErased) return afterErasure(command);
  if (command.type === 'OpenAccount') return open(command, state);
  if (state.status === 'none') throw notFound('account');
  switch (command.type) {
    case 'ChangeProfile':
      return changeProfile(command, state);
    case 'VerifyEmail':
      if (command.email !== state.email)
        throw new Rejected(
          'conflict',
          'The e-mail address of the account has changed. Request a code for the new one.',
        );
      return state.emailVouched ? [] : [{ type: 'EmailVerified', data: {} }];
    case 'ChangePassword':
      return [
        {
          type: 'PasswordChanged',
          data: { passwordHash: command.passwordHash, ...(state.passwordHash === null && { isFirst: true as const }) },
        },
        { type: 'TokensRevoked', data: { tokenVersion: state.tokenVersion + 1 } },
      ];
    case 'LinkProvider':
      return link(command, state.links);
    case 'GrantRole':
      return grantRole(command, state);
    case 'RevokeTokens':
      return state.sessionsSince > command.upTo
        ? []
        : [{ type: 'TokensRevoked', data: { tokenVersion: state.tokenVersion + 1 } }];
    case 'RequestErasure':
    case 'WithdrawErasure':
    case 'BeginErasure':
      return pendingErasure(command, state);
    case 'ErasePerson':
      return [
        // What a seller sells closes with the role.
        ...toRole('tourist', state),
        { type: 'TokensRevoked', data: { tokenVersion: state.tokenVersion + 1 } },
        { type: 'PersonErased', data: {} },
      ];
  }
};

const toRole = (role: Role, state: OpenAccount): AccountEvent[] =>
  grantRole({ type: 'GrantRole', role }, state).filter(({ type }) => type === 'RoleGranted');

const pendingErasure = (
  command: Extract<AccountCommand, { type: 'RequestErasure' | 'WithdrawErasure' | 'BeginErasure' }>,
  state: OpenAccount,
): AccountEvent[] => {
  const { erasure, role, tokenVersion } = state;
  switch (command.type) {
    case 'RequestErasure':
      if (erasure) return [];
      return [
        { type: 'ErasureRequested', data: { dueAt: command.dueAt, role } },
        ...toRole('tourist', state),
        { type: 'TokensRevoked', data: { tokenVersion: tokenVersion + 1 } },
      ];
    case 'WithdrawErasure':
      if (!erasure) return [];
      if (erasure.hasBegun) throw new Rejected('not_found', 'This account is being deleted.');
      return [{ type: 'ErasureWithdrawn', data: {} }, ...toRole(erasure.role, state)];
    case 'BeginErasure':
      if (erasure?.dueAt !== command.dueAt)
        throw new Rejected('invalid_transition', 'The person has signed in again, and the account stays.');
      return erasure.hasBegun ? [] : [{ type: 'ErasureBegun', data: {} }];
  }
};

const afterErasure = ({ type }: AccountCommand): AccountEvent[] => {
  if (type === 'ErasePerson') return [];
  throw notFound('account');
};

const open = (
  { type, link: provided, ...data }: Extract<AccountCommand, { type: 'OpenAccount' }>,
  state: Account,
): AccountEvent[] => {
  refuseIfLockedOut(data, provided !== undefined);
  if (state.status === 'none') return [{ type: 'AccountOpened', data }, ...(provided ? link(provided, []) : [])];
  if (state.email === data.email && state.phone === data.phone && state.role === data.role) return [];
  throw new Rejected('conflict', 'This account already exists.');
};

const link = ({ provider, identityId }: ProviderLink, links: readonly ProviderLink[]): AccountEvent[] =>
  links.some((known) => known.identityId === identityId)
    ? []
    : [{ type: 'ProviderLinked', data: { provider, identityId } }];

const grantRole = (
  { role, requestId }: Extract<AccountCommand, { type: 'GrantRole' }>,
  state: OpenAccount,
): AccountEvent[] => {
  if (requestId === undefined && role === state.role) return [];
  if (requestId !== undefined && state.grantedRequests.includes(requestId)) return [];
  const granted: AccountEvent = { type: 'RoleGranted', data: { role, ...(requestId !== undefined && { requestId }) } };
  return role === state.role ? [granted] : [granted, newTokens(state)];
};

/** A token names its role, so that a token of the former role must not outlive it. */
const newTokens = ({ tokenVersion }: OpenAccount): AccountEvent => ({
  type: 'TokensRevoked',
  data: { tokenVersion: tokenVersion + 1, sessionsStay: true },
});

const changeProfile = (
  { type, email, phone, ...changes }: Extract<AccountCommand, { type: 'ChangeProfile' }>,
  state: OpenAccount,
): AccountEvent[] => {
  const after = { ...state, ...(email && { email: email.value }), ...(phone && { phone: phone.value }) };
  refuseIfLockedOut(after, state.links.length > 0);
  const data = differences(state, changes);
  const events: AccountEvent[] = Object.keys(data).length > 0 ? [{ type: 'ProfileChanged', data }] : [];
  if (email && email.value !== state.email)
    events.push({ type: 'EmailChanged', data: { email: email.value, former: email.former } });
  if (phone && phone.value !== state.phone)
    events.push({ type: 'PhoneChanged', data: { phone: phone.value, former: phone.former } });
  return events;
};

const evolve = (state: Account, event: AccountEvent): Account => {
  if (event.type === 'AccountOpened')
    return {
      ...event.data,
      status: 'open',
      tokenVersion: 0,
      sessionsSince: 0,
      emailVouched: event.data.email !== null,
      links: [],
      roleChanges: 0,
      grantedRequests: [],
    };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'ProfileChanged':
      return { ...state, ...event.data };
    case 'EmailChanged':
      return { ...state, email: event.data.email, emailVouched: false };
    case 'EmailVerified':
      return { ...state, emailVouched: true };
    case 'PhoneChanged':
      return { ...state, phone: event.data.phone };
    case 'PasswordChanged':
      return { ...state, passwordHash: event.data.passwordHash };
    case 'ProviderLinked':
      return { ...state, links: [...state.links, event.data] };
    case 'RoleGranted':
      return {
        ...state,
        role: event.data.role,
        roleChanges: state.roleChanges + 1,
        grantedRequests: [...state.grantedRequests, ...(event.data.requestId ? [event.data.requestId] : [])],
      };
    case 'TokensRevoked':
      return {
        ...state,
        tokenVersion: event.data.tokenVersion,
        sessionsSince: event.data.sessionsStay ? state.sessionsSince : event.data.tokenVersion,
      };
    case 'ErasureRequested':
      return { ...state, erasure: { ...event.data, hasBegun: false } };
    case 'ErasureWithdrawn': {
      const { erasure: _, ...rest } = state;
      return rest;
    }
    case 'ErasureBegun':
      return state.erasure ? { ...state, erasure: { ...state.erasure, hasBegun: true } } : state;
    case 'PersonErased':
      return { status: 'none', isErased: true };
  }
};

export const account: Decider<Account, AccountCommand, AccountEvent> = {
  category: 'account',
  events: accountEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
