/**
 * The pictures of deleted posts are deleted; those of removed posts stay, because they can be restored. What was appealed
 * with success is undone.
 */
import { forumAppeal } from '../../domain/forums/appeal.ts';
import { policy } from '../core/policy.ts';
import { removeFiles } from '../files/attachFiles.ts';
import { undoDecision } from './appeals.ts';
import { usageOf } from './files.ts';

export const forumPolicy = policy('forums', {
  ForumPostDeleted: ({ streamId: id, data: { fileIds: ids, topicId } }, { deps, context }) =>
    removeFiles(deps, context, { ids, usage: usageOf(id, topicId) }),
  ForumTopicDeleted: ({ streamId: topicId, data: { fileIds: ids, postId } }, { deps, context }) =>
    removeFiles(deps, context, { ids, usage: usageOf(postId, topicId) }),
  ForumAppealAnswered: async ({ streamId, data: { accepted } }, { deps, context }) => {
    const { state } = await deps.aggregates.load(forumAppeal, streamId);
    if (accepted && state.status === 'answered') await undoDecision(deps, context, state.decision);
  },
});
