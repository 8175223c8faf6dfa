/** Sends, edits, deletes and removes messages. */

import { message, type OfMessage } from '../../domain/chat/message.ts';
import { asWriter, refuseStrangers, refuseUnfit, thread, wasSent } from '../../domain/chat/thread.ts';
import type { MessageKind, MessageSent } from '../../domain/chat/threadEvents.ts';
import { isMember, type Numbered, remembersAll } from '../../domain/chat/threadState.ts';
import { changedNothing, Rejected } from '../../domain/core/decider.ts';
import type { Usage } from '../../domain/files/file.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CommandContext } from '../core/handle.ts';
import { withFiles } from '../files/attachFiles.ts';
import { recordedUse } from '../files/recordedUse.ts';
import { type EditedText, editText, type KnownText, type TextChanges } from '../reports/authoredText.ts';
import { refuseToWrite, refuseWhereBlocked } from './blocks.ts';
import type { ChatDeps, SendDeps } from './deps.ts';
import { loadThread, type ThreadActor } from './threads.ts';

export interface NewMessage {
  readonly threadId: string;
  readonly kind: MessageKind;
  readonly body: string;
  readonly mentions: readonly string[];
  readonly replyTo: Numbered | null;
  /** Ids of files that the sender has uploaded to the folder `chat`. */
  readonly attachments: readonly string[];
  readonly clientMessageId: string | null;
}

/** What the attachments of a message are used by. */
export const usageOf = (messageId: string, threadId: string): Usage => ({
  kind: 'message',
  id: messageId,
  within: threadId,
});

/** Whether a message was sent with an attachment. */
export const messageUse = recordedUse(thread, 'MessageSent', ({ data: { messageId: id, attachments: files } }) => ({
  id,
  files,
}));

/** The same for every attempt to send it. */
export const messageIdOf = (
  context: CommandContext,
  { accountId }: Pick<ThreadActor, 'accountId'>,
  { threadId, clientMessageId }: Pick<NewMessage, 'threadId' | 'clientMessageId'>,
): string =>
  clientMessageId === null
    ? derivedId(context.commandId, 'message')
    : derivedId('message', threadId, accountId, clientMessageId);

/**
 * Whether the thread, as this process knows it, remembers all its messages: one that is sent again need not be looked for in
 * the read models. Reads nothing; what is known may be of any age, because `sendMessage` decides on the log.
 */
export const isShort = async ({ aggregates }: SendDeps, threadId: string): Promise<boolean> => {
  const { state } = await aggregates.load(thread, threadId, { maxAgeMs: Number.POSITIVE_INFINITY });
  return state.type !== 'none' && remembersAll(state);
};

/**
 * Sends a message, decided together with the membership.
 * @param wasSought whether the read models have no such message. Without it, the thread must remember all its messages
 * @returns what was recorded; null when this message was sent before
 * @throws Rejected `not_found` for people who may not write in the thread and for a file of somebody else, `invalid`
 *   for a mention of somebody who is not in it, `forbidden` after a block, and to an erased person
 * @throws Outdated when the message must be looked for first
 */
export const sendMessage = async (
  deps: SendDeps,
  context: CommandContext,
  { accountId: senderId, isAgent }: ThreadActor,
  { threadId, attachments: ids, ...details }: NewMessage,
  wasSought = true,
): Promise<MessageSent | null> => {
  const messageId = messageIdOf(context, { accountId: senderId }, { threadId, ...details });
  /** The thread; undefined when this message was sent before. */
  const unlessSent = async () => {
    const { state, position } = await deps.aggregates.load(thread, threadId);
    if (!wasSent(state, messageId)) return state;
    if (position) context.onSettled?.(position);
    return undefined;
  };
  try {
    await refuseToWrite(deps, threadId, senderId);
  } catch (error) {
    // What was sent before is no new message.
    if (changedNothing(error) && !(await unlessSent())) return null;
    throw error;
  }
  if (ids.length > 0) {
    const state = await unlessSent();
    // A repeated request attaches nothing.
    if (!state) return null;
    asWriter(state, senderId, isAgent);
  }
  const attaching = { ids, ownerId: senderId, folder: 'chat', usage: usageOf(messageId, threadId) } as const;
  return withFiles(deps, context, attaching, async (attachments, detach) => {
    const command = { type: 'SendMessage', messageId, senderId, isAgent, wasSought, attachments, ...details } as const;
    const { events } = await deps.aggregates.handle(thread, threadId, command, context);
    const [sent] = events;
    if (sent?.type === 'MessageSent') return sent.data;
    await detach(); // Another attempt has sent it meanwhile.
    return null;
  });
};

/** A message as it is known from the read model: what was said when it was sent, and its text. */
export interface KnownMessage extends KnownText<OfMessage> {
  readonly kind: MessageKind;
}

/**
 * Edits a message. Whom it mentions must be in the thread; people who were mentioned and have left are no longer
 * mentioned.
 * @throws Rejected `not_found`, `invalid`, `forbidden`, `conflict` when it is too late
 */
export const editMessage = async (
  deps: ChatDeps,
  context: CommandContext,
  by: ThreadActor,
  { kind, ...known }: KnownMessage,
  changes: TextChanges,
): Promise<EditedText> => {
  const { threadId } = known.of;
  const open = await loadThread(deps, threadId, by);
  await refuseWhereBlocked(deps, threadId, by.accountId);
  refuseUnfit({ kind, body: changes.body, attachments: known.files });
  const wanted = changes.mentions ?? known.mentions;
  refuseStrangers(
    open,
    wanted.filter((one) => !known.mentions.includes(one)),
  );
  const text = { body: changes.body, mentions: wanted.filter((one) => isMember(open, one)) };
  return editText(deps, context, message, known, { text, by: by.accountId });
};

/** Removes a message of somebody else, with a reason for its sender. Whoever calls has made sure that `by` may do it. */
export const removeMessage = async (
  deps: ChatDeps,
  context: CommandContext,
  { id, kind: _, ...written }: KnownMessage,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> => {
  await deps.aggregates.handle(message, id, { type: 'RemoveText', written, by, reason }, context);
};

/** Whether somebody may remove messages of others: admins of the platform, and of the group while they are in it. */
const mayModerate = async (deps: ChatDeps, threadId: string, { accountId, isAgent }: ThreadActor): Promise<boolean> => {
  if (isAgent) return true;
  const { members } = await loadThread(deps, threadId, { accountId, isAgent });
  return members.some(({ id, role }) => id === accountId && role === 'admin');
};

/**
 * Deletes one's own message, also after leaving the thread; a moderator removes those of others.
 * @param isReported whether a report of it waits for an answer: what it said last and its files are kept for admins then
 * @param reason of a moderator, for the sender
 * @returns who has deleted it
 * @throws Rejected `not_found` for people who are not in the thread, `forbidden`, `invalid` for a moderator without a reason
 */
export const deleteMessage = async (
  deps: ChatDeps,
  context: CommandContext,
  by: ThreadActor,
  { id, kind, ...written }: KnownMessage,
  { isReported = false, reason }: { readonly isReported?: boolean; readonly reason?: string | undefined } = {},
): Promise<'author' | 'moderator'> => {
  const { threadId, authorId } = written.of;
  if (authorId === by.accountId) {
    await deps.aggregates.handle(message, id, { type: 'DeleteText', written, by: authorId, isReported }, context);
    return 'author';
  }
  if (!(await mayModerate(deps, threadId, by)))
    throw new Rejected('forbidden', 'Only its sender or an admin of the group can delete a message.');
  if (reason === undefined)
    throw new Rejected('invalid', 'Write a reason for the sender of the message.', { fields: ['reason'] });
  await removeMessage(deps, context, { id, kind, ...written }, { by: by.accountId, reason });
  return 'moderator';
};
