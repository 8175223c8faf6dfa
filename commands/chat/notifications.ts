/**
 * What people are told about chats: one notification a chat, which counts its new messages, and one for each mention. They
 * name the sender, never what was written. Whoever has read the message by then is not told.
 */
import { Type } from '@sinclair/typebox';
import { account, isErased } from '../../domain/accounts/account.ts';
import { message } from '../../domain/chat/message.ts';
import { thread } from '../../domain/chat/thread.ts';
import { threadTypes } from '../../domain/chat/threadEvents.ts';
import { isMember, type Member, type OpenThread } from '../../domain/chat/threadState.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, DAY_MS, instantOf } from '../../domain/core/instants.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { countedRu } from '../../domain/core/wording.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { CoreDeps } from '../core/deps.ts';
import { notification, type Settled } from '../core/notification.ts';
import { messageRemoved } from './removalNotice.ts';
import { forgetGone, rememberGone, tellUnread, unreadOf } from './unread.ts';

/**
 * Messages within this time, in milliseconds, are told together. In groups longer: each of them is told to every
 * member. Whoever reads along has read them by the end.
 */
const TOGETHER_MS = { p2p: 1_000, support: 1_000, group: 30_000 } as const;
const READING_MS = 1_500;

/**
 * The end of the stretch of time in which the message was sent. Those of different chats end at different times, so that
 * not everybody is told at once.
 */
const stretchOf = (threadId: string, at: string, type: keyof typeof TOGETHER_MS): number => {
  const length = TOGETHER_MS[type];
  const start = Number.parseInt(threadId.slice(-8), 16) % length;
  return (Math.floor((Date.parse(at) - start) / length) + 1) * length + start;
};

const othersIn = ({ members }: OpenThread, senderId: string): Member[] => members.filter(({ id }) => id !== senderId);

const linkOf = ({ thread_id }: { readonly thread_id: string }): string => `/chats/${thread_id}`;

/**
 * Whom the message mentions now: it may have been edited or deleted since the cue, or its sender erased.
 * @param cue.mentions divided by spaces
 */
const mentionedNow = async (
  { aggregates }: Pick<CoreDeps, 'aggregates'>,
  {
    messageId,
    senderId,
    mentions,
  }: { readonly messageId: string; readonly senderId: string; readonly mentions: string },
): Promise<ReadonlySet<string>> => {
  const named = mentions.split(' ').filter(Boolean);
  if (named.length === 0) return new Set();
  const { status, text } = (await aggregates.load(message, messageId)).state;
  const { state: sender } = await aggregates.load(account, senderId);
  if (status !== 'written' || isErased(sender)) return new Set();
  return new Set(text === null ? named : named.filter((id) => text.mentions.includes(id)));
};

/**
 * Who has left a group, or was removed from it, and up to where it had messages by then; undefined: they are in it again,
 * and what they were told leads them there.
 */
const goneFrom = async (
  { streamId: threadId, data: { accountId: to } }: Recorded<EventOf<'MemberLeft' | 'MemberRemoved'>>,
  { aggregates }: Pick<CoreDeps, 'aggregates'>,
) => {
  const { state } = await aggregates.load(thread, threadId);
  return state.type === 'none' || isMember(state, to) ? undefined : { to, threadId, upToSeq: state.lastSeq };
};

/**
 * A message that is gone leaves nothing unread: whoever has no other one is told of nothing any more, and for the others their
 * number is lower. All members learn what is unread now.
 */
const messageGone = async (
  { streamId: messageId, at, data: { threadId, seq } }: Recorded<EventOf<'MessageDeleted' | 'MessageRemoved'>>,
  deps: CoreDeps,
): Promise<Settled[]> => {
  const { state } = await deps.aggregates.load(thread, threadId);
  // Events of before do not have the number: the thread knows those of its newest messages.
  const number = seq ?? (state.type === 'none' ? undefined : state.recent.find(({ id }) => id === messageId)?.seq);
  if (state.type === 'none' || number === undefined) return [];
  await rememberGone(deps, threadId, number, at);
  const unread = await unreadOf(deps, threadId, state, state.members);
  const concerned = unread.filter(({ readUpTo }) => readUpTo < number);
  await tellUnread(deps, threadId, state, concerned);
  return concerned.map(({ to, count: left }) => ({ to, key: threadId, version: state.lastSeq, left }));
};

/** A message that is there again may be unread again: members learn what is unread now. Nothing else is taken back. */
const messageBack = async (
  { data: { threadId, seq } }: Recorded<EventOf<'MessageRestored'>>,
  deps: CoreDeps,
): Promise<Settled[]> => {
  await forgetGone(deps, threadId, seq);
  const { state } = await deps.aggregates.load(thread, threadId);
  if (state.type === 'none') return [];
  const unread = await unreadOf(deps, threadId, state, state.members);
  await tellUnread(
    deps,
    threadId,
    state,
    unread.filter(({ readUpTo }) => readUpTo < seq),
  );
  return [];
};

type Gone = Parameters<typeof goneFrom>;
const messagesOfGone = async (...gone: Gone): Promise<Settled | undefined> => {
  const found = await goneFrom(...gone);
  return found && { to: found.to, key: found.threadId, version: found.upToSeq };
};
const mentionsOfGone = async (...gone: Gone): Promise<Settled | undefined> => {
  const found = await goneFrom(...gone);
  return found && { to: found.to, about: { thread_id: found.threadId }, upToSeq: found.upToSeq };
};

const chatMessages = notification('chat_messages', {
  kind: 'chat',
  urgency: 'high',
  worthMs: DAY_MS,
  params: Type.Object({ thread_id: Uuid, thread_type: OneOf(threadTypes) }),
  on: {
    MessageSent: ({ streamId: threadId, at, data: { threadType, messageId, senderId, mentions } }) => {
      const end = stretchOf(threadId, at, threadType);
      return {
        about: { threadId, senderId, messageId, mentions: mentions.join(' ') },
        key: `${threadId} ${end}`,
        dueAt: instantOf(end + READING_MS),
      };
    },
  },
  settledBy: {
    ThreadRead: async ({ data: { threadId: key, accountId: to, upToSeq: version } }, deps) => {
      const { state } = await deps.aggregates.load(thread, key);
      const own = state.type === 'none' ? [] : state.members.filter(({ id }) => id === to);
      if (state.type !== 'none') await tellUnread(deps, key, state, await unreadOf(deps, key, state, own));
      return { to, key, version };
    },
    // People who write have seen what was written before.
    MessageSent: ({ streamId: key, data: { senderId: to, seq: version } }) => ({ to, key, version }),
  },
  takenBackBy: {
    MemberLeft: messagesOfGone,
    MemberRemoved: messagesOfGone,
    MessageDeleted: messageGone,
    MessageRemoved: messageGone,
    MessageRestored: messageBack,
  },
  find: async ({ threadId = '', senderId = '', messageId = '', mentions = '' }, { deps }) => {
    const { state } = await deps.aggregates.load(thread, threadId);
    if (state.type === 'none') return [];
    const { lastSeq: version, type } = state;
    // Whom the last of these messages mentions was told of it by `chat_mention`.
    const mentioned = type === 'group' ? await mentionedNow(deps, { messageId, senderId, mentions }) : new Set();
    const told = (await unreadOf(deps, threadId, state, othersIn(state, senderId))).filter(({ count }) => count > 0);
    await tellUnread(deps, threadId, state, told);
    return told
      .filter(({ isMuted }) => !isMuted)
      .map(({ to, count }) => ({
        to,
        of: senderId,
        key: threadId,
        version,
        known: version - count,
        isListedOnly: mentioned.has(to),
        params: { thread_id: threadId, thread_type: type },
      }));
  },
  text: {
    ru: ({ thread_type }, { name, count }) => ({
      title: thread_type === 'group' ? 'Групповой чат' : name,
      body: `${thread_type === 'group' ? `${name}: ` : ''}${count === 1 ? 'Новое сообщение' : countedRu(count, 'новое сообщение', 'новых сообщения', 'новых сообщений')}`,
    }),
    en: ({ thread_type }, { name, count }) => ({
      title: thread_type === 'group' ? 'Group chat' : name,
      body: `${thread_type === 'group' ? `${name}: ` : ''}${count === 1 ? 'New message' : `${count} new messages`}`,
    }),
  },
  link: linkOf,
});

const without = (all: readonly string[], some: readonly string[]): string[] => all.filter((id) => !some.includes(id));

/** Nobody is mentioned any more. No edit comes later. */
const mentionsGone = ({
  streamId: key,
  revision,
  data: { mentions = [] },
}: Recorded<EventOf<'MessageDeleted' | 'MessageRemoved'>>) =>
  mentions.map((to) => ({ to, key, version: Number(revision) }));

/**
 * Also in a muted chat; between two people only there, because otherwise the message itself is told. One that is edited in
 * is told, one that stays is not told again, and one that goes, also with its message or the membership, is taken back.
 */
const chatMention = notification('chat_mention', {
  kind: 'chat',
  urgency: 'high',
  worthMs: DAY_MS,
  // `seq`: of the message; 0 where an edit added the mention.
  params: Type.Object({ thread_id: Uuid, seq: Type.Integer() }),
  on: {
    MessageSent: ({ streamId: threadId, at, data: { messageId, senderId, seq, mentions } }) =>
      mentions.length === 0
        ? undefined
        : {
            about: { threadId, messageId, senderId, seq: String(seq), mentions: mentions.join(' ') },
            dueAt: addMs(at, READING_MS),
          },
    MessageEdited: ({ streamId: messageId, revision, data: { threadId, senderId, mentions, formerMentions = [] } }) => {
      const added = without(mentions, formerMentions).join(' ');
      const edit = String(Number(revision) + 1);
      return added === '' ? undefined : { about: { threadId, messageId, senderId, mentions: added, edit } };
    },
  },
  settledBy: {
    ThreadRead: ({ data: { threadId, accountId: to, upToSeq } }) => ({ to, about: { thread_id: threadId }, upToSeq }),
    MessageSent: ({ streamId: thread_id, data: { senderId: to, seq: upToSeq } }) => ({
      to,
      about: { thread_id },
      upToSeq,
    }),
  },
  takenBackBy: {
    MessageDeleted: mentionsGone,
    MessageRemoved: mentionsGone,
    MessageEdited: ({ streamId: key, revision, data: { mentions, formerMentions = [] } }) =>
      without(formerMentions, mentions).map((to) => ({ to, key, version: Number(revision) })),
    MemberLeft: mentionsOfGone,
    MemberRemoved: mentionsOfGone,
  },
  find: async ({ threadId = '', messageId = '', senderId = '', seq, mentions = '', edit = '0' }, { deps }) => {
    const { state } = await deps.aggregates.load(thread, threadId);
    if (state.type === 'none') return [];
    const mentioned = await mentionedNow(deps, { messageId, senderId, mentions });
    // A person who was mentioned before, and taken back, is told again by a later edit.
    const version = Number(edit);
    const params = { thread_id: threadId, seq: Number(seq ?? 0) };
    const told = othersIn(state, senderId).filter(({ id }) => mentioned.has(id));
    return (await unreadOf(deps, threadId, state, told))
      .filter(({ isMuted }) => isMuted || state.type === 'group')
      .filter(({ readUpTo }) => seq === undefined || readUpTo < Number(seq))
      .map(({ to }) => ({ to, of: senderId, key: messageId, version, params }));
  },
  text: {
    ru: (_, { name }) => ({ title: 'Вас упомянули', body: `${name} упоминает вас в чате.` }),
    en: (_, { name }) => ({ title: 'You were mentioned', body: `${name} mentioned you in a chat.` }),
  },
  link: linkOf,
});

export const chatNotifications = [chatMessages, chatMention, messageRemoved];
