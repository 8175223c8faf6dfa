/** The pictures and videos of stories: attached before the event that shows them, deleted after the one that drops them. */
import type { FileFacts, Usage } from '../../domain/files/file.ts';
import { resortStory } from '../../domain/stories/resortStory.ts';
import { story } from '../../domain/stories/story.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { withFiles } from '../files/attachFiles.ts';
import type { FileUse } from '../files/fileUses.ts';

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
 * Attaches the file, then decides. When the command is refused, it is detached again.
 * @throws Rejected `not_found` for a file that the actor has not uploaded, and what `work` throws
 */
export const withMedia = <T>(
  deps: Deps,
  context: CommandContext,
  { mediaId, usage }: { readonly mediaId: string; readonly usage: Usage },
  work: (media: FileFacts) => Promise<T>,
): Promise<T> => {
  const attaching = { ids: [mediaId], ownerId: context.actor.id, folder: 'stories', usage } as const;
  return withFiles(deps, context, attaching, ([media]) => {
    if (!media) throw new Error('a file was attached, and has no facts');
    return work(media);
  });
};
