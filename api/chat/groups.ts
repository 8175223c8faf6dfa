/** Groups: their title and their members. */
import { Type } from '@sinclair/typebox';
import { addMember, changeMemberRole, removeMember, renameThread } from '../../commands/chat/threads.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { GroupTitle, memberRoles } from '../../domain/chat/threadEvents.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { Chat } from '../../projections/chat/chats.ts';
import { participants } from '../../projections/chat/participants.ts';
import { threads } from '../../projections/chat/threads.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { NO_CONTENT, route } from '../http/route.ts';
import { shownAfter } from '../http/shownAfter.ts';
import { chatOf, OfThread } from './chats.ts';

const OfMember = Type.Object({ thread_id: Uuid, account_id: Uuid });
const CHANGED = {
  access: 'user',
  reply: Chat,
  errors: ['not_found', 'invalid', 'forbidden', 'conflict'],
  projections: [threads, participants],
} as const;

/** The chat after a change. */
const changed = async (
  app: App,
  { caller, context }: { readonly caller: User; readonly context: CommandContext },
  threadId: string,
  change: (context: CommandContext) => Promise<void>,
) => {
  await shownAfter(app, context, CHANGED.projections, change);
  return chatOf(app, caller, threadId);
};

const rename = route('PUT /api/v1/chats/:thread_id/title', {
  id: 'renameChat',
  summary: 'Rename a group',
  description: 'Its admins can do this.',
  ...CHANGED,
  params: OfThread,
  body: Type.Object({ title: GroupTitle }),
  handle: ({ params: { thread_id: id }, body: { title }, ...by }, app) =>
    changed(app, by, id, (context) => renameThread(app, context, id, { by: by.caller.id, title })),
});

const add = route('POST /api/v1/chats/:thread_id/members', {
  id: 'addChatMember',
  summary: 'Add a member to a group',
  description: 'Its admins can do this. The new member sees the whole history.',
  ...CHANGED,
  errors: [...CHANGED.errors, 'too_many_attempts'],
  params: OfThread,
  body: Type.Object({ account_id: Uuid }),
  handle: ({ params: { thread_id: id }, body, ...by }, app) =>
    changed(app, by, id, (context) => addMember(app, context, id, { by: by.caller.id, accountId: body.account_id })),
});

const setRole = route('PATCH /api/v1/chats/:thread_id/members/:account_id', {
  id: 'updateChatMember',
  summary: 'Change the role of a member of a group',
  description: 'Its admins can do this. A group always has an admin.',
  ...CHANGED,
  params: OfMember,
  body: Type.Object({ role: OneOf(memberRoles) }),
  handle: ({ params: { thread_id: id, account_id: accountId }, body: { role }, ...by }, app) =>
    changed(app, by, id, (context) => changeMemberRole(app, context, id, { by: by.caller.id, accountId, role })),
});

const remove = route('DELETE /api/v1/chats/:thread_id/members/:account_id', {
  id: 'removeChatMember',
  access: 'user',
  summary: 'Remove a member from a group',
  description: 'Its admins can do this. The access of the member ends at once, also on open sockets.',
  params: OfMember,
  ...NO_CONTENT,
  errors: ['not_found', 'invalid', 'forbidden'],
  projections: [participants],
  handle: async ({ params: { thread_id: id, account_id: accountId }, caller, context }, app) => {
    await removeMember(app, context, id, { by: caller.id, accountId });
    return null;
  },
});

export const groupRoutes = [rename, add, setRole, remove];
