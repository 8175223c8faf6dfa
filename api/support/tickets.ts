/** Support tickets: people open them and write, agents take them from the queue. Admins are the agents. */
import { Type } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import { openTicket, resolveTicket, returnTicket, takeTicket } from '../../commands/support/tickets.ts';
import { MAX_BODY } from '../../domain/chat/threadEvents.ts';
import { notFound } from '../../domain/core/decider.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { TicketSubject, ticketStatuses } from '../../domain/support/supportDesk.ts';
import { messages } from '../../projections/chat/messages.ts';
import { supportQueueChannel } from '../../projections/support/channels.ts';
import {
  listTickets,
  openedTicket,
  SupportTicket,
  showTicket,
  showTickets,
  supportTickets,
  type TicketRow,
  ticketById,
} from '../../projections/support/tickets.ts';
import { callersChannel } from '../accounts/channels.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import type { Harm } from '../http/harm.ts';
import { ListOf, pagedText, pagingQuery } from '../http/paging.ts';
import { ById, route, withStatus } from '../http/route.ts';
import { shownAfter } from '../http/shownAfter.ts';

const MODELS = [supportTickets];

const open = route('POST /api/v1/support/tickets', {
  id: 'createSupportTicket',
  access: 'user',
  summary: 'Ask the support',
  description:
    'Opens a ticket; its messages are those of the chat `thread_id`, where the person and the agents go on. A user has one open ticket: while there is one, the message is sent there. A message to a resolved ticket opens it again.',
  body: Type.Object(
    { subject: TicketSubject, message: Type.String({ minLength: 1, maxLength: MAX_BODY }) },
    { $id: 'NewSupportTicket' },
  ),
  reply: SupportTicket,
  status: 201,
  alternatives: { 200: { description: 'Another ticket is open. The message was sent there.' } },
  errors: ['invalid'],
  projections: [supportTickets, messages],
  handle: async ({ body, caller, context }, app) => {
    const opened = await shownAfter(app, context, MODELS, (own) => openTicket(app, own, caller.id, body));
    const { ticketId: id, threadId: thread_id, isNew } = opened;
    const fresh = openedTicket({ id, user_id: caller.id, thread_id, subject: body.subject }, context.at);
    const row = (await ticketById(app.db, id)) ?? fresh;
    const shown = await showTicket(app.db, row);
    return isNew ? shown : withStatus(200, shown);
  },
});

const shownPage = async ({ db }: App, asked: Parameters<typeof listTickets>[1]) => {
  const { rows, total } = await listTickets(db, asked);
  return { rows: await showTickets(db, rows), total };
};

const own = route('GET /api/v1/support/tickets/me', {
  id: 'listOwnSupportTickets',
  access: 'user',
  summary: 'List own support tickets',
  query: Type.Object(pagingQuery),
  reply: ListOf(SupportTicket),
  reads: MODELS,
  channel: callersChannel,
  handle: ({ query, caller }, app) => pagedText(query, (paging) => shownPage(app, { userId: caller.id, ...paging })),
});

const queue = route('GET /api/v1/admin/support/tickets', {
  id: 'listSupportTickets',
  access: 'admin',
  harm: 'content',
  summary: 'List support tickets: the queue of the agents',
  description: 'Those that wait longest for an answer first. `status=waiting` are those that nobody has taken.',
  query: Type.Object({
    ...pagingQuery,
    status: Type.Optional(OneOf(ticketStatuses)),
    agent_id: Type.Optional(Uuid),
    user_id: Type.Optional(Uuid),
  }),
  reply: ListOf(SupportTicket),
  reads: MODELS,
  channel: { of: supportQueueChannel, id: () => '' },
  handle: ({ query: { status, agent_id: agentId, user_id: userId, ...query } }, app) =>
    pagedText(query, (paging) => shownPage(app, { status, agentId, userId, ...paging })),
});

/** A ticket of the caller; admins see all. @throws Rejected `not_found` */
const ticketFor = async (app: App, { id: accountId, role }: User, id: string): Promise<TicketRow> => {
  const row = await ticketById(app.db, id);
  if (row && (row.user_id === accountId || role === 'admin')) return row;
  throw notFound('ticket');
};

type Change = (
  app: App,
  context: CommandContext,
  ticket: { readonly ticketId: string; readonly accountId: string },
  by: string,
) => Promise<void>;

/** An operation that moves a ticket on. */
const moving = (
  key: `POST /${string}`,
  change: Change,
  about: {
    readonly id: string;
    readonly access: 'user' | 'admin';
    readonly harm: Harm;
    readonly summary: string;
    readonly description: string;
  },
) =>
  route(key, {
    ...about,
    params: ById,
    reply: SupportTicket,
    errors: ['not_found', 'conflict', 'invalid_transition'],
    projections: MODELS,
    handle: async ({ params, caller, context }, app) => {
      const { user_id: accountId } = await ticketFor(app, caller, params.id);
      const ticket = { ticketId: params.id, accountId };
      await shownAfter(app, context, MODELS, (settling) => change(app, settling, ticket, caller.id));
      return showTicket(app.db, await ticketFor(app, caller, params.id));
    },
  });

const resolve = moving('POST /api/v1/support/tickets/:id/resolve', resolveTicket, {
  id: 'resolveSupportTicket',
  access: 'user',
  harm: { none: 'a new message opens the ticket again' },
  summary: 'Resolve a support ticket',
  description:
    'The person who has opened it and the agents can do this. It leaves the agent. A new message opens it again.',
});

const take = moving('POST /api/v1/admin/support/tickets/:id/take', takeTicket, {
  id: 'takeSupportTicket',
  access: 'admin',
  harm: 'content',
  summary: 'Take a support ticket',
  description:
    'The agent has to answer until `answer_by`, otherwise the ticket goes back to the queue. Answers are messages in the chat `thread_id`.',
});

const giveBack = moving('POST /api/v1/admin/support/tickets/:id/return', returnTicket, {
  id: 'returnSupportTicket',
  access: 'admin',
  harm: { none: 'gives back what the agent has taken' },
  summary: 'Return a support ticket to the queue',
  description: 'The agent who has taken it can do this.',
});

export const ticketRoutes = [open, own, resolve, queue, take, giveBack];
