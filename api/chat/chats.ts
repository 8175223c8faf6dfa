/** Chats: listed, started, set for oneself, left. */
import { Type } from '@sinclair/typebox';
import { leaveThread } from '../../commands/chat/leaving.ts';
import { changePreferences } from '../../commands/chat/ownThreads.ts';
import { loadThread, MAX_FIRST_MEMBERS, startGroup, startP2p } from '../../commands/chat/threads.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { GroupTitle, MAX_MEMBERS, type ThreadType, threadTypes } from '../../domain/chat/threadEvents.ts';
import { ThreadPreferences } from '../../domain/chat/threadMember.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { haveBooked } from '../../projections/bookings/bookings.ts';
import { chatChannel } from '../../projections/chat/channels.ts';
import { chatActivity } from '../../projections/chat/chatActivity.ts';
import { Chat, chatFor, listChats, newChat } from '../../projections/chat/chats.ts';
import { participants } from '../../projections/chat/participants.ts';
import { threadPreferences } from '../../projections/chat/preferences.ts';
import { threads } from '../../projections/chat/threads.ts';
import { callersChannel } from '../accounts/channels.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { ListOf, pagedText, pagingQuery } from '../http/paging.ts';
import { NO_CONTENT, route, withStatus } from '../http/route.ts';
import { shownAfter } from '../http/shownAfter.ts';
import { actorOf } from './access.ts';

export const OfThread = Type.Object({ thread_id: Uuid });
const archived = Type.Optional(Type.Boolean({ description: 'Only archived chats, or only others.' }));
const LIST = {
  access: 'user',
  reply: ListOf(Chat),
  description: 'Pinned ones first, then by the newest message.',
  reads: [threads, chatActivity],
  needs: [chatActivity],
} as const;

const list = async (
  app: App,
  caller: User,
  { archived, ...query }: { page?: number; per_page?: number; archived?: boolean; type?: ThreadType },
) => {
  return pagedText(query, (paging) => listChats(app.db, caller.id, { type: query.type, archived, ...paging }));
};

/** The list under its addresses. */
const lists = (
  [
    ['GET /api/v1/chats/me', 'listOwnChats', 'List own chats'],
    ['GET /api/v1/chats', 'listChats', 'List own chats: the same as `/chats/me`'],
  ] as const
).map(([key, id, summary]) =>
  route(key, {
    id,
    summary,
    ...LIST,
    query: Type.Object({ ...pagingQuery, type: Type.Optional(OneOf(threadTypes)), archived }),
    channel: callersChannel,
    handle: ({ query, caller }, app) => list(app, caller, query),
  }),
);

const listP2p = route('GET /api/v1/p2p-chats', {
  id: 'listP2pChats',
  summary: 'List own chats with one other person',
  ...LIST,
  query: Type.Object({ ...pagingQuery, archived }),
  channel: callersChannel,
  handle: ({ query, caller }, app) => list(app, caller, { ...query, type: 'p2p' }),
});

/** A chat as the caller sees it now. @throws Rejected `not_found` */
export const chatOf = async (app: App, { id, role }: User, threadId: string): Promise<JsonText<Chat>> => {
  const found = await chatFor(app.db, threadId, { accountId: id, role });
  if (!found) throw notFound('chat');
  return found;
};

const STARTED = {
  access: 'user',
  reply: Chat,
  status: 201,
  alternatives: { 200: { description: 'The chat existed before.' } },
  errors: ['not_found', 'invalid', 'forbidden', 'too_many_attempts'],
  projections: [threads],
} as const;

const startWith = async (app: App, context: CommandContext, { id: by }: User, other: string) => {
  const { threadId, isNew, areFriends } = await shownAfter(app, context, [threads], (own) =>
    startP2p(app, own, by, other, () => haveBooked(app.db, by, other)),
  );
  const facts = { id: threadId, type: 'p2p', title: null, created_by: by, created_at: context.at } as const;
  if (isNew) return newChat(app.db, facts, [by, other].sort(), areFriends);
  const known = await chatFor(app.db, threadId, { accountId: by, role: '' });
  return withStatus(200, known ?? (await newChat(app.db, facts, [by, other].sort(), areFriends)));
};

const starts = (
  [
    ['POST /api/v1/chats/start', 'startChat'],
    ['POST /api/v1/p2p-chats', 'startP2pChat'],
  ] as const
).map(([key, id]) =>
  route(key, {
    id,
    summary: 'Start a chat with a user',
    description: 'Two people have one chat, whoever starts it. A chat that the user has left is listed again.',
    ...STARTED,
    body: Type.Object({ user_id: Uuid }),
    handle: ({ body, caller, context }, app) => startWith(app, context, caller, body.user_id),
  }),
);

const create = route('POST /api/v1/chats', {
  id: 'createChat',
  summary: 'Start a chat with a user, or a group',
  description: `With \`user_id\` as \`/chats/start\`. With \`title\` it starts a group of up to ${MAX_MEMBERS} members, ${MAX_FIRST_MEMBERS} of them in \`member_ids\`; the caller is its admin.`,
  ...STARTED,
  body: Type.Object(
    {
      user_id: Type.Optional(Uuid),
      title: Type.Optional(GroupTitle),
      member_ids: Type.Optional(Type.Array(Uuid, { maxItems: MAX_FIRST_MEMBERS, uniqueItems: true })),
    },
    { $id: 'NewChat', minProperties: 1 },
  ),
  handle: async ({ body: { user_id, title, member_ids = [] }, caller, context }, app) => {
    if (user_id !== undefined && title === undefined && member_ids.length === 0)
      return startWith(app, context, caller, user_id);
    if (user_id !== undefined || title === undefined)
      throw new Rejected('invalid', 'Send user_id for a chat with one person, or title and member_ids for a group.', {
        fields: ['user_id', 'title'],
      });
    const { threadId: id } = await startGroup(app, context, caller.id, { title, memberIds: member_ids });
    const facts = { id, type: 'group', title, created_by: caller.id, created_at: context.at } as const;
    return newChat(app.db, facts, [caller.id, ...member_ids.filter((one) => one !== caller.id)]);
  },
});

const details = (
  [
    ['GET /api/v1/chats/:thread_id', 'getChat'],
    ['GET /api/v1/p2p-chats/:thread_id', 'getP2pChat'],
  ] as const
).map(([key, id]) =>
  route(key, {
    id,
    access: 'user',
    summary: 'Get a chat with its members',
    description: 'For its members. Admins also see chats of the support.',
    params: OfThread,
    reply: Chat,
    errors: ['not_found'],
    reads: [threads],
    channel: { of: chatChannel, id: ({ params }) => params.thread_id },
    handle: ({ params, caller }, app) => chatOf(app, caller, params.thread_id),
  }),
);

const set = route('PATCH /api/v1/chats/:thread_id', {
  id: 'updateChat',
  access: 'user',
  summary: 'Pin, mute or archive a chat for oneself',
  params: OfThread,
  body: Type.Object(Type.Partial(ThreadPreferences).properties, { minProperties: 1 }),
  reply: Chat,
  errors: ['not_found'],
  projections: [threadPreferences, chatActivity],
  handle: async ({ params: { thread_id: threadId }, body, caller, context }, app) => {
    await loadThread(app, threadId, { ...actorOf(caller), isAgent: false });
    const own = { threadId, accountId: caller.id };
    await shownAfter(app, context, [threadPreferences], (settling) => changePreferences(app, settling, own, body));
    return chatOf(app, caller, threadId);
  },
});

const leave = route('DELETE /api/v1/chats/:thread_id', {
  id: 'leaveChat',
  access: 'user',
  summary: 'Leave a chat',
  description:
    'A group is left at once. A chat with one person or with the support is taken off the list until there is a new message.',
  params: OfThread,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: [participants],
  handle: async ({ params, caller, context }, app) => {
    await leaveThread(app, context, { threadId: params.thread_id, accountId: caller.id });
    return null;
  },
});

export const chatRoutes = [...lists, listP2p, ...starts, create, ...details, set, leave];
