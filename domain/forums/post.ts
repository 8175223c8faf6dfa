/**
 * What happens to a post after it was written, `forumPost-<id>`: its author edits or deletes it, an admin removes and
 * restores it. How these are decided is in `reports/authoredText.ts`. Deleted and removed are two facts: a removed post that
 * its author deletes is gone for good.
 */
import { Type } from '@sinclair/typebox';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { DAY_MS } from '../core/instants.ts';
import { Personal, Uuid } from '../core/schema.ts';
import { authoredText } from '../reports/authoredText.ts';
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

/** The ids of a post. */
export interface OfPost {
  readonly topicId: string;
  readonly authorId: string;
}

export const forumPost = authoredText<OfPost, OfPost, ForumPostEvent>({
  category: 'forumPost',
  events: forumPostEvents,
  noun: 'post',
  author: 'author',
  editable: { ms: EDIT_DAYS * DAY_MS, words: `${EDIT_DAYS} days` },
  removal: 'hides',
  edited: (of, text, { body: formerBody }) => ({ type: 'ForumPostEdited', data: { ...of, ...text, formerBody } }),
  deleted: (of, _, left) => ({ type: 'ForumPostDeleted', data: { ...of, ...left } }),
  removed: (of, _, { number: removal, reason }) => ({ type: 'ForumPostRemoved', data: { ...of, removal, reason } }),
  restored: (of) => ({ type: 'ForumPostRestored', data: of }),
  read: (event) => {
    switch (event.type) {
      case 'ForumPostEdited':
        return { type: 'edited', text: event.data };
      case 'ForumPostDeleted':
        return { type: 'deleted' };
      case 'ForumPostRemoved': {
        const { topicId, authorId, reason } = event.data;
        return { type: 'removed', kept: { topicId, authorId }, reason };
      }
      case 'ForumPostRestored':
        return { type: 'restored' };
    }
  },
});
