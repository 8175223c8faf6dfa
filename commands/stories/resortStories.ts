/** Stories of the resort, written by admins. */
import { existing } from '../../domain/core/decider.ts';
import type { FileFacts } from '../../domain/files/file.ts';
import { type ResortStory, type ResortStoryContent, resortStory } from '../../domain/stories/resortStory.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, madeBefore } from '../core/handle.ts';
import { resortStoryUsage, withMedia } from './fileUses.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** Content as it is entered: its file by id. */
export type ResortStoryInput = Omit<ResortStoryContent, 'media'> & { readonly mediaId: string };

const contentOf = (state: ResortStory): ResortStoryContent => existing(state, 'story', 'deleted').content;

/** @returns its id and content @throws Rejected `invalid`; `not_found` for a file that the actor has not uploaded */
export const createResortStory = async (
  deps: Deps,
  context: CommandContext,
  { mediaId, ...rest }: ResortStoryInput,
): Promise<{ readonly id: string; readonly content: ResortStoryContent }> => {
  const id = derivedId(context.commandId, 'resort story');
  const before = await madeBefore(deps, resortStory, id, context);
  if (before.status !== 'none') return { id, content: contentOf(before) };
  return withMedia(deps, context, { mediaId, usage: resortStoryUsage(id) }, async (media) => {
    const command = { type: 'CreateResortStory', content: { ...rest, media } } as const;
    return { id, content: contentOf((await deps.aggregates.handle(resortStory, id, command, context)).state) };
  });
};

/** Replaces the content. The file that it shows already may stay. @throws Rejected `not_found`, `invalid` */
export const changeResortStory = async (
  deps: Deps,
  context: CommandContext,
  id: string,
  { mediaId, ...rest }: ResortStoryInput,
): Promise<ResortStoryContent> => {
  const { media: before } = contentOf((await deps.aggregates.load(resortStory, id)).state);
  const change = async (media: FileFacts) => {
    const command = { type: 'ChangeResortStory', content: { ...rest, media } } as const;
    return contentOf((await deps.aggregates.handle(resortStory, id, command, context)).state);
  };
  if (mediaId === before.fileId) return change(before);
  return withMedia(deps, context, { mediaId, usage: resortStoryUsage(id) }, change);
};

/** Safe to repeat. @throws Rejected `not_found` */
export const deleteResortStory = async (deps: Deps, context: CommandContext, id: string): Promise<void> => {
  await deps.aggregates.handle(resortStory, id, { type: 'DeleteResortStory' }, context);
};
