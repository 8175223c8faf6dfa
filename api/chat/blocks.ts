/** Blocks the other person of a chat: the same as under `/friends/blocked`. */
import { otherOf } from '../../commands/chat/blocks.ts';
import { loadThread } from '../../commands/chat/threads.ts';
import { block, unblock } from '../../commands/friends/friends.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { participants } from '../../projections/chat/participants.ts';
import { friendships } from '../../projections/friends/friendships.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { NO_CONTENT, route } from '../http/route.ts';
import { OfThread } from './chats.ts';

const BLOCKING = {
  access: 'user',
  params: OfThread,
  ...NO_CONTENT,
  errors: ['not_found', 'invalid', 'too_many_attempts'],
  projections: [friendships, participants],
} as const;

/** The caller and the other person of a p2p chat. @throws Rejected `not_found`, `invalid` */
const pairOf = async (app: App, { id }: User, threadId: string) => {
  const other = otherOf(await loadThread(app, threadId, { accountId: id, isAgent: false }), id);
  if (other === undefined)
    throw new Rejected('invalid', 'Only a chat with one person can be blocked.', { fields: ['thread_id'] });
  return { by: id, other };
};

const blockOther = route('POST /api/v1/chats/:thread_id/block', {
  id: 'blockChat',
  summary: 'Block the other person of a chat',
  description:
    'Neither can write in the chat or follow it live any more; both keep reading it. The other person is not told.',
  ...BLOCKING,
  handle: async ({ params, caller, context }, app) => {
    await block(app, context, await pairOf(app, caller, params.thread_id));
    return null;
  },
});

const unblockOther = route('DELETE /api/v1/chats/:thread_id/block', {
  id: 'unblockChat',
  summary: 'Unblock the other person of a chat',
  ...BLOCKING,
  handle: async ({ params, caller, context }, app) => {
    await unblock(app, context, await pairOf(app, caller, params.thread_id));
    return null;
  },
});

export const blockRoutes = [blockOther, unblockOther];
