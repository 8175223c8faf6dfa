/**
 * Requests for a seller role. A user asks, an admin answers. All requests of one account are one stream,
 * `roleRequest-<account>`, so that two cannot be pending at the same time.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { markOf, NO_WORDS, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';
import { type Role, sellerRoles } from './role.ts';

/** Where a document can be read. */
const HttpsUrl = Type.String({ format: 'uri', pattern: '^https://', maxLength: 2_000 });

export const RoleRequestDetails = Type.Object({
  role: OneOf(sellerRoles),
  companyName: Personal(Type.String({ minLength: 1, maxLength: 200 })),
  documents: Type.Array(
    Type.Object({ name: Personal(Type.String({ minLength: 1, maxLength: 200 })), url: Personal(HttpsUrl) }),
    { maxItems: 20 },
  ),
  comment: Nullable(Personal(Type.String({ maxLength: 2_000 }))),
});
export type RoleRequestDetails = Static<typeof RoleRequestDetails>;

export const roleRequestStatuses = ['pending', 'approved', 'rejected', 'withdrawn'] as const;
export type RoleRequestStatus = (typeof roleRequestStatuses)[number];

const requestId = Uuid;
const roleRequestEvents = {
  RoleRequested: { data: Type.Object({ requestId, ...RoleRequestDetails.properties }), person: 'stream' },
  /** The account is granted the role after this event. */
  RoleRequestApproved: { data: Type.Object({ requestId, role: OneOf(sellerRoles) }) },
  RoleRequestRejected: { data: Type.Object({ requestId, reason: Personal(Type.String()) }), person: 'stream' },
  RoleRequestWithdrawn: { data: Type.Object({ requestId }) },
} as const satisfies EventDeclarations;
export type RoleRequestEvent = EventsOf<typeof roleRequestEvents>;

export type RoleRequestCommand =
  /** `currentRole`: of the account that asks. */
  | ({ readonly type: 'RequestRole'; readonly requestId: string; readonly currentRole: Role } & RoleRequestDetails)
  | { readonly type: 'Approve'; readonly requestId: string }
  | { readonly type: 'Reject'; readonly requestId: string; readonly reason: string }
  /** The newest one. */
  | { readonly type: 'Withdraw' };

export interface RoleRequest {
  readonly id: string;
  readonly role: RoleRequestDetails['role'];
  readonly status: RoleRequestStatus;
  /** Why it was rejected. */
  readonly words: WordsMark;
}
/** The requests of one account, oldest first. Only the last can be pending. */
export type RoleRequests = readonly RoleRequest[];

/**
 * The request if it is pending; null if it already has the status `to`.
 * @throws Rejected `not_found`, `invalid_transition`
 */
const ending = (request: RoleRequest | undefined, to: RoleRequestStatus): RoleRequest | null => {
  if (!request) throw notFound('role request');
  const { status } = request;
  if (status === to) return null;
  if (status !== 'pending')
    throw new Rejected('invalid_transition', `This role request already has the status ${status}.`, { status });
  return request;
};

const ask = (
  { type, currentRole, ...data }: Extract<RoleRequestCommand, { type: 'RequestRole' }>,
  state: RoleRequests,
): RoleRequestEvent[] => {
  if (state.some(({ id }) => id === data.requestId)) return [];
  const last = state.at(-1);
  if (last?.status === 'pending')
    throw new Rejected('conflict', 'Another role request of this account is pending. Wait for its answer.', {
      role_request_id: last.id,
    });
  if (currentRole === 'admin' || currentRole === data.role)
    throw new Rejected('conflict', 'This account already has that role.');
  return [{ type: 'RoleRequested', data }];
};

const decide = (command: RoleRequestCommand, state: RoleRequests): RoleRequestEvent[] => {
  if (command.type === 'RequestRole') return ask(command, state);
  if (command.type === 'Withdraw') {
    const open = ending(state.at(-1), 'withdrawn');
    return open ? [{ type: 'RoleRequestWithdrawn', data: { requestId: open.id } }] : [];
  }
  const request = state.find(({ id }) => id === command.requestId);
  switch (command.type) {
    case 'Approve': {
      const open = ending(request, 'approved');
      return open ? [{ type: 'RoleRequestApproved', data: { requestId: open.id, role: open.role } }] : [];
    }
    case 'Reject': {
      const { reason } = command;
      const open = ending(request, 'rejected');
      if (!open) return saidBefore('This role request was rejected before', request?.words ?? null, reason);
      return [{ type: 'RoleRequestRejected', data: { requestId: open.id, reason } }];
    }
  }
};

const evolve = (state: RoleRequests, event: RoleRequestEvent): RoleRequests => {
  const moved = (status: RoleRequestStatus, words = NO_WORDS): RoleRequests =>
    state.map((each) => (each.id === event.data.requestId ? { ...each, status, words } : each));
  switch (event.type) {
    case 'RoleRequested':
      return [...state, { id: event.data.requestId, role: event.data.role, status: 'pending', words: NO_WORDS }];
    case 'RoleRequestApproved':
      return moved('approved');
    case 'RoleRequestRejected':
      return moved('rejected', markOf(event.data.reason));
    case 'RoleRequestWithdrawn':
      return moved('withdrawn');
  }
};

export const roleRequest: Decider<RoleRequests, RoleRequestCommand, RoleRequestEvent> = {
  category: 'roleRequest',
  short: 'a request is answered once, or withdrawn',
  events: roleRequestEvents,
  initial: [],
  decide,
  evolve,
};
