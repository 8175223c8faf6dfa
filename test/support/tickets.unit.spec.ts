/** What the read model of support tickets makes of events. */
import { expect, it } from 'vitest';
import type { SupportDeskEvent } from '../../domain/support/supportDesk.ts';
import { supportTickets } from '../../projections/support/tickets.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';

const [PERSON, AGENT, TICKET, THREAD] = [id(1), id(2), id(10), id(20)];
const minute = (n: number): string => `2027-01-01T10:${String(n).padStart(2, '0')}:00.000Z`;
const ticketId = TICKET;
const history: SupportDeskEvent[] = [
  { type: 'TicketOpened', data: { ticketId, threadId: THREAD, subject: 'Glove' } },
  { type: 'TicketTaken', data: { ticketId, agentId: AGENT, answerBy: minute(31) } },
  { type: 'TicketReturned', data: { ticketId, agentId: AGENT, reason: 'no_answer' } },
  { type: 'TicketAnswered', data: { ticketId, agentId: AGENT, seq: 2 } },
  { type: 'TicketAwaitsAnswer', data: { ticketId, agentId: AGENT, seq: 3, answerBy: minute(34) } },
  { type: 'TicketResolved', data: { ticketId, by: AGENT, upToSeq: 2 } },
  { type: 'TicketReopened', data: { ticketId, seq: 4 } },
];
const rowsAfter = projection(supportTickets);

it('a ticket says who has to answer, and since when somebody waits', () => {
  const after = (count: number) =>
    rowsAfter(history.slice(0, count).map((event, n) => happened('supportDesk', PERSON, event, minute(n))))[0] ?? {};
  const NOBODY = { agent_id: null, answer_by: null };
  expect(after(1)).toEqual({
    id: TICKET,
    user_id: PERSON,
    thread_id: THREAD,
    subject: 'Glove',
    status: 'waiting',
    ...NOBODY,
    waiting_since: minute(0),
    created_at: minute(0),
    updated_at: minute(0),
    resolved_at: null,
  });
  expect(after(2)).toMatchObject({ status: 'assigned', agent_id: AGENT, answer_by: minute(31) });
  expect(toldOn(supportTickets, after(2))).toEqual([
    `realtime:user_${PERSON}`,
    `realtime:user_${AGENT}`,
    'support_queue',
  ]);
  expect(after(3)).toMatchObject({ status: 'waiting', ...NOBODY, waiting_since: minute(0) });
  expect(after(4)).toMatchObject({ status: 'answered', agent_id: AGENT, answer_by: null, waiting_since: null });
  expect(after(5)).toMatchObject({ status: 'assigned', answer_by: minute(34), waiting_since: minute(4) });
  expect(after(6)).toMatchObject({ status: 'resolved', ...NOBODY, waiting_since: null, resolved_at: minute(5) });
  expect(after(7)).toMatchObject({ status: 'waiting', ...NOBODY, waiting_since: minute(6), resolved_at: null });
});
