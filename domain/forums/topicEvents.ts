/** What can happen in a topic. Every post is an event here, so that its number and the right to write are decided together. */
import { type Static, Type } from '@sinclair/typebox';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Nullable, Personal, Uuid } from '../core/schema.ts';
import { FileFacts } from '../files/file.ts';

/** Pictures of one post. */
export const MAX_PICTURES = 10;
/** People whom one post mentions. */
const MAX_MENTIONS = 10;
/** Posts that one post quotes. */
export const MAX_QUOTES = 10;

export const TopicTitle = Type.String({ minLength: 3, maxLength: 150 });
export const PostBody = Type.String({ minLength: 1, maxLength: 10_000 });
export const Mentions = Type.Array(Uuid, { maxItems: MAX_MENTIONS, uniqueItems: true });
export const Pictures = Type.Array(FileFacts, { maxItems: MAX_PICTURES });
/** What a moderator tells the author. */
export const ModeratorText = Type.String({ minLength: 1, maxLength: 1_000 });

/** Another post of the same topic: its id and number, never its text. */
export const PostReference = Type.Object({ id: Uuid, seq: Type.Integer({ minimum: 1 }) });
export type PostReference = Static<typeof PostReference>;

export const forumTopicEvents = {
  /** Its first post follows. */
  ForumTopicStarted: {
    data: Type.Object({ authorId: Uuid, categoryId: Uuid, title: Personal(TopicTitle) }),
    person: 'authorId',
  },
  /** `renameId` names the request. */
  ForumTopicRenamed: {
    data: Type.Object({ renameId: Uuid, by: Uuid, title: Personal(TopicTitle) }),
    person: 'by',
  },
  ForumTopicMoved: { data: Type.Object({ categoryId: Uuid }) },
  ForumTopicPinned: { data: Type.Object({}) },
  ForumTopicUnpinned: { data: Type.Object({}) },
  /** Only admins write in it. */
  ForumTopicLocked: { data: Type.Object({}) },
  ForumTopicUnlocked: { data: Type.Object({}) },
  /**
   * By its author, with its only post, whose files are deleted after this event. If the post was reported, admins judge by
   * `formerBody`, what it said last, and by `keptFiles`, its pictures: they stay for a while.
   */
  ForumTopicDeleted: {
    data: Type.Object({
      authorId: Uuid,
      postId: Uuid,
      fileIds: Type.Array(Uuid),
      formerBody: Type.Optional(Personal(PostBody)),
      keptFiles: Type.Optional(Pictures),
    }),
    person: 'authorId',
  },
  /** By an admin. `removal` counts the removals of this topic: each can be appealed once. */
  ForumTopicRemoved: {
    data: Type.Object({ authorId: Uuid, removal: Type.Integer(), reason: Personal(ModeratorText) }),
    person: 'authorId',
  },
  ForumTopicRestored: { data: Type.Object({}) },
  ForumPostWritten: {
    data: Type.Object({
      postId: Uuid,
      /** Its number within the topic: 1, 2, and so on. */
      seq: Type.Integer({ minimum: 1 }),
      authorId: Uuid,
      /** The first name of the author and the initial of the last one. */
      author: Personal(Type.String()),
      body: Personal(PostBody),
      /** Its author is told of the reply. */
      replyTo: Nullable(Type.Object({ ...PostReference.properties, authorId: Uuid })),
      quotes: Type.Array(PostReference, { maxItems: MAX_QUOTES }),
      mentions: Mentions,
      pictures: Pictures,
      /** By which the author's app recognises it. It may put anything into it. */
      clientPostId: Nullable(Personal(Type.String())),
    }),
    person: 'authorId',
  },
} as const satisfies EventDeclarations;
export type ForumTopicEvent = EventsOf<typeof forumTopicEvents>;
export type PostWritten = Static<typeof forumTopicEvents.ForumPostWritten.data>;
