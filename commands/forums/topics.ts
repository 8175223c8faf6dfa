/** Starts, renames, moves, pins, locks, deletes, removes and restores topics. */
import { Rejected } from '../../domain/core/decider.ts';
import { forumPost } from '../../domain/forums/post.ts';
import { type ForumTopicCommand, forumTopic, openTopic } from '../../domain/forums/topic.ts';
import type { PostWritten } from '../../domain/forums/topicEvents.ts';
import type { StartedTopic } from '../../domain/forums/topicState.ts';
import { derivedId } from '../../infra/ids.ts';
import { type CommandContext, followUp, madeBefore } from '../core/handle.ts';
import { loadCategory } from './categories.ts';
import type { ForumDeps, Writer, WritingDeps } from './deps.ts';
import { countWriting, type Writing } from './limits.ts';
import { type KnownPost, type PostInput, refuseUnknown, withPictures, writtenBy } from './posts.ts';
import { refuseSanctioned } from './sanctions.ts';

/** A topic that everybody sees, as the log has it now. @throws Rejected `not_found` */
export const loadTopic = async ({ aggregates }: ForumDeps, id: string): Promise<StartedTopic> =>
  openTopic((await aggregates.load(forumTopic, id)).state);

export interface NewTopic {
  readonly categoryId: string;
  readonly title: string;
  readonly post: PostInput;
}

/**
 * Starts a topic with its first post. Repeated with the same `context.commandId` it is the same topic.
 * @returns its id, and its first post; null when it was started before
 * @throws Rejected `not_found` for a category or a picture, `forbidden` for people who are banned and where only admins
 * start   topics, `invalid` for a mention of nobody, `too_many_attempts`
 */
export const startTopic = async (
  deps: WritingDeps,
  context: CommandContext,
  { accountId, isModerator }: Writer,
  { categoryId, title, post: input }: NewTopic,
  reporters: Writing['reporters'],
): Promise<{ readonly topicId: string; readonly post: PostWritten | null }> => {
  const topicId = derivedId(context.commandId, 'forumTopic');
  if ((await madeBefore(deps, forumTopic, topicId, context)).status !== 'none') return { topicId, post: null };
  const { adminsStart } = await loadCategory(deps, categoryId);
  if (adminsStart && !isModerator) throw new Rejected('forbidden', 'Only admins start topics in this category.');
  await refuseSanctioned(deps, context, accountId, null);
  await refuseUnknown(deps, input.mentions);
  const author = await writtenBy(deps, accountId);
  await countWriting(deps, context, { by: accountId, what: 'topic', reporters });
  const postId = derivedId(context.commandId, 'forumPost');
  const { events } = await withPictures(
    deps,
    context,
    { topicId, postId, accountId, ids: input.pictureIds },
    (pictures) => {
      const { pictureIds: _, ...rest } = input;
      const post = { postId, ...author, ...rest, mentions: [...rest.mentions], quotes: [], replyTo: null, pictures };
      return deps.aggregates.handle(forumTopic, topicId, { type: 'StartTopic', categoryId, title, post }, context);
    },
  );
  const first = events.find((event) => event.type === 'ForumPostWritten');
  return { topicId, post: first?.data ?? null };
};

export interface TopicChanges {
  readonly title?: string;
  readonly categoryId?: string;
  readonly isPinned?: boolean;
  readonly isLocked?: boolean;
}

/**
 * Changes a topic. Its author can rename it, unless it is locked; admins change everything.
 * @throws Rejected `not_found`, `forbidden`, `conflict`
 */
export const changeTopic = async (
  deps: ForumDeps,
  context: CommandContext,
  topicId: string,
  { accountId, isModerator }: Writer,
  { title, categoryId, isPinned, isLocked }: TopicChanges,
): Promise<void> => {
  const ofModerators = [categoryId, isPinned, isLocked].some((change) => change !== undefined);
  if (ofModerators && !isModerator) throw new Rejected('forbidden', 'Only admins move, pin and lock topics.');
  if (!isModerator) await refuseSanctioned(deps, context, accountId, topicId);
  if (categoryId !== undefined) await loadCategory(deps, categoryId);
  const renameId = derivedId(context.commandId, 'rename');
  const commands: ForumTopicCommand[] = [
    ...(title === undefined ? [] : [{ type: 'RenameTopic', renameId, title, by: accountId, isModerator } as const]),
    ...(categoryId === undefined ? [] : [{ type: 'MoveTopic', categoryId } as const]),
    ...(isPinned === undefined ? [] : [{ type: 'PinTopic', isPinned } as const]),
    ...(isLocked === undefined ? [] : [{ type: 'LockTopic', isLocked } as const]),
  ];
  for (const command of commands)
    await deps.aggregates.handle(forumTopic, topicId, command, followUp(context, command.type));
};

/**
 * Its author deletes it, while it has only its first post.
 * @param isReported whether a report of this post waits for an answer: what it said last is kept for admins then
 * @throws Rejected `not_found`, `forbidden`, `conflict`
 */
export const deleteTopic = async (
  { aggregates }: ForumDeps,
  context: CommandContext,
  first: KnownPost,
  { by, isReported }: { readonly by: string; readonly isReported: boolean },
): Promise<void> => {
  const { state } = await aggregates.load(forumPost, first.id);
  const formerBody = isReported && state.status !== 'gone' ? (state.text ?? first).body : null;
  const command = { type: 'DeleteTopic', by, pictures: first.files, formerBody } as const;
  await aggregates.handle(forumTopic, first.of.topicId, command, context);
};

/** An admin removes a topic from everybody's sight but the author's. @throws Rejected `not_found` */
export const removeTopic = async (
  { aggregates }: ForumDeps,
  context: CommandContext,
  topicId: string,
  reason: string,
): Promise<void> => {
  await aggregates.handle(forumTopic, topicId, { type: 'RemoveTopic', reason }, context);
};

/** @throws Rejected `not_found` */
export const restoreTopic = async ({ aggregates }: ForumDeps, context: CommandContext, id: string): Promise<void> => {
  await aggregates.handle(forumTopic, id, { type: 'RestoreTopic' }, context);
};
