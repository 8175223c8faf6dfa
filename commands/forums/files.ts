/** The pictures of posts: whether a post was written with them. */
import type { Usage } from '../../domain/files/file.ts';
import { forumTopic, wasWritten } from '../../domain/forums/topic.ts';
import type { EventOf } from '../../domain/modules.ts';
import { wasRecorded } from '../files/recorded.ts';
import type { FileUse } from '../files/uses.ts';

export const usageOf = (postId: string, topicId: string): Usage => ({
  kind: 'forum_post',
  id: postId,
  within: topicId,
});

/** Looks for the post among the newest ones, then in the topic, back to when the picture was attached. */
export const postUse: FileUse = async (deps, { id, within, attachedAt }) => {
  // The post of a usage that does not name its topic cannot be found.
  if (within === undefined) return true;
  const { state, revision: from } = await deps.aggregates.load(forumTopic, within);
  if (wasWritten(state, id)) return true;
  const is = ({ data }: EventOf<'ForumPostWritten'>): boolean => data.postId === id;
  return wasRecorded(deps, {
    category: forumTopic.category,
    id: within,
    from,
    type: 'ForumPostWritten',
    is,
    attachedAt,
  });
};
