/** What a topic remembers: its state, its newest number and the ids of its newest posts, not what they say. */
import { type Static, Type } from '@sinclair/typebox';
import { snapshot } from '../core/decider.ts';
import { markOf, NO_WORDS, WordsMark } from '../core/saidBefore.ts';
import { OneOf } from '../core/schema.ts';
import type { ForumTopicEvent } from './topicEvents.ts';

export const topicStatuses = ['open', 'deleted', 'removed'] as const;

const RecentPost = Type.Object({ id: Type.String(), seq: Type.Integer(), authorId: Type.String() });
const Started = Type.Object({
  status: OneOf(topicStatuses),
  authorId: Type.String(),
  categoryId: Type.String(),
  isPinned: Type.Boolean(),
  isLocked: Type.Boolean(),
  firstPostId: Type.String(),
  /** The number of the newest post. */
  lastSeq: Type.Integer(),
  /** The newest posts, by which a repeated request is recognised. Older ones are found in the read models. */
  recent: Type.Array(RecentPost),
  /** The last request that renamed it. */
  renameId: Type.String(),
  removals: Type.Integer(),
  /** Why it was removed the last time. */
  words: WordsMark,
});
export type StartedTopic = Readonly<Static<typeof Started>>;
export type RecentPost = Static<typeof RecentPost>;
export type ForumTopic = { readonly status: 'none' } | StartedTopic;

export const initial: ForumTopic = { status: 'none' };

/** How many posts are remembered. */
const RECENT = 200;

export const evolve = (state: ForumTopic, event: ForumTopicEvent): ForumTopic => {
  if (event.type === 'ForumTopicStarted') {
    const { authorId, categoryId } = event.data;
    const flags = { isPinned: false, isLocked: false, renameId: '', removals: 0, words: NO_WORDS };
    return { status: 'open', authorId, categoryId, firstPostId: '', lastSeq: 0, recent: [], ...flags };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'ForumTopicRenamed':
      return { ...state, renameId: event.data.renameId };
    case 'ForumTopicMoved':
      return { ...state, categoryId: event.data.categoryId };
    case 'ForumTopicPinned':
      return { ...state, isPinned: true };
    case 'ForumTopicUnpinned':
      return { ...state, isPinned: false };
    case 'ForumTopicLocked':
      return { ...state, isLocked: true };
    case 'ForumTopicUnlocked':
      return { ...state, isLocked: false };
    case 'ForumTopicDeleted':
      return { ...state, status: 'deleted' };
    case 'ForumTopicRemoved':
      return { ...state, status: 'removed', removals: event.data.removal, words: markOf(event.data.reason) };
    case 'ForumTopicRestored':
      return { ...state, status: 'open' };
    case 'ForumPostWritten': {
      const { postId: id, seq, authorId } = event.data;
      const recent = [...state.recent.slice(1 - RECENT), { id, seq, authorId }];
      return { ...state, firstPostId: seq === 1 ? id : state.firstPostId, lastSeq: seq, recent };
    }
  }
};

const Packed = Type.Union([Type.Object({ status: OneOf(['none'] as const) }), Started]);

export const topicSnapshot = snapshot<ForumTopic, typeof Packed>({
  version: 2,
  packed: Packed,
  pack: (state) => (state.status === 'none' ? state : { ...state, recent: state.recent.map((one) => ({ ...one })) }),
  unpack: (packed) => packed,
  marksAreOf: (state) => (state.status === 'none' ? null : state.authorId),
});
