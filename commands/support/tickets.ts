/** Opens, takes, returns and resolves support tickets. The messages of a ticket are those of the person's thread. */
import { refuseUnfit, thread } from '../../domain/chat/thread.ts';
import { addMs, MINUTE_MS } from '../../domain/core/instants.ts';
import { type SupportDesk, type SupportDeskCommand, supportDesk } from '../../domain/support/supportDesk.ts';
import { derivedId } from '../../infra/ids.ts';
import type { SendDeps } from '../chat/deps.ts';
import { sendMessage } from '../chat/messages.ts';
import { startSupport, supportThreadId } from '../chat/threads.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { SupportDeps } from './deps.ts';

type Deps = Pick<SupportDeps, 'aggregates' | 'settings'>;

/** A ticket, and the person who has opened it. */
export interface OwnedTicket {
  readonly ticketId: string;
  readonly accountId: string;
}

/** Until when an answer is due that is awaited from now on. */
export const answerByOf = ({ settings }: Pick<Deps, 'settings'>, at: string): string =>
  addMs(at, settings.supportAnswerMinutes * MINUTE_MS);

export const commandDesk = async (
  { aggregates }: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  accountId: string,
  command: SupportDeskCommand,
): Promise<SupportDesk> => (await aggregates.handle(supportDesk, accountId, command, context)).state;

/** The number of the newest message in the person's thread with the support; 0: there is none. */
const newestSeq = async ({ aggregates }: Pick<Deps, 'aggregates'>, accountId: string): Promise<number> => {
  const { state } = await aggregates.load(thread, supportThreadId(accountId));
  return state.type === 'none' ? 0 : state.lastSeq;
};

export interface OpenedTicket {
  readonly ticketId: string;
  readonly threadId: string;
  /** False: another ticket was open, and the message was sent there. */
  readonly isNew: boolean;
}

/**
 * Opens a ticket with its first message. While another one is open, the message is sent there. Each step is safe to
 * repeat with the same `context.commandId`.
 * @throws Rejected `invalid` for an empty message
 */
export const openTicket = async (
  deps: Deps & SendDeps,
  context: CommandContext,
  accountId: string,
  { subject, message: body }: { readonly subject: string; readonly message: string },
): Promise<OpenedTicket> => {
  refuseUnfit({ kind: 'text', body, attachments: [] });
  const { threadId } = await startSupport(deps, followUp(context, 'thread'), accountId);
  const fresh = derivedId(context.commandId, 'ticket');
  const upToSeq = await newestSeq(deps, accountId);
  const open = { type: 'OpenTicket', ticketId: fresh, threadId, subject, upToSeq } as const;
  const desk = await commandDesk(deps, followUp(context, 'open'), accountId, open);
  const ticketId = desk.status === 'none' ? fresh : desk.id;
  const text = { kind: 'text', body, mentions: [], attachments: [], replyTo: null, clientMessageId: null } as const;
  await sendMessage(deps, followUp(context, 'message'), { accountId, isAgent: false }, { threadId, ...text });
  return { ticketId, threadId, isNew: ticketId === fresh };
};

/** @throws Rejected `not_found`, `conflict` when another agent has it, `invalid_transition` when it is resolved */
export const takeTicket = async (
  deps: Deps,
  context: CommandContext,
  { ticketId, accountId }: OwnedTicket,
  agentId: string,
): Promise<void> => {
  const command = { type: 'TakeTicket', ticketId, agentId, answerBy: answerByOf(deps, context.at) } as const;
  await commandDesk(deps, context, accountId, command);
};

/** Gives it back to the queue. @throws Rejected `not_found`, `conflict`, `invalid_transition` */
export const returnTicket = async (
  deps: Deps,
  context: CommandContext,
  { ticketId, accountId }: OwnedTicket,
  agentId: string,
): Promise<void> => {
  await commandDesk(deps, context, accountId, { type: 'ReturnTicket', ticketId, agentId });
};

/** @throws Rejected `not_found` */
export const resolveTicket = async (
  deps: Deps,
  context: CommandContext,
  { ticketId, accountId }: OwnedTicket,
  by: string,
): Promise<void> => {
  const upToSeq = await newestSeq(deps, accountId);
  await commandDesk(deps, context, accountId, { type: 'ResolveTicket', ticketId, by, upToSeq });
};

/** Resolves the ticket of an erased person: nobody could answer it. */
export const resolveOfErased = async (deps: Deps, context: CommandContext, person: string): Promise<void> => {
  const { state } = await deps.aggregates.load(supportDesk, person);
  if (state.status !== 'none') await resolveTicket(deps, context, { ticketId: state.id, accountId: person }, person);
};
