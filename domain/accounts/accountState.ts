/** What the events of an account lead to. */
import type { AccountEvent, Opened, ProviderLink } from './accountEvents.ts';
import type { Role } from './role.ts';

/**
 * Raised by each change of the identifiers, and when a claim that the account did not show was declared void. What adds
 * an identifier names the number that was read before it was claimed, so that it comes to nothing where the claim was
 * lost meanwhile, or the person is being erased.
 */
interface Counted {
  readonly identifierRevision: number;
}

export interface OpenAccount extends Readonly<Opened>, Counted {
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
  /** The last sessions that have ended by themselves, the newest last. */
  readonly endedSessions: readonly string[];
  /** An erasure that was requested and not withdrawn. */
  readonly erasure?: { readonly dueAt: string; readonly role: Role };
  /** The person is being erased, requested or not: the account is closed next, and gets no identifiers any more. */
  readonly isEnding?: true;
}
export type Account = ({ readonly status: 'none'; readonly isErased?: true } & Counted) | OpenAccount;

/** How many ended sessions are remembered. */
const ENDED = 20;

export const initial: Account = { status: 'none', identifierRevision: 0 };

/** Whether there was such an account, whose person is erased. */
export const isErased = (account: Account): boolean => account.status === 'none' && account.isErased === true;

/** An account that was opened with neither a phone nor a password was opened with its first link. */
const isOpenedWith = ({ phone, passwordHash, links }: OpenAccount): boolean =>
  phone === null && passwordHash === null && links.length === 0;

const linked = (state: OpenAccount, { provider, identityId, byHolder }: ProviderLink): ProviderLink[] => [
  ...state.links.filter((link) => link.identityId !== identityId),
  { provider, identityId, ...((byHolder || isOpenedWith(state)) && { byHolder: true as const }) },
];

export const evolve = (state: Account, event: AccountEvent): Account => {
  const identifierRevision = state.identifierRevision + 1;
  if (event.type === 'ClaimVoided') return { ...state, identifierRevision };
  if (event.type === 'AccountOpened')
    return {
      ...event.data,
      status: 'open',
      identifierRevision,
      tokenVersion: 0,
      sessionsSince: 0,
      emailVouched: event.data.email !== null,
      links: [],
      roleChanges: 0,
      grantedRequests: [],
      endedSessions: [],
    };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'ProfileChanged':
      return { ...state, ...event.data };
    case 'EmailChanged':
      return { ...state, email: event.data.email, emailVouched: false, identifierRevision };
    case 'EmailVerified':
      return { ...state, emailVouched: true, identifierRevision };
    case 'PhoneChanged':
      return { ...state, phone: event.data.phone, identifierRevision };
    case 'PasswordChanged':
      return { ...state, passwordHash: event.data.passwordHash };
    case 'PasswordRemoved':
      return { ...state, passwordHash: null };
    case 'ProviderLinked':
      return { ...state, links: linked(state, event.data), identifierRevision };
    case 'ProviderUnlinked': {
      const links = state.links.filter(({ identityId }) => identityId !== event.data.identityId);
      return { ...state, links, identifierRevision };
    }
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
    case 'SessionEnded':
      return { ...state, endedSessions: [...state.endedSessions.slice(1 - ENDED), event.data.sessionId] };
    case 'ErasureRequested':
      return { ...state, erasure: event.data };
    case 'ErasureWithdrawn': {
      const { erasure: _, ...rest } = state;
      return rest;
    }
    case 'ErasureBegun':
      return { ...state, isEnding: true, identifierRevision };
    case 'PersonErased':
      return { status: 'none', isErased: true, identifierRevision };
  }
};
