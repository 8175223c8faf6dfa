/** Support tickets, as the person who asks and the agents see them. */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, Nullable, OneOf, textOrNull, Uuid } from '../../domain/core/schema.ts';
import { supportPurpose } from '../../domain/support/index.ts';
import { type TicketStatus, ticketStatuses } from '../../domain/support/supportDesk.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { userChannel } from '../accounts/channels.ts';
import { DELETED_USER, shownNamesOf } from '../accounts/shortNames.ts';
import { chatPeople } from '../chat/threads.ts';
import { ONE_CHANNEL } from '../engine/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { formsOf } from '../engine/replies.ts';
import { wireFormWith } from '../engine/wire.ts';
import { supportQueueChannel } from './channels.ts';

const Row = Type.Object({
  id: Uuid,
  user_id: Uuid,
  thread_id: Uuid,
  subject: Type.String(),
  status: OneOf(ticketStatuses),
  agent_id: Nullable(Uuid),
  answer_by: Nullable(Instant),
  /** Since when nobody has answered; null: an agent has, or it is resolved. */
  waiting_since: Nullable(Instant),
  created_at: Instant,
  updated_at: Instant,
  resolved_at: Nullable(Instant),
});
export type TicketRow = Static<typeof Row>;

export const SupportTicket = Type.Object(
  {
    ...Row.properties,
    user_name: Type.String({ description: `\`Anna O.\`; \`${DELETED_USER}\` once the account is erased.` }),
    agent_name: Nullable(Type.String({ description: '`Anna O.`; null: nobody has it.' })),
    subject: Nullable(Type.String()),
    status: OneOf(ticketStatuses, {
      description:
        '`waiting` in the queue, `assigned` to an agent who has to answer until `answer_by`, `answered`, `resolved`.',
    }),
    waiting_since: Nullable(Type.String({ format: 'date-time', description: 'Since when nobody has answered.' })),
  },
  { $id: 'SupportTicket' },
);
export type SupportTicket = Static<typeof SupportTicket>;

const keys = ({ data }: { readonly data: { readonly ticketId: string } }) => [{ id: data.ticketId }];
const changed = (row: TicketRow | undefined, at: string, changes: Partial<TicketRow>): TicketRow => ({
  ...existing(row),
  ...changes,
  updated_at: at,
});
const NOBODY = { agent_id: null, answer_by: null };

/** A ticket that was just opened. */
export const openedTicket = (
  { id, user_id, thread_id, subject }: Pick<TicketRow, 'id' | 'user_id' | 'thread_id' | 'subject'>,
  at: string,
): TicketRow => ({
  id,
  user_id,
  thread_id,
  subject,
  status: 'waiting',
  ...NOBODY,
  waiting_since: at,
  created_at: at,
  updated_at: at,
  resolved_at: null,
});

export const supportTickets = readModel('support_tickets', {
  version: 1,
  row: Row,
  key: 'id',
  wire: wireFormWith({
    schema: SupportTicket,
    make: (row: TicketRow) => ({ ...row, subject: textOrNull(row.subject) }),
    overlay: {
      fields: ['user_name', 'agent_name'],
      needs: ['user_id', 'agent_id'],
      read: async (db, rows) => {
        const nameOf = await shownNamesOf(
          db,
          chatPeople,
          rows.flatMap(({ user_id, agent_id }) => [user_id, agent_id]),
        );
        return ({ user_id, agent_id }) => ({
          user_name: nameOf(user_id).short,
          agent_name: agent_id === null ? null : nameOf(agent_id).short,
        });
      },
    },
  }),
  personalData: {
    whose: 'user_id',
    texts: ['subject'],
    others: { agent_id: keptBecause.doneBy },
    why: supportPurpose,
    retention: 'account',
  },
  on: {
    TicketOpened: {
      keys,
      fold: (_, { streamId, at, data: { ticketId, threadId, subject } }) =>
        openedTicket({ id: ticketId, user_id: streamId, thread_id: threadId, subject }, at),
    },
    TicketTaken: {
      keys,
      fold: (row, { at, data: { agentId, answerBy } }) =>
        changed(row, at, { status: 'assigned', agent_id: agentId, answer_by: answerBy }),
    },
    TicketReturned: {
      keys,
      fold: (row, { at }) =>
        changed(row, at, { status: 'waiting', ...NOBODY, waiting_since: existing(row).waiting_since ?? at }),
    },
    TicketAnswered: {
      keys,
      fold: (row, { at, data: { agentId } }) =>
        changed(row, at, { status: 'answered', agent_id: agentId, answer_by: null, waiting_since: null }),
    },
    TicketAwaitsAnswer: {
      keys,
      fold: (row, { at, data: { answerBy } }) =>
        changed(row, at, { status: 'assigned', answer_by: answerBy, waiting_since: at }),
    },
    TicketResolved: {
      keys,
      fold: (row, { at }) => changed(row, at, { status: 'resolved', ...NOBODY, waiting_since: null, resolved_at: at }),
    },
    TicketReopened: {
      keys,
      fold: (row, { at }) => changed(row, at, { status: 'waiting', ...NOBODY, waiting_since: at, resolved_at: null }),
    },
  },
  indexes: [
    'waiting_since, created_at desc, id',
    'status, waiting_since, created_at desc, id',
    'user_id, waiting_since, created_at desc, id',
    'agent_id, status, waiting_since, created_at desc, id',
  ],
  publishTo: [
    {
      channel: userChannel,
      idsOf: ({ user_id, agent_id }) => (agent_id === null ? [user_id] : [user_id, agent_id]),
      audience: 'guest',
    },
    { channel: supportQueueChannel, idsOf: () => ONE_CHANNEL, audience: 'admin' },
  ],
});

export const ticketById = (db: ReadDb, id: string): Promise<TicketRow | undefined> =>
  tables(db, supportTickets).selectFrom('support_tickets').selectAll().where('id', '=', id).executeTakeFirst();

/** Those that wait longest first, then the newest. */
export const listTickets = (
  db: ReadDb,
  {
    userId,
    status,
    agentId,
    ...paging
  }: Paging & {
    userId?: string | undefined;
    status?: TicketStatus | undefined;
    agentId?: string | undefined;
  },
): Promise<Page<TicketRow>> => {
  const matching = tables(db, supportTickets)
    .selectFrom('support_tickets')
    .selectAll()
    .$if(userId !== undefined, (q) => q.where('user_id', '=', userId as string))
    .$if(agentId !== undefined, (q) => q.where('agent_id', '=', agentId as string))
    .$if(status !== undefined, (q) => q.where('status', '=', status as TicketStatus));
  return pageOf(db, matching.orderBy('waiting_since').orderBy('created_at', 'desc').orderBy('id'), paging);
};

/** Tickets as replies. */
export const showTickets = async (db: ReadDb, rows: readonly TicketRow[]): Promise<JsonText<SupportTicket>[]> => {
  const formFor = await formsOf(db, supportTickets, rows, ['guest']);
  return rows.map((row) => formFor(row, 'guest') as JsonText<SupportTicket>);
};
export const showTicket = async (db: ReadDb, row: TicketRow): Promise<JsonText<SupportTicket>> =>
  (await showTickets(db, [row]))[0] as JsonText<SupportTicket>;
