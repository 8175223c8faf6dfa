/** A person who signs in: their identifiers, their role, and which of their tokens are valid. */
import { type Decider, notFound, Rejected, requireExisting } from '../core/decider.ts';
import { type AccountEvent, accountEvents, type Opened, type ProviderLink } from './accountEvents.ts';
import { type Account, evolve, initial, type OpenAccount } from './accountState.ts';
import {
  beingErased,
  changeIdentifiers,
  type IdentifierCommand,
  NO_WAY_IN,
  requireUnchanged,
  unlinked,
  voidClaim,
} from './identifierChanges.ts';
import type { Role } from './role.ts';
import { hasWayIn } from './signInWays.ts';

export type AccountCommand =
  | IdentifierCommand
  /** E-mail, phone and the identity at a provider must be normalised and claimed before, `asOf` this identifier revision. */
  | ({ readonly type: 'OpenAccount'; readonly link?: ProviderLink; readonly asOf: number } & Opened)
  | { readonly type: 'ChangePassword'; readonly passwordHash: string; readonly unlinksProviders?: boolean }
  /** With `requestId` the role is granted only once: a late repetition must not undo a later grant. */
  | { readonly type: 'GrantRole'; readonly role: Role; readonly requestId?: string }
  /** Ends the sessions that began with this token version or an older one. */
  | { readonly type: 'RevokeTokens'; readonly upTo: number }
  | { readonly type: 'EndSession'; readonly sessionId: string }
  | { readonly type: 'RequestErasure'; readonly dueAt: string }
  | { readonly type: 'WithdrawErasure' }
  /** Refused unless the erasure that was requested for then is still wanted. Without `dueAt`, nobody has to want it. */
  | { readonly type: 'BeginErasure'; readonly dueAt?: string }
  /** Closes the account for good. Its personal data was destroyed before. */
  | { readonly type: 'ErasePerson' };

export { type Account, isErased, type OpenAccount } from './accountState.ts';

const decide = (command: AccountCommand, state: Account): AccountEvent[] => {
  if (state.status === 'none' && state.isErased) return afterErasure(command);
  if (command.type === 'OpenAccount') return open(command, state);
  if (command.type === 'VoidClaim') return voidClaim(command, state);
  requireExisting(state, 'account');
  switch (command.type) {
    case 'LinkProvider':
    case 'ChangeProfile':
    case 'VerifyEmail':
    case 'RemoveSignInMethod':
    case 'YieldEmail':
      return changeIdentifiers(command, state);
    case 'ChangePassword':
      return [
        ...(command.unlinksProviders ? unlinked(state.links) : []),
        {
          type: 'PasswordChanged',
          data: { passwordHash: command.passwordHash, ...(state.passwordHash === null && { isFirst: true as const }) },
        },
        { type: 'TokensRevoked', data: { tokenVersion: state.tokenVersion + 1 } },
      ];
    case 'GrantRole':
      return grantRole(command, state);
    case 'RevokeTokens':
      return state.sessionsSince > command.upTo
        ? []
        : [{ type: 'TokensRevoked', data: { tokenVersion: state.tokenVersion + 1 } }];
    case 'EndSession':
      return state.endedSessions.includes(command.sessionId)
        ? []
        : [{ type: 'SessionEnded', data: { sessionId: command.sessionId } }];
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
  const { erasure, isEnding, role, tokenVersion } = state;
  switch (command.type) {
    case 'RequestErasure':
      if (erasure) return [];
      return [
        { type: 'ErasureRequested', data: { dueAt: command.dueAt, role } },
        ...toRole('tourist', state),
        { type: 'TokensRevoked', data: { tokenVersion: tokenVersion + 1 } },
      ];
    case 'WithdrawErasure':
      if (isEnding) throw beingErased();
      if (!erasure) return [];
      return [{ type: 'ErasureWithdrawn', data: {} }, ...toRole(erasure.role, state)];
    case 'BeginErasure':
      if (command.dueAt !== undefined && erasure?.dueAt !== command.dueAt)
        throw new Rejected('invalid_transition', 'The person has signed in again, and the account stays.');
      return isEnding ? [] : [{ type: 'ErasureBegun', data: {} }];
  }
};

const afterErasure = (command: AccountCommand): AccountEvent[] => {
  // An erased person shows nothing, so that no claim has to be declared void.
  if (command.type === 'ErasePerson' || command.type === 'VoidClaim') return [];
  if (command.type === 'BeginErasure' && command.dueAt === undefined) return [];
  throw notFound('account');
};

const open = (
  { type, link, asOf, ...data }: Extract<AccountCommand, { type: 'OpenAccount' }>,
  state: Account,
): AccountEvent[] => {
  const byHolder = link && ({ ...link, byHolder: true } as const);
  if (!hasWayIn({ ...data, links: byHolder ? [byHolder] : [] }))
    throw new Rejected('invalid', NO_WAY_IN, { fields: ['phone', 'email', 'password'] });
  if (state.status === 'none') {
    requireUnchanged(asOf, state);
    return [
      { type: 'AccountOpened', data },
      ...(byHolder ? [{ type: 'ProviderLinked' as const, data: byHolder }] : []),
    ];
  }
  if (state.email === data.email && state.phone === data.phone && state.role === data.role) return [];
  throw new Rejected('conflict', 'This account already exists.');
};

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

export const account: Decider<Account, AccountCommand, AccountEvent> = {
  category: 'account',
  short: 'one person changes what is known of them some times a year',
  events: accountEvents,
  initial,
  decide,
  evolve,
};

/** How people are named to strangers: the first name and the initial of the last one, `Anna O.` */
export const shortName = ({
  firstName,
  lastName,
}: {
  readonly firstName: string;
  readonly lastName: string;
}): string => {
  const [initial] = lastName.trim();
  return [firstName.trim(), initial && `${initial}.`].filter(Boolean).join(' ');
};
