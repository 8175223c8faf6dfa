/** What is decided about support tickets: who has to answer, and what messages change. */
import { describe, it } from 'vitest';
import { type SupportDeskEvent, supportDesk } from '../../domain/support/supportDesk.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';

const given = specification(supportDesk);
const [AGENT, OTHER, TICKET, THREAD] = [id(1), id(2), id(10), id(20)];
const DUE = '2027-01-01T10:30:00.000Z';
const ticketId = TICKET;

const opening = { ticketId, threadId: THREAD, subject: 'Glove' };
const opened: SupportDeskEvent = { type: 'TicketOpened', data: opening };
const taken: SupportDeskEvent = { type: 'TicketTaken', data: { ticketId, agentId: AGENT, answerBy: DUE } };
const asked = (seq: number): SupportDeskEvent => ({ type: 'TicketAsked', data: { ticketId, seq } });
const answered = (seq: number): SupportDeskEvent => ({
  type: 'TicketAnswered',
  data: { ticketId, agentId: AGENT, seq },
});
const awaits = (seq: number): SupportDeskEvent => ({
  type: 'TicketAwaitsAnswer',
  data: { ticketId, agentId: AGENT, seq, answerBy: DUE },
});
const resolved: SupportDeskEvent = { type: 'TicketResolved', data: { ticketId, by: AGENT, upToSeq: 2 } };
const reopened = (seq: number): SupportDeskEvent => ({ type: 'TicketReopened', data: { ticketId, seq } });
const returned = (reason: 'agent' | 'no_answer'): SupportDeskEvent => ({
  type: 'TicketReturned',
  data: { ticketId, agentId: AGENT, reason },
});
const take = (agentId = AGENT) => ({ type: 'TakeTicket', ticketId, agentId, answerBy: DUE }) as const;
const wrote = (seq: number) => ({ type: 'PersonWrote', seq, answerBy: DUE }) as const;
const agentWrote = (seq: number, agentId = AGENT) => ({ type: 'AgentWrote', seq, agentId }) as const;
const overdue = (at: string) => ({ type: 'ReturnUnanswered', ticketId, at }) as const;

describe('a ticket', () => {
  it('is open once at a time', () => {
    given([])
      .when({ type: 'OpenTicket', ...opening })
      .thenOnce([opened]);
    const next = { ...opening, ticketId: id(11) };
    given([opened])
      .when({ type: 'OpenTicket', ...next })
      .then([]);
    given([opened, resolved])
      .when({ type: 'OpenTicket', ...next })
      .thenOnce([{ type: 'TicketOpened', data: next }]);
    given([opened, resolved])
      .when({ type: 'OpenTicket', ...opening })
      .then([]);
  });

  it('is taken by one agent', () => {
    given([opened]).when(take()).thenOnce([taken]);
    given([opened, taken]).when(take(OTHER)).then('conflict');
    given([opened, taken, answered(2)])
      .when(take(OTHER))
      .then('conflict');
    given([opened, resolved]).when(take()).then('invalid_transition');
    given([]).when(take()).then('not_found');
  });

  it('goes back to the queue, by its agent or when the answer is overdue', () => {
    const giveBack = { type: 'ReturnTicket', ticketId, agentId: AGENT } as const;
    given([opened, taken])
      .when(giveBack)
      .thenOnce([returned('agent')]);
    given([opened, taken])
      .when({ ...giveBack, agentId: OTHER })
      .then('conflict');
    given([opened, resolved]).when(giveBack).then('invalid_transition');
    given([opened, taken])
      .when(overdue(DUE))
      .thenOnce([returned('no_answer')]);
    given([opened, taken]).when(overdue('2027-01-01T10:29:59.999Z')).then([]);
    given([opened, taken, answered(2)])
      .when(overdue(DUE))
      .then([]);
    given([opened, taken, returned('no_answer')])
      .when(take(OTHER))
      .then([{ ...taken, data: { ticketId, agentId: OTHER, answerBy: DUE } } as SupportDeskEvent]);
  });

  it('is answered by a message of an agent, and waits again with one of the person', () => {
    given([opened])
      .when(agentWrote(2))
      .thenOnce([answered(2)]);
    given([opened, taken])
      .when(agentWrote(2, OTHER))
      .then([answered(2)]);
    for (const open of [[opened], [opened, taken]])
      given(open)
        .when(wrote(2))
        .thenOnce([asked(2)]);
    given([opened, taken, answered(2)])
      .when(wrote(3))
      .thenOnce([awaits(3)]);
    given([opened, taken, answered(2)])
      .when(agentWrote(3))
      .then([]);
    given([opened, taken, answered(2), awaits(3)])
      .when(overdue(DUE))
      .then([returned('no_answer')]);
  });

  it('is not changed by a message that came before the last one that changed it', () => {
    given([opened, taken, answered(5)])
      .when(wrote(4))
      .then([]);
    given([opened, taken, answered(2), awaits(5)])
      .when(agentWrote(4))
      .then([]);
  });

  it('is not answered by a message from before it was opened, whenever that message is handled', () => {
    const later: SupportDeskEvent = { type: 'TicketOpened', data: { ...opening, upToSeq: 3 } };
    given([later]).when(agentWrote(3)).then([]);
    given([later])
      .when(agentWrote(4))
      .then([answered(4)]);
  });

  it('is not answered by a message from before the newest question, whenever that message is handled', () => {
    for (const open of [
      [opened, asked(3)],
      [opened, taken, asked(3)],
      [opened, asked(3), taken],
      [opened, taken, asked(3), returned('agent')],
    ]) {
      given(open).when(agentWrote(2)).then([]);
      given(open)
        .when(agentWrote(4))
        .then([answered(4)]);
    }
  });

  it('leaves its agent when it is resolved, and waits in the queue when the person writes again', () => {
    given([opened, taken]).when({ type: 'ResolveTicket', ticketId, by: AGENT, upToSeq: 2 }).thenOnce([resolved]);
    given([]).when({ type: 'ResolveTicket', ticketId, by: AGENT, upToSeq: 2 }).then('not_found');
    given([opened, taken, answered(2), resolved])
      .when(wrote(3))
      .thenOnce([reopened(3)]);
    given([opened, taken, resolved]).when(wrote(2)).then([]);
    given([opened, taken, answered(2), resolved])
      .when(agentWrote(3))
      .then([]);
    given([opened, taken, answered(2), resolved, reopened(3)])
      .when(overdue(DUE))
      .then([]);
    given([]).when(wrote(1)).then([]);
    given([]).when(agentWrote(1)).then([]);
  });
});
