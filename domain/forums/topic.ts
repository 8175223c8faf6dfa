/**
 * A topic of the forums, `forumTopic-<id>`. Its author starts it with a first post; everybody who is signed in writes in it
 * until an admin locks it. Bans and mutes are streams of their own (`sanction.ts`), which are looked at before.
 */
import { type Decider, notFound, Rejected } from '../core/decider.ts';
import { saidBefore } from '../core/saidBefore.ts';
import { leftOf } from '../files/evidence.ts';
import type { FileFacts } from '../files/file.ts';
import { type ForumTopicEvent, forumTopicEvents, type PostWritten } from './topicEvents.ts';
import { evolve, type ForumTopic, initial, type StartedTopic, topicSnapshot } from './topicState.ts';

export type NewPost = Omit<PostWritten, 'seq'>;

export type ForumTopicCommand =
  | { readonly type: 'StartTopic'; readonly categoryId: string; readonly title: string; readonly post: NewPost }
  | { readonly type: 'WritePost'; readonly post: NewPost; readonly isModerator: boolean }
  | {
      readonly type: 'RenameTopic';
      readonly renameId: string;
      readonly title: string;
      readonly by: string;
      readonly isModerator: boolean;
    }
  | { readonly type: 'MoveTopic'; readonly categoryId: string }
  | { readonly type: 'PinTopic'; readonly isPinned: boolean }
  | { readonly type: 'LockTopic'; readonly isLocked: boolean }
  /** `pictures`: of its first post. `formerBody`: what this post says, if a report of it waits for an answer. */
  | {
      readonly type: 'DeleteTopic';
      readonly by: string;
      readonly pictures: readonly FileFacts[];
      readonly formerBody: string | null;
    }
  | { readonly type: 'RemoveTopic'; readonly reason: string }
  | { readonly type: 'RestoreTopic' };

/** A topic that everybody sees. @throws Rejected `not_found` */
export const openTopic = (state: ForumTopic): StartedTopic => {
  if (state.status !== 'open') throw notFound('topic');
  return state;
};

/** A topic that this person may write in. @throws Rejected `not_found`, `conflict` while it is locked */
export const writableTopic = (state: ForumTopic, isModerator: boolean): StartedTopic => {
  const open = openTopic(state);
  if (open.isLocked && !isModerator)
    throw new Rejected('conflict', 'This topic is locked: only admins can write in it.');
  return open;
};

/** Whether a post is among the newest ones. */
export const wasWritten = (state: ForumTopic, postId: string): boolean =>
  state.status !== 'none' && state.recent.some(({ id }) => id === postId);

const written = (post: NewPost, seq: number): ForumTopicEvent => ({ type: 'ForumPostWritten', data: { ...post, seq } });

const rename = (
  { title, renameId, by, isModerator }: Extract<ForumTopicCommand, { type: 'RenameTopic' }>,
  state: ForumTopic,
): ForumTopicEvent[] => {
  const open = writableTopic(state, isModerator);
  if (open.authorId !== by && !isModerator)
    throw new Rejected('forbidden', 'Only its author and admins can rename a topic.');
  return open.renameId === renameId ? [] : [{ type: 'ForumTopicRenamed', data: { renameId, by, title } }];
};

const remove = (
  { by, pictures, formerBody }: Extract<ForumTopicCommand, { type: 'DeleteTopic' }>,
  state: ForumTopic,
): ForumTopicEvent[] => {
  if (state.status === 'deleted' && state.authorId === by) return [];
  const { authorId, firstPostId: postId, lastSeq } = openTopic(state);
  if (authorId !== by) throw new Rejected('forbidden', 'Only its author can delete a topic.');
  if (lastSeq > 1)
    throw new Rejected(
      'conflict',
      'This topic has more than its first post, so it stays. Delete your posts in it one by one instead.',
    );
  return [{ type: 'ForumTopicDeleted', data: { authorId, postId, ...leftOf(pictures, formerBody) } }];
};

const decide = (command: ForumTopicCommand, state: ForumTopic): ForumTopicEvent[] => {
  switch (command.type) {
    case 'StartTopic': {
      const { categoryId, title, post } = command;
      if (state.status !== 'none') return [];
      return [{ type: 'ForumTopicStarted', data: { authorId: post.authorId, categoryId, title } }, written(post, 1)];
    }
    case 'WritePost':
      if (wasWritten(state, command.post.postId)) return [];
      return [written(command.post, writableTopic(state, command.isModerator).lastSeq + 1)];
    case 'RenameTopic':
      return rename(command, state);
    case 'MoveTopic': {
      const { categoryId } = command;
      return openTopic(state).categoryId === categoryId ? [] : [{ type: 'ForumTopicMoved', data: { categoryId } }];
    }
    case 'PinTopic': {
      const { isPinned } = command;
      if (openTopic(state).isPinned === isPinned) return [];
      return [{ type: isPinned ? 'ForumTopicPinned' : 'ForumTopicUnpinned', data: {} }];
    }
    case 'LockTopic': {
      const { isLocked } = command;
      if (openTopic(state).isLocked === isLocked) return [];
      return [{ type: isLocked ? 'ForumTopicLocked' : 'ForumTopicUnlocked', data: {} }];
    }
    case 'DeleteTopic':
      return remove(command, state);
    case 'RemoveTopic': {
      if (state.status === 'removed') return saidBefore('This topic was removed before', state.words, command.reason);
      const { authorId, removals } = openTopic(state);
      return [{ type: 'ForumTopicRemoved', data: { authorId, removal: removals + 1, reason: command.reason } }];
    }
    case 'RestoreTopic':
      if (state.status === 'removed') return [{ type: 'ForumTopicRestored', data: {} }];
      openTopic(state);
      return [];
  }
};

export const forumTopic: Decider<ForumTopic, ForumTopicCommand, ForumTopicEvent> = {
  category: 'forumTopic',
  events: forumTopicEvents,
  initial,
  decide,
  evolve,
  snapshot: topicSnapshot,
};
