/** What an edited or removed post said before. */
import { Rejected } from '../../domain/core/decider.ts';
import { forumPostEdits, historyOf, PostHistory } from '../../projections/forums/postEdits.ts';
import { forumPosts } from '../../projections/forums/posts.ts';
import { ById, route } from '../http/route.ts';
import { readablePost } from './access.ts';

export const historyRoute = route('GET /api/v1/forums/posts/:id/history', {
  id: 'getForumPostHistory',
  access: 'user',
  harm: { of: 'content', by: 'admin' },
  summary: 'Get the former texts of a post',
  description:
    'For its author and admins, also once a moderator has removed it. Others see only that it was edited. A deleted post has none; if its author deleted it while a report was open, admins see what it said, and its pictures.',
  params: ById,
  reply: PostHistory,
  errors: ['not_found', 'forbidden'],
  reads: [forumPosts, forumPostEdits],
  handle: async ({ params, caller, context }, app) => {
    const row = await readablePost(app, caller, params.id);
    if (row.author_id !== caller.id && caller.role !== 'admin')
      throw new Rejected('forbidden', 'Former texts are shown to the author and to admins.');
    return historyOf(app.db, row, row.author_id === caller.id ? 'author' : 'admin', context.at);
  },
});
