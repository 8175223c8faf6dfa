/** Up to where one person has read one topic, `forumReader-<derived from both>`. It never goes back. */
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, snapshot } from '../core/decider.ts';
import { Uuid } from '../core/schema.ts';

const forumReaderEvents = {
  /** Everything up to `upToSeq`. */
  ForumTopicRead: { data: Type.Object({ topicId: Uuid, accountId: Uuid, upToSeq: Type.Integer({ minimum: 0 }) }) },
} as const satisfies EventDeclarations;
export type ForumReaderEvent = EventsOf<typeof forumReaderEvents>;

export interface ForumReader {
  readonly readUpTo: number;
}
export interface ForumReaderCommand {
  readonly type: 'ReadTopic';
  readonly topicId: string;
  readonly accountId: string;
  readonly upToSeq: number;
}

const Packed = Type.Object({ readUpTo: Type.Integer() });

export const forumReader: Decider<ForumReader, ForumReaderCommand, ForumReaderEvent> = {
  category: 'forumReader',
  events: forumReaderEvents,
  initial: { readUpTo: 0 },
  decide: ({ type, ...data }, { readUpTo }) => (data.upToSeq > readUpTo ? [{ type: 'ForumTopicRead', data }] : []),
  evolve: (_, { data }) => ({ readUpTo: data.upToSeq }),
  /** Somebody who reads along adds an event for each look. */
  snapshot: snapshot<ForumReader, typeof Packed>({
    version: 1,
    packed: Packed,
    pack: (state) => ({ ...state }),
    unpack: (packed) => packed,
  }),
};
