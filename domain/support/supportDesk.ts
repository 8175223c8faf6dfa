/**
 * What one person asks of the support: at most one open ticket at a time, in the person's stream `supportDesk-<account>`.
 * The messages are those of their thread with the support; here is who has to answer, and until when.
 *
 * A ticket waits in the queue until an agent takes it. The agent has to answer until a deadline, otherwise the ticket goes
 * back to the queue. A message of the person asks for an answer again, also after the ticket was resolved.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected, snapshot } from '../core/decider.ts';
import { isAfter } from '../core/instants.ts';
import { Instant, OneOf, Personal, Uuid } from '../core/schema.ts';

export const ticketStatuses = ['waiting', 'assigned', 'answered', 'resolved'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];
export const TicketSubject = Personal(Type.String({ minLength: 1, maxLength: 200 }));
const returnReasons = ['agent', 'no_answer'] as const;

const ticketId = Uuid;
const agentId = Uuid;
/** The number of the message in the thread. */
const seq = Type.Integer({ minimum: 1 });
/** The number of the newest message in the thread at that time. */
const upToSeq = Type.Integer({ minimum: 0 });
/** The agent has to answer until then. */
const answerBy = Instant;

const supportDeskEvents = {
  /** After all messages up to `upToSeq`, which do not answer it. Absent: 0, there is none. */
  TicketOpened: {
    data: Type.Object({ ticketId, threadId: Uuid, subject: TicketSubject, upToSeq: Type.Optional(upToSeq) }),
    person: 'stream',
  },
  /** The person has written while the ticket waits for an answer: what an agent wrote before does not answer it. */
  TicketAsked: { data: Type.Object({ ticketId, seq }) },
  TicketTaken: { data: Type.Object({ ticketId, agentId, answerBy }) },
  /** Back to the queue. */
  TicketReturned: { data: Type.Object({ ticketId, agentId, reason: OneOf(returnReasons) }) },
  /** An agent who had not taken it has it from now on. */
  TicketAnswered: { data: Type.Object({ ticketId, agentId, seq }) },
  /** The person has written again to the agent who has answered. */
  TicketAwaitsAnswer: { data: Type.Object({ ticketId, agentId, seq, answerBy }) },
  /** With all messages up to `upToSeq`; 0: there is none. */
  TicketResolved: { data: Type.Object({ ticketId, by: Uuid, upToSeq }) },
  /** The person has written again: it waits in the queue. */
  TicketReopened: { data: Type.Object({ ticketId, seq }) },
} as const satisfies EventDeclarations;
export type SupportDeskEvent = EventsOf<typeof supportDeskEvents>;

export type SupportDeskCommand =
  | ({ readonly type: 'OpenTicket' } & Static<typeof supportDeskEvents.TicketOpened.data>)
  | { readonly type: 'TakeTicket'; readonly ticketId: string; readonly agentId: string; readonly answerBy: string }
  | { readonly type: 'ReturnTicket'; readonly ticketId: string; readonly agentId: string }
  /** If the answer is overdue. */
  | { readonly type: 'ReturnUnanswered'; readonly ticketId: string; readonly at: string }
  /** `upToSeq`: the number of the newest message in the thread. Older ones do not reopen it, whenever they are handled. */
  | { readonly type: 'ResolveTicket'; readonly ticketId: string; readonly by: string; readonly upToSeq: number }
  /** The person has written the message with this number. */
  | { readonly type: 'PersonWrote'; readonly seq: number; readonly answerBy: string }
  | { readonly type: 'AgentWrote'; readonly seq: number; readonly agentId: string };

/** `seq`: the newest message that has changed it. Older ones are news no more. */
const Ticket = { id: ticketId, seq: Type.Integer({ minimum: 0 }) };
const Desk = Type.Union([
  Type.Object({ status: Type.Literal('none') }),
  Type.Object({ status: Type.Literal('waiting'), ...Ticket }),
  Type.Object({ status: Type.Literal('resolved'), ...Ticket }),
  Type.Object({ status: Type.Literal('assigned'), ...Ticket, agentId, answerBy }),
  Type.Object({ status: Type.Literal('answered'), ...Ticket, agentId }),
]);
export type SupportDesk = Readonly<Static<typeof Desk>>;
type OpenDesk = Exclude<SupportDesk, { status: 'none' }>;

/** @throws Rejected `not_found` */
const ticketOf = (state: SupportDesk, id: string): OpenDesk => {
  if (state.status === 'none' || state.id !== id)
    throw new Rejected('not_found', 'This ticket does not exist, or the person has opened another one since.');
  return state;
};

const take = (
  { ticketId: id, agentId: agent, answerBy: deadline }: Extract<SupportDeskCommand, { type: 'TakeTicket' }>,
  state: SupportDesk,
): SupportDeskEvent[] => {
  const ticket = ticketOf(state, id);
  switch (ticket.status) {
    case 'waiting':
      return [{ type: 'TicketTaken', data: { ticketId: id, agentId: agent, answerBy: deadline } }];
    case 'assigned':
    case 'answered':
      if (ticket.agentId === agent) return [];
      throw new Rejected('conflict', 'Another agent has this ticket.', { agent_id: ticket.agentId });
    case 'resolved':
      throw new Rejected('invalid_transition', 'This ticket is resolved.', { status: 'resolved' });
  }
};

const giveBack = (
  { ticketId: id, agentId: agent }: Extract<SupportDeskCommand, { type: 'ReturnTicket' }>,
  state: SupportDesk,
): SupportDeskEvent[] => {
  const ticket = ticketOf(state, id);
  if (ticket.status === 'waiting') return [];
  if (ticket.status === 'resolved')
    throw new Rejected('invalid_transition', 'This ticket is resolved.', { status: 'resolved' });
  if (ticket.agentId !== agent)
    throw new Rejected('conflict', 'Another agent has this ticket.', { agent_id: ticket.agentId });
  return [{ type: 'TicketReturned', data: { ticketId: id, agentId: agent, reason: 'agent' } }];
};

const personWrote = (
  { seq: n, answerBy: deadline }: Extract<SupportDeskCommand, { type: 'PersonWrote' }>,
  state: SupportDesk,
): SupportDeskEvent[] => {
  if (state.status === 'none' || n <= state.seq) return [];
  switch (state.status) {
    case 'waiting':
    case 'assigned':
      return [{ type: 'TicketAsked', data: { ticketId: state.id, seq: n } }];
    case 'answered': {
      const { id, agentId: agent } = state;
      return [{ type: 'TicketAwaitsAnswer', data: { ticketId: id, agentId: agent, seq: n, answerBy: deadline } }];
    }
    case 'resolved':
      return [{ type: 'TicketReopened', data: { ticketId: state.id, seq: n } }];
  }
};

const agentWrote = (
  { seq: n, agentId: agent }: Extract<SupportDeskCommand, { type: 'AgentWrote' }>,
  state: SupportDesk,
): SupportDeskEvent[] => {
  if (state.status === 'none' || n <= state.seq) return [];
  const { id } = state;
  switch (state.status) {
    case 'waiting':
      return [{ type: 'TicketAnswered', data: { ticketId: id, agentId: agent, seq: n } }];
    case 'assigned':
      return [{ type: 'TicketAnswered', data: { ticketId: id, agentId: state.agentId, seq: n } }];
    case 'answered':
    case 'resolved':
      return [];
  }
};

const decide = (command: SupportDeskCommand, state: SupportDesk): SupportDeskEvent[] => {
  switch (command.type) {
    case 'OpenTicket': {
      const { type, ...data } = command;
      const isOpen = state.status !== 'none' && (state.status !== 'resolved' || state.id === data.ticketId);
      return isOpen ? [] : [{ type: 'TicketOpened', data }];
    }
    case 'TakeTicket':
      return take(command, state);
    case 'ReturnTicket':
      return giveBack(command, state);
    case 'ReturnUnanswered': {
      const { ticketId: id, at } = command;
      if (state.status !== 'assigned' || state.id !== id || isAfter(state.answerBy, at)) return [];
      return [{ type: 'TicketReturned', data: { ticketId: id, agentId: state.agentId, reason: 'no_answer' } }];
    }
    case 'ResolveTicket': {
      const { type, ...data } = command;
      return ticketOf(state, data.ticketId).status === 'resolved' ? [] : [{ type: 'TicketResolved', data }];
    }
    case 'PersonWrote':
      return personWrote(command, state);
    case 'AgentWrote':
      return agentWrote(command, state);
  }
};

const evolve = (state: SupportDesk, event: SupportDeskEvent): SupportDesk => {
  const { ticketId: id } = event.data;
  const seq = state.status === 'none' ? 0 : state.seq;
  switch (event.type) {
    case 'TicketOpened':
      return { status: 'waiting', id, seq: Math.max(seq, event.data.upToSeq ?? 0) };
    case 'TicketAsked':
      return state.status === 'none' ? state : { ...state, seq: event.data.seq };
    case 'TicketTaken':
      return { status: 'assigned', id, seq, agentId: event.data.agentId, answerBy: event.data.answerBy };
    case 'TicketReturned':
      return { status: 'waiting', id, seq };
    case 'TicketAnswered':
      return { status: 'answered', id, seq: event.data.seq, agentId: event.data.agentId };
    case 'TicketAwaitsAnswer': {
      const { agentId, answerBy } = event.data;
      return { status: 'assigned', id, seq: event.data.seq, agentId, answerBy };
    }
    case 'TicketResolved':
      return { status: 'resolved', id, seq: Math.max(seq, event.data.upToSeq) };
    case 'TicketReopened':
      return { status: 'waiting', id, seq: event.data.seq };
  }
};

export const supportDesk: Decider<SupportDesk, SupportDeskCommand, SupportDeskEvent> = {
  category: 'supportDesk',
  events: supportDeskEvents,
  initial: { status: 'none' },
  decide,
  evolve,
  snapshot: snapshot({ version: 1, packed: Desk, pack: (state: SupportDesk) => state, unpack: (state) => state }),
};
