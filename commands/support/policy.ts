/** What messages mean for a ticket, and what happens when an agent does not answer in time. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { defineJob } from '../core/jobs.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import type { SupportDeps } from './deps.ts';
import { answerByOf, commandDesk } from './tickets.ts';

/** Returns a ticket to the queue whose answer is overdue. The job's id is the ticket's. */
export const answerDue = defineJob<{ accountId: string }, SupportDeps>(
  'support_answer_due',
  async ({ id: ticketId, data }, { deps, context }) => {
    const command = { type: 'ReturnUnanswered', ticketId, at: context.at } as const;
    const desk = await commandDesk(deps, context, data.accountId, command);
    const isLater = desk.status === 'assigned' && desk.id === ticketId;
    return isLater ? { againAt: desk.answerBy } : undefined;
  },
);

const watch: PolicyHandler<Recorded<EventOf<'TicketTaken' | 'TicketAwaitsAnswer'>>, SupportDeps> = (
  { streamId: accountId, data: { ticketId, answerBy } },
  { deps, context },
) => answerDue.schedule(deps.jobs, context, { id: ticketId, dueAt: answerBy, data: { accountId } });

export const supportPolicy = policy<SupportDeps>('support', {
  MessageSent: async ({ at, data: { threadType, parties, senderId, seq } }, { deps, context }) => {
    const [accountId] = parties;
    if (threadType !== 'support' || accountId === undefined) return;
    const command =
      senderId === accountId
        ? ({ type: 'PersonWrote', seq, answerBy: answerByOf(deps, at) } as const)
        : ({ type: 'AgentWrote', seq, agentId: senderId } as const);
    await commandDesk(deps, context, accountId, command);
  },
  TicketTaken: watch,
  TicketAwaitsAnswer: watch,
});
