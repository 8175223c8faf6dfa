/** The pictures of posts: whether a post was written with them. */
import type { Usage } from '../../domain/files/file.ts';
import { forumTopic } from '../../domain/forums/topic.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { AttachedFile } from '../files/fileUses.ts';
import { wasRecorded } from '../files/wasRecorded.ts';

export const usageOf = (postId: string, topicId: string): Usage => ({
  kind: 'forum_post',
  id: postId,
  within: topicId,
});

/** Looks in the topic for the post with this picture, back to when it was attached. */
export const postUse = async (
  deps: Pick<CoreDeps, 'aggregates' | 'store' | 'codec'>,
  { id, within, fileId, attachedAt }: AttachedFile,
): Promise<boolean> => {
  // The post of a usage that does not name its topic cannot be found.
  if (within === undefined) return true;
  const { revision: from } = await deps.aggregates.load(forumTopic, within);
  const is = ({ data: { postId, pictures } }: EventOf<'ForumPostWritten'>): boolean =>
    postId === id && pictures.some((picture) => picture.fileId === fileId);
  return wasRecorded(deps, {
    category: forumTopic.category,
    id: within,
    from,
    type: 'ForumPostWritten',
    is,
    attachedAt,
  });
};
