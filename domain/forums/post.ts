/**
 * What happens to a post after it was written, `forumPost-<id>`: its author edits or deletes it, an admin removes and
 * restores it. Deleted and removed are two facts: a removed post that its author deletes is gone for good. What never
 * changes about the post comes with each command.
 */
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { type EditableText, isSameText, MAX_EDITS } from '../core/editableText.ts';
import { DAY_MS, msBetween } from '../core/instants.ts';
import { markOf, NO_WORDS, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { Personal, Uuid } from '../core/schema.ts';
import { leftOf } from '../files/evidence.ts';
import type { FileFacts } from '../files/file.ts';
import { Mentions, ModeratorText, Pictures, PostBody } from './topicEvents.ts';

/** A post can be edited this long after it was written. */
export const EDIT_DAYS = 7;

const About = { topicId: Uuid, authorId: Uuid };

const forumPostEvents = {
  /** `formerBody`: the text that it replaces. */
  ForumPostEdited: {
    data: Type.Object({
      ...About,
      body: Personal(PostBody),
      mentions: Mentions,
      formerBody: Personal(PostBody),
    }),
    person: 'authorId',
  },
  /**
   * By its author. Its files are deleted after this event. If it was reported, admins judge by `formerBody`, what it said
   * last, and by `keptFiles`, its pictures: they stay for a while (`evidenceUntil`).
   */
  ForumPostDeleted: {
    data: Type.Object({
      ...About,
      fileIds: Type.Array(Uuid),
      formerBody: Type.Optional(Personal(PostBody)),
      keptFiles: Type.Optional(Pictures),
    }),
    person: 'authorId',
  },
  /** By an admin. `removal` counts the removals of this post: each can be appealed once. */
  ForumPostRemoved: {
    data: Type.Object({ ...About, removal: Type.Integer(), reason: Personal(ModeratorText) }),
    person: 'authorId',
  },
  ForumPostRestored: { data: Type.Object(About) },
} as const satisfies EventDeclarations;
export type ForumPostEvent = EventsOf<typeof forumPostEvents>;

/** What was said of it when it was written. */
export interface WrittenFacts {
  readonly topicId: string;
  readonly authorId: string;
  /** RFC 3339. */
  readonly writtenAt: string;
  readonly pictures: readonly FileFacts[];
}

/** `original`: its text as it was written. */
export type ForumPostCommand =
  | {
      readonly type: 'EditPost';
      readonly written: WrittenFacts;
      readonly original: EditableText;
      readonly text: EditableText;
      readonly by: string;
      readonly at: string;
    }
  /** `isReported`: a report of it waits for an answer. */
  | {
      readonly type: 'DeletePost';
      readonly written: WrittenFacts;
      readonly original: EditableText;
      readonly by: string;
      readonly isReported: boolean;
    }
  /** Whoever sends these has made sure that they come from an admin. */
  | { readonly type: 'RemovePost'; readonly written: WrittenFacts; readonly reason: string }
  | { readonly type: 'RestorePost' };

export interface ForumPost {
  /** Known once something has happened to it. */
  readonly about: Pick<WrittenFacts, 'topicId' | 'authorId'> | null;
  readonly isDeleted: boolean;
  readonly isRemoved: boolean;
  /** Why it was removed the last time. */
  readonly words: WordsMark;
  readonly removals: number;
  /** null: as it was written. */
  readonly text: EditableText | null;
  readonly edits: number;
}

const edit = (
  { written, original, text, by, at }: Extract<ForumPostCommand, { type: 'EditPost' }>,
  state: ForumPost,
): ForumPostEvent[] => {
  const { topicId, authorId, writtenAt } = written;
  if (state.isDeleted) throw notFound('post');
  if (authorId !== by) throw new Rejected('forbidden', 'Only its author can edit a post.');
  if (state.isRemoved) throw new Rejected('conflict', 'A moderator has removed this post. You can appeal.');
  const former = state.text ?? original;
  if (isSameText(text, former)) return [];
  if (msBetween(writtenAt, at) > EDIT_DAYS * DAY_MS)
    throw new Rejected('conflict', `A post can be edited for ${EDIT_DAYS} days.`);
  if (state.edits >= MAX_EDITS) throw new Rejected('conflict', `A post can be edited ${MAX_EDITS} times.`);
  const { body, mentions } = text;
  const data = { topicId, authorId, body, mentions: [...mentions], formerBody: former.body };
  return [{ type: 'ForumPostEdited', data }];
};

const decide = (command: ForumPostCommand, state: ForumPost): ForumPostEvent[] => {
  switch (command.type) {
    case 'EditPost':
      return edit(command, state);
    case 'DeletePost': {
      const { topicId, authorId, pictures } = command.written;
      if (authorId !== command.by) throw new Rejected('forbidden', 'Only its author can delete a post.');
      if (state.isDeleted) return [];
      const formerBody = command.isReported ? (state.text ?? command.original).body : null;
      return [{ type: 'ForumPostDeleted', data: { topicId, authorId, ...leftOf(pictures, formerBody) } }];
    }
    case 'RemovePost': {
      const { topicId, authorId } = command.written;
      if (state.isDeleted) return [];
      if (state.isRemoved) return saidBefore('This post was removed before', state.words, command.reason);
      const data = { topicId, authorId, removal: state.removals + 1, reason: command.reason };
      return [{ type: 'ForumPostRemoved', data }];
    }
    case 'RestorePost':
      return state.isRemoved && state.about ? [{ type: 'ForumPostRestored', data: state.about }] : [];
  }
};

const evolve = (before: ForumPost, event: ForumPostEvent): ForumPost => {
  const { topicId, authorId } = event.data;
  const state = { ...before, about: { topicId, authorId } };
  switch (event.type) {
    case 'ForumPostEdited': {
      const { body, mentions } = event.data;
      return { ...state, text: { body, mentions }, edits: state.edits + 1 };
    }
    case 'ForumPostDeleted':
      return { ...state, isDeleted: true, text: null };
    case 'ForumPostRemoved':
      return { ...state, isRemoved: true, removals: event.data.removal, words: markOf(event.data.reason) };
    case 'ForumPostRestored':
      return { ...state, isRemoved: false };
  }
};

export const forumPost: Decider<ForumPost, ForumPostCommand, ForumPostEvent> = {
  category: 'forumPost',
  events: forumPostEvents,
  initial: { about: null, isDeleted: false, isRemoved: false, words: NO_WORDS, removals: 0, text: null, edits: 0 },
  decide,
  evolve,
};
