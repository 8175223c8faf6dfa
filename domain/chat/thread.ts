/**
 * A thread: two people, a group, or a person and the support. Members join and leave, and every message is decided here,
 * so that nobody writes after the end of their membership. The newest messages are remembered by their ids: a repeated
 * request is the same message.
 */
import { type Decider, notFound, Outdated, Rejected } from '../core/decider.ts';
import { addMs, DAY_MS } from '../core/instants.ts';
import type { FileFacts } from '../files/file.ts';
import { kindOf } from '../files/folders.ts';
import {
  LEFT_DAYS,
  MAX_MEMBERS,
  type MemberRole,
  type MessageSent,
  type ThreadEvent,
  type ThreadType,
  threadEvents,
} from './threadEvents.ts';
import {
  evolve,
  initial,
  isMember,
  type Member,
  type OpenThread,
  remembersAll,
  type Thread,
  threadSnapshot,
} from './threadState.ts';

/** What the id of the thread of two people derives from: the same, whoever starts it. */
export const p2pThreadName = (one: string, other: string): readonly [string, ...string[]] => [
  'p2pThread',
  ...[one, other].sort(),
];

export type ThreadCommand =
  /** The id of the thread says what makes it the same: the pair, the person, or the request. */
  | {
      readonly type: 'StartThread';
      readonly threadType: ThreadType;
      readonly by: string;
      readonly memberIds: readonly string[];
      readonly title: string | null;
      readonly areFriends?: boolean;
    }
  | { readonly type: 'RenameThread'; readonly renameId: string; readonly title: string; readonly by: string }
  | { readonly type: 'AddMember'; readonly accountId: string; readonly by: string; readonly at: string }
  | { readonly type: 'RemoveMember'; readonly accountId: string; readonly by: string; readonly at: string }
  | { readonly type: 'LeaveThread'; readonly accountId: string; readonly at: string }
  | { readonly type: 'ChangeMemberRole'; readonly accountId: string; readonly role: MemberRole; readonly by: string }
  | SendMessage;

export interface SendMessage
  extends Pick<
    MessageSent,
    'messageId' | 'senderId' | 'kind' | 'body' | 'attachments' | 'replyTo' | 'clientMessageId'
  > {
  readonly type: 'SendMessage';
  readonly mentions: readonly string[];
  /** Whether the sender answers for the support: such a person writes in support threads without being a member. */
  readonly isAgent: boolean;
  /** Whether the message was looked for among those that the thread does not remember. */
  readonly wasSought: boolean;
}

/** Refuses people who are mentioned without being in the thread. @throws Rejected `invalid` */
export const refuseStrangers = (state: OpenThread, mentions: readonly string[]): void => {
  const strangers = mentions.filter((id) => !isMember(state, id));
  if (strangers.length > 0)
    throw new Rejected('invalid', 'Only members of the chat can be mentioned.', {
      fields: ['mentions'],
      account_ids: strangers,
    });
};

/** The thread, for somebody who may write in it. @throws Rejected `not_found` */
export const asWriter = (state: Thread, accountId: string, isAgent: boolean): OpenThread => {
  if (state.type === 'none') throw notFound('chat');
  if (isMember(state, accountId) || (state.type === 'support' && isAgent)) return state;
  throw notFound('chat');
};

const asMember = (state: Thread, accountId: string): OpenThread => asWriter(state, accountId, false);

/** @throws Rejected `not_found`, `invalid` for a thread whose members do not change */
const asGroupMember = (state: Thread, accountId: string): OpenThread => {
  const open = asMember(state, accountId);
  if (open.type !== 'group')
    throw new Rejected('invalid', 'Only groups have a title and members that change.', { fields: ['thread_id'] });
  return open;
};

/** @throws Rejected `not_found`, `invalid`, `forbidden` */
const asAdmin = (state: Thread, accountId: string): OpenThread => {
  const open = asGroupMember(state, accountId);
  if (open.members.find(({ id }) => id === accountId)?.role !== 'admin')
    throw new Rejected('forbidden', 'Only an admin of the group can do this.');
  return open;
};

const start = (
  { threadType: type, by, memberIds, title, areFriends }: Extract<ThreadCommand, { type: 'StartThread' }>,
  state: Thread,
): ThreadEvent[] =>
  state.type === 'none'
    ? [
        {
          type: 'ThreadStarted',
          data: {
            type,
            startedBy: by,
            memberIds: [...memberIds],
            title,
            ...(areFriends !== undefined && { areFriends }),
          },
        },
      ]
    : [];

/** Refuses a message without a content that fits its kind. @throws Rejected `invalid` */
export const refuseUnfit = ({
  kind,
  body,
  attachments,
}: Pick<MessageSent, 'kind' | 'body'> & { readonly attachments: readonly FileFacts[] }): void => {
  const media = attachments.map(({ mime }) => kindOf(mime));
  if (kind === 'text' && body.trim() === '' && media.length === 0)
    throw new Rejected('invalid', 'A text message needs a text or an attachment.', { fields: ['body', 'attachments'] });
  if (kind === 'image' && (media.length === 0 || media.some((one) => one !== 'image')))
    throw new Rejected('invalid', 'An image message needs pictures, and nothing else, as attachments.', {
      fields: ['attachments'],
    });
  if (kind === 'voice' && !(media.length === 1 && media[0] === 'voice'))
    throw new Rejected('invalid', 'A voice message needs one recording as its attachment.', {
      fields: ['attachments'],
    });
};

/** Whether a message is among the newest ones. */
export const wasSent = (state: Thread, messageId: string): boolean =>
  state.type !== 'none' && state.recent.some(({ id }) => id === messageId);

const send = ({ type, isAgent, wasSought, mentions, ...message }: SendMessage, state: Thread): ThreadEvent[] => {
  // Also for people who were removed since: the id derives from the sender.
  if (wasSent(state, message.messageId)) return [];
  if (!wasSought && state.type !== 'none' && !remembersAll(state)) throw new Outdated();
  const open = asWriter(state, message.senderId, isAgent);
  refuseUnfit(message);
  refuseStrangers(open, mentions);
  const { type: threadType, members, lastSeq } = open;
  const parties = threadType === 'group' ? [] : members.map(({ id }) => id);
  const data = { ...message, seq: lastSeq + 1, threadType, mentions: [...mentions], parties };
  return [{ type: 'MessageSent', data }];
};

/** The group goes on without this member. Its first member becomes an admin where none is left. */
const without = (open: OpenThread, accountId: string, ended: ThreadEvent): ThreadEvent[] => {
  const [next, ...others] = open.members.filter(({ id }) => id !== accountId);
  const isAdmin = ({ role }: Member) => role === 'admin';
  if (!next || isAdmin(next) || others.some(isAdmin)) return [ended];
  return [ended, { type: 'MemberRoleChanged', data: { accountId: next.id, role: 'admin' } }];
};

/** @throws Rejected `forbidden`, with `until`, for somebody who has left the group lately */
const refuseWhoLeft = ({ left }: OpenThread, accountId: string, at: string): void => {
  const since = left.findLast(({ id }) => id === accountId)?.at;
  if (since === undefined) return;
  const until = addMs(since, LEFT_DAYS * DAY_MS);
  if (at >= until) return;
  throw new Rejected('forbidden', `This person has left the group. Others can add them again after ${until}.`, {
    until,
  });
};

const leave = (accountId: string, at: string, state: Thread): ThreadEvent[] => {
  if (state.type === 'none') throw notFound('chat');
  if (!isMember(state, accountId)) return [];
  if (state.type !== 'group') throw new Rejected('invalid', 'Only groups can be left.', { fields: ['thread_id'] });
  return without(state, accountId, { type: 'MemberLeft', data: { accountId, leftAt: at } });
};

const decide = (command: ThreadCommand, state: Thread): ThreadEvent[] => {
  switch (command.type) {
    case 'StartThread':
      return start(command, state);
    case 'SendMessage':
      return send(command, state);
    case 'LeaveThread':
      return leave(command.accountId, command.at, state);
    case 'RenameThread': {
      const { type, ...data } = command;
      return asAdmin(state, data.by).renameId === data.renameId ? [] : [{ type: 'ThreadRenamed', data }];
    }
    case 'AddMember': {
      const { accountId, by } = command;
      const open = asAdmin(state, by);
      if (isMember(open, accountId)) return [];
      refuseWhoLeft(open, accountId, command.at);
      if (open.members.length >= MAX_MEMBERS)
        throw new Rejected('conflict', `A group has at most ${MAX_MEMBERS} members.`);
      return [{ type: 'MemberAdded', data: { accountId, by, afterSeq: open.lastSeq } }];
    }
    case 'RemoveMember': {
      const { accountId, by } = command;
      if (accountId === by) return leave(accountId, command.at, state);
      const open = asAdmin(state, by);
      if (!isMember(open, accountId)) return [];
      return [{ type: 'MemberRemoved', data: { accountId, by } }];
    }
    case 'ChangeMemberRole': {
      const { accountId, role, by } = command;
      const open = asGroupMember(state, by);
      const member = open.members.find(({ id }) => id === accountId);
      if (!member) throw notFound('member');
      if (member.role === role) return [];
      asAdmin(state, by);
      if (role === 'member' && open.members.filter((one) => one.role === 'admin').length === 1)
        throw new Rejected('conflict', 'A group needs an admin. Appoint another one first.');
      return [{ type: 'MemberRoleChanged', data: { accountId, role } }];
    }
  }
};

export const thread: Decider<Thread, ThreadCommand, ThreadEvent> = {
  category: 'thread',
  events: threadEvents,
  initial,
  decide,
  evolve,
  snapshot: threadSnapshot,
};
