/**
 * The pictures of deleted posts are deleted, or kept for admins; those of removed posts stay, because they can be restored.
 * What was appealed with success is undone.
 */
import { forumAppeal } from '../../domain/forums/appeal.ts';
import { policy } from '../core/policy.ts';
import { removeOrKeep } from '../files/keptFiles.ts';
import { undoDecision } from './appeals.ts';
import { usageOf } from './files.ts';

export const forumPolicy = policy('forums', {
  ForumPostDeleted: ({ streamId, at, data: { topicId, ...gone } }, ctx) =>
    removeOrKeep(ctx, { usage: usageOf(streamId, topicId), ...gone }, at),
  ForumTopicDeleted: ({ streamId, at, data: { postId, ...gone } }, ctx) =>
    removeOrKeep(ctx, { usage: usageOf(postId, streamId), ...gone }, at),
  ForumAppealAnswered: async ({ streamId, data: { accepted } }, { deps, context }) => {
    const { state } = await deps.aggregates.load(forumAppeal, streamId);
    if (accepted && state.status === 'answered') await undoDecision(deps, context, state.decision);
  },
});
