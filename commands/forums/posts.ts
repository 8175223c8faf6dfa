/** Writes, edits, deletes and removes posts. */

import { shortName } from '../../domain/accounts/account.ts';
import { type AnyEvent, Rejected } from '../../domain/core/decider.ts';
import type { FileFacts, Usage } from '../../domain/files/file.ts';
import { forumPost, type OfPost } from '../../domain/forums/post.ts';
import { forumTopic, wasWritten, writableTopic } from '../../domain/forums/topic.ts';
import type { PostReference, PostWritten } from '../../domain/forums/topicEvents.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import { loadAccount } from '../accounts/accounts.ts';
import type { CommandContext, Outcome } from '../core/handle.ts';
import { isAccepted } from '../core/refusals.ts';
import { withFiles } from '../files/attachFiles.ts';
import { recordedUse } from '../files/recordedUse.ts';
import { type EditedText, editText, type KnownText, type TextChanges } from '../reports/authoredText.ts';
import type { ForumDeps, Writer, WritingDeps } from './deps.ts';
import { countWriting, type Writing } from './limits.ts';
import { refuseSanctioned } from './sanctions.ts';

/** Accounts that are read at the same time. */
const ACCOUNTS_AT_ONCE = 8;

export interface PostInput {
  readonly body: string;
  readonly mentions: readonly string[];
  /** Ids of files that the author has uploaded to the folder `forums`. */
  readonly pictureIds: readonly string[];
  readonly clientPostId: string | null;
}
export interface Reply extends PostInput {
  readonly topicId: string;
  readonly replyTo: PostWritten['replyTo'];
  readonly quotes: readonly PostReference[];
}

/** What the pictures of a post are used by. */
export const usageOf = (postId: string, topicId: string): Usage => ({
  kind: 'forum_post',
  id: postId,
  within: topicId,
});

/** Whether a post was written with a picture. */
export const postUse = recordedUse(forumTopic, 'ForumPostWritten', ({ data: { postId: id, pictures: files } }) => ({
  id,
  files,
}));

/** Refuses mentions of accounts that do not exist. @throws Rejected `invalid` */
export const refuseUnknown = async (deps: ForumDeps, mentions: readonly string[]): Promise<void> => {
  await concurrentEach(mentions, ACCOUNTS_AT_ONCE, async (id) => {
    if (!(await isAccepted(() => loadAccount(deps, id))))
      throw new Rejected('invalid', `Nobody has the account ${id}. Mention people by their account id.`, {
        fields: ['mentions'],
      });
  });
};

export const writtenBy = async (deps: ForumDeps, authorId: string) => ({
  authorId,
  author: shortName(await loadAccount(deps, authorId)),
});

interface NewPictures {
  readonly topicId: string;
  readonly postId: string;
  readonly accountId: string;
  readonly ids: readonly string[];
}

/**
 * Attaches the pictures of a new post, then decides. They are detached again when the command is refused, or another
 * attempt has written the post.
 */
export const withPictures = <O extends Pick<Outcome<unknown, AnyEvent>, 'events'>>(
  deps: WritingDeps,
  context: CommandContext,
  { topicId, postId, accountId: ownerId, ids }: NewPictures,
  decide: (pictures: FileFacts[]) => Promise<O>,
): Promise<O> => {
  const attaching = { ids, ownerId, folder: 'forums', usage: usageOf(postId, topicId) } as const;
  return withFiles(deps, context, attaching, async (pictures, detach) => {
    const outcome = await decide(pictures);
    if (outcome.events.length === 0) await detach();
    return outcome;
  });
};

/** The same for every attempt to write it. */
export const postIdOf = (
  context: CommandContext,
  accountId: string,
  { topicId, clientPostId }: Pick<Reply, 'topicId' | 'clientPostId'>,
): string =>
  clientPostId === null
    ? derivedId(context.commandId, 'forumPost')
    : derivedId('forumPost', topicId, accountId, clientPostId);

/**
 * Writes a post.
 * @returns what was recorded; null when this post was written before
 * @throws Rejected `not_found` for a topic or a picture, `conflict` in a locked topic, `forbidden` for people who are
 * muted or   banned, `invalid` for a mention of nobody, `too_many_attempts`
 */
export const writePost = async (
  deps: WritingDeps,
  context: CommandContext,
  { accountId, isModerator }: Writer,
  { topicId, pictureIds: ids, ...reply }: Reply,
  reporters: Writing['reporters'],
): Promise<PostWritten | null> => {
  const postId = postIdOf(context, accountId, { topicId, ...reply });
  const { state } = await deps.aggregates.load(forumTopic, topicId);
  // A repeated request attaches nothing.
  if (wasWritten(state, postId)) return null;
  writableTopic(state, isModerator);
  await refuseSanctioned(deps, context, accountId, topicId);
  await refuseUnknown(deps, reply.mentions);
  const author = await writtenBy(deps, accountId);
  await countWriting(deps, context, { by: accountId, what: 'post', reporters });
  const { events } = await withPictures(deps, context, { topicId, postId, accountId, ids }, (pictures) => {
    const lists = { mentions: [...reply.mentions], quotes: [...reply.quotes], pictures };
    const post = { postId, ...author, ...reply, ...lists };
    return deps.aggregates.handle(forumTopic, topicId, { type: 'WritePost', post, isModerator }, context);
  });
  const [event] = events;
  return event?.type === 'ForumPostWritten' ? event.data : null;
};

/** A post as it is known from the read model: what was said when it was written, and its text. */
export type KnownPost = KnownText<OfPost>;

/**
 * Edits a post of the actor.
 * @throws Rejected `not_found`, `forbidden`, `invalid`, `conflict` when it is too late, or the topic is locked
 */
export const editPost = async (
  deps: ForumDeps,
  context: CommandContext,
  { accountId: by, isModerator }: Writer,
  known: KnownPost,
  { body, mentions = known.mentions }: TextChanges,
): Promise<EditedText> => {
  const { topicId } = known.of;
  writableTopic((await deps.aggregates.load(forumTopic, topicId)).state, isModerator);
  await refuseSanctioned(deps, context, by, topicId);
  await refuseUnknown(
    deps,
    mentions.filter((one) => !known.mentions.includes(one)),
  );
  return editText(deps, context, forumPost, known, { text: { body, mentions }, by });
};

/** A post that was deleted with its topic is gone, which its own stream does not say. */
const isGone = async ({ aggregates }: ForumDeps, { of: { topicId } }: KnownPost): Promise<boolean> =>
  (await aggregates.load(forumTopic, topicId)).state.status === 'deleted';

/**
 * Deletes a post of the actor, also where its author may not write any more.
 * @param isReported whether a report of it waits for an answer: what it said last is kept for admins then
 * @throws Rejected `forbidden`
 */
export const deletePost = async (
  deps: ForumDeps,
  context: CommandContext,
  { id, ...written }: KnownPost,
  { by, isReported }: { readonly by: string; readonly isReported: boolean },
): Promise<void> => {
  if (await isGone(deps, { id, ...written })) return;
  await deps.aggregates.handle(forumPost, id, { type: 'DeleteText', written, by, isReported }, context);
};

/** An admin removes a post from everybody's sight but the author's. */
export const removePost = async (
  deps: ForumDeps,
  context: CommandContext,
  { id, ...written }: KnownPost,
  reason: string,
): Promise<void> => {
  if (await isGone(deps, { id, ...written })) return;
  const command = { type: 'RemoveText', written, by: context.actor.id, reason } as const;
  await deps.aggregates.handle(forumPost, id, command, context);
};
