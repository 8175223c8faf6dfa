/** The pictures and videos of stories: attached before the event that shows them, deleted after the one that drops them. */
import { changedNothing } from '../../domain/core/decider.ts';
import type { FileFacts, Usage } from '../../domain/files/file.ts';
import { resortStory } from '../../domain/stories/resortStory.ts';
import { story } from '../../domain/stories/story.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { attachFiles, detachUnused } from '../files/attachFiles.ts';
import type { FileUse } from '../files/uses.ts';

export const storyUsage = (id: string): Usage => ({ kind: 'story', id });
export const resortStoryUsage = (id: string): Usage => ({ kind: 'resort_story', id });

type Deps = Pick<CoreDeps, 'aggregates'>;

export const storyUse: FileUse<Deps> = async ({ aggregates }, { id, fileId }) => {
  const { state } = await aggregates.load(story, id);
  return 'media' in state && state.media.fileId === fileId;
};
export const resortStoryUse: FileUse<Deps> = async ({ aggregates }, { id, fileId }) => {
  const { state } = await aggregates.load(resortStory, id);
  return state.status === 'open' && state.content.media.fileId === fileId;
};

/**
 * Attaches the file, then decides. When the command is refused, it is detached again, unless it is used.
 * @throws Rejected `not_found` for a file that the actor has not uploaded, and what `work` throws
 */
export const withMedia = async <T>(
  { aggregates }: Deps,
  context: CommandContext,
  { mediaId, usage, isUsed }: { readonly mediaId: string; readonly usage: Usage; readonly isUsed: FileUse<Deps> },
  work: (media: FileFacts) => Promise<T>,
): Promise<T> => {
  const named = { ids: [mediaId], ownerId: context.actor.id, folder: 'stories', usage } as const;
  const [media] = await attachFiles({ aggregates }, context, named);
  if (!media) throw new Error('a file was attached, and has no facts');
  try {
    return await work(media);
  } catch (error) {
    if (changedNothing(error))
      await detachUnused({ aggregates }, context, named, (attached) => isUsed({ aggregates }, attached));
    throw error;
  }
};
