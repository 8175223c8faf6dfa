/** The pictures of deleted posts are deleted. Those of removed posts stay: they can be restored. */
import { policy } from '../core/policy.ts';
import { removeFiles } from '../files/usage.ts';
import { usageOf } from './files.ts';

export const forumPolicy = policy('forums', {
  ForumPostDeleted: ({ streamId: id, data: { fileIds: ids, topicId } }, { deps, context }) =>
    removeFiles(deps, context, { ids, usage: usageOf(id, topicId) }),
  ForumTopicDeleted: ({ streamId: topicId, data: { fileIds: ids, postId } }, { deps, context }) =>
    removeFiles(deps, context, { ids, usage: usageOf(postId, topicId) }),
});
