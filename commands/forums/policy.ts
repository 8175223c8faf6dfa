/** The pictures of deleted posts are deleted, or kept for admins; those of removed posts stay, because they can be restored. */
import { policy } from '../core/policy.ts';
import { removeOrKeep } from '../files/keptFiles.ts';
import { usageOf } from './posts.ts';

export const forumPolicy = policy('forums', {
  ForumPostDeleted: ({ streamId, at, data: { topicId, ...gone } }, ctx) =>
    removeOrKeep(ctx, { usage: usageOf(streamId, topicId), ...gone }, at),
  ForumTopicDeleted: ({ streamId, at, data: { postId, ...gone } }, ctx) =>
    removeOrKeep(ctx, { usage: usageOf(postId, streamId), ...gone }, at),
});
