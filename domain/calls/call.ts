/**
 * One call between two people: it rings, is answered or not, and ends. Who may be in which call is decided on the lines of
 * the two (`line.ts`); this stream decides what becomes of the call.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { HOUR_MS } from '../core/instants.ts';
import { OneOf, Uuid } from '../core/schema.ts';

const callKinds = ['audio', 'video'] as const;
export const CallKind = OneOf(callKinds);
export type CallKind = Static<typeof CallKind>;

export const callStatuses = ['ringing', 'accepted', 'ended', 'missed', 'rejected', 'busy', 'failed'] as const;
export type CallStatus = (typeof callStatuses)[number];

/** How long a call rings, in milliseconds. */
export const RING_MS = 45_000;
/** The longest call, in milliseconds: nobody is in a call for so long, so both have forgotten to end it. */
export const LONGEST_CALL_MS = 4 * HOUR_MS;

/** Who calls whom. */
export const Parties = Type.Object({ callerId: Uuid, calleeId: Uuid, kind: CallKind });
export type Parties = Static<typeof Parties>;

/** Why a call ended. `hung_up`, `failed`: by a party; `too_long`, `both_gone`: by the system. */
export const endReasons = ['hung_up', 'failed', 'too_long', 'both_gone'] as const;
export type EndReason = (typeof endReasons)[number];

const callEvents = {
  /** It rings at all devices of the callee. */
  CallStarted: { data: Parties },
  /**
   * The callee is in another call, or has blocked the caller, or the other way round. `isHidden`: blocked, so that the
   * callee does not learn of the call.
   */
  CallFoundBusy: { data: Type.Composite([Parties, Type.Object({ isHidden: Type.Boolean() })]) },
  /** `sessionId`: of the device that answered. Both ids are needed to give the lines back. */
  CallAccepted: { data: Type.Object({ sessionId: Uuid, ...Parties.properties }) },
  CallRejected: { data: Parties },
  /** Nobody answered in time, or the caller gave up. */
  CallMissed: { data: Parties },
  CallEnded: { data: Type.Object({ reason: OneOf(endReasons), ...Parties.properties }) },
} as const satisfies EventDeclarations;
export type CallEvent = EventsOf<typeof callEvents>;

export type CallCommand =
  | ({ readonly type: 'StartCall' } & Parties)
  | ({ readonly type: 'FindBusy'; readonly isHidden: boolean } & Parties)
  | { readonly type: 'AcceptCall'; readonly by: string; readonly sessionId: string }
  | { readonly type: 'RejectCall'; readonly by: string }
  /** Ends an answered call; one that rings is given up by the caller and rejected by the callee. */
  | { readonly type: 'EndCall'; readonly by: string; readonly reason: 'hung_up' | 'failed' }
  /** By the system: nobody has answered. */
  | { readonly type: 'MissCall' }
  /** By the system: nobody has ended it. */
  | { readonly type: 'ExpireCall'; readonly reason: 'too_long' | 'both_gone' };

export type Call =
  | { readonly status: 'none' }
  | (Parties & { readonly status: Exclude<CallStatus, 'accepted'> })
  | (Parties & { readonly status: 'accepted'; readonly sessionId: string });
type Known = Exclude<Call, { status: 'none' }>;

export const isOver = ({ status }: Call): boolean => status !== 'none' && status !== 'ringing' && status !== 'accepted';
export const isParty = ({ callerId, calleeId }: Parties, person: string): boolean =>
  person === callerId || person === calleeId;

const over = ({ status }: Known) =>
  new Rejected('invalid_transition', `This call is over: it has the status ${status}.`, { status });

const partiesOf = ({ callerId, calleeId, kind }: Parties): Parties => ({ callerId, calleeId, kind });

/** @throws Rejected `not_found` for a stranger, who may not learn that there is a call */
const byParty = (state: Call, person: string): Known => {
  if (state.status === 'none' || !isParty(state, person)) throw notFound('call');
  return state;
};
/** @throws Rejected `forbidden` for the caller */
const byCallee = (state: Call, person: string): Known => {
  const call = byParty(state, person);
  if (call.calleeId !== person) throw new Rejected('forbidden', 'Only the person who is called can answer.');
  return call;
};

const accept = ({ by, sessionId }: Extract<CallCommand, { type: 'AcceptCall' }>, state: Call): CallEvent[] => {
  const call = byCallee(state, by);
  if (call.status === 'accepted') {
    if (call.sessionId === sessionId) return [];
    throw new Rejected('answered_elsewhere', 'Another device has answered this call.');
  }
  if (call.status !== 'ringing') throw over(call);
  return [{ type: 'CallAccepted', data: { sessionId, ...partiesOf(call) } }];
};

const reject = (by: string, state: Call): CallEvent[] => {
  const call = byCallee(state, by);
  if (call.status === 'rejected') return [];
  if (call.status === 'accepted')
    throw new Rejected('answered_elsewhere', 'This call was answered. End it instead of rejecting it.');
  if (call.status !== 'ringing') throw over(call);
  return [{ type: 'CallRejected', data: partiesOf(call) }];
};

const end = ({ by, reason }: Extract<CallCommand, { type: 'EndCall' }>, state: Call): CallEvent[] => {
  const call = byParty(state, by);
  if (isOver(call)) return [];
  const data = partiesOf(call);
  if (call.status === 'accepted') return [{ type: 'CallEnded', data: { reason, ...data } }];
  return [{ type: by === call.callerId ? 'CallMissed' : 'CallRejected', data }];
};

const decide = (command: CallCommand, state: Call): CallEvent[] => {
  switch (command.type) {
    case 'StartCall':
      return state.status === 'none' ? [{ type: 'CallStarted', data: partiesOf(command) }] : [];
    case 'FindBusy':
      return state.status === 'none'
        ? [{ type: 'CallFoundBusy', data: { ...partiesOf(command), isHidden: command.isHidden } }]
        : [];
    case 'AcceptCall':
      return accept(command, state);
    case 'RejectCall':
      return reject(command.by, state);
    case 'EndCall':
      return end(command, state);
    case 'MissCall':
      return state.status === 'ringing' ? [{ type: 'CallMissed', data: partiesOf(state) }] : [];
    case 'ExpireCall':
      return state.status === 'accepted'
        ? [{ type: 'CallEnded', data: { reason: command.reason, ...partiesOf(state) } }]
        : [];
  }
};

const evolve = (_: Call, { type, data }: CallEvent): Call => {
  const parties = partiesOf(data);
  switch (type) {
    case 'CallStarted':
      return { status: 'ringing', ...parties };
    case 'CallFoundBusy':
      return { status: 'busy', ...parties };
    case 'CallAccepted':
      return { status: 'accepted', sessionId: data.sessionId, ...parties };
    case 'CallRejected':
      return { status: 'rejected', ...parties };
    case 'CallMissed':
      return { status: 'missed', ...parties };
    case 'CallEnded':
      return { status: data.reason === 'failed' ? 'failed' : 'ended', ...parties };
  }
};

export const call: Decider<Call, CallCommand, CallEvent> = {
  category: 'call',
  short: 'a call ends',
  events: callEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
