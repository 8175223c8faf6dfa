/**
 * What happens to a message after it was sent: its sender edits or deletes it, a moderator removes it. The stream is the
 * message's, `message-<id>`. How these are decided is in `reports/authoredText.ts`.
 */
import { Type } from '@sinclair/typebox';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { HOUR_MS } from '../core/instants.ts';
import { Personal, ReasonText, Uuid } from '../core/schema.ts';
import { leftOf } from '../files/evidence.ts';
import type { FileFacts } from '../files/file.ts';
import { authoredText, type EditableText } from '../reports/authoredText.ts';
import { Attachments, Mentions, MessageBody, Seq } from './threadEvents.ts';

/** A message can be edited this long after it was sent. */
export const EDIT_HOURS = 24;

const About = { threadId: Uuid, senderId: Uuid };
/**
 * `fileIds`: those of its attachments that are deleted after this event. `mentions`: whom it named then. `seq`: its number in
 * the thread; missing in events of before.
 */
const Gone = { fileIds: Type.Array(Uuid), mentions: Type.Optional(Mentions), seq: Type.Optional(Seq) };

const messageEvents = {
  /** `formerBody` and `formerMentions`: what it replaces. */
  MessageEdited: {
    data: Type.Object({
      ...About,
      body: MessageBody,
      mentions: Mentions,
      formerBody: MessageBody,
      formerMentions: Type.Optional(Mentions),
    }),
    person: 'senderId',
  },
  /**
   * By its sender. If it was reported, admins judge by `formerBody`, what it said last, and by `keptFiles`, its attachments:
   * they stay for a while (`evidenceUntil`).
   */
  MessageDeleted: {
    data: Type.Object({
      ...About,
      ...Gone,
      formerBody: Type.Optional(MessageBody),
      keptFiles: Type.Optional(Attachments),
    }),
    person: 'senderId',
  },
  /**
   * By an admin of the group or of the platform; `reason`: for its sender. `formerBody` and `keptFiles` stay for the time in
   * which its sender can appeal. The three are missing in events of before, whose messages cannot come back.
   */
  MessageRemoved: {
    data: Type.Object({
      ...About,
      ...Gone,
      by: Uuid,
      reason: Type.Optional(Personal(ReasonText)),
      formerBody: Type.Optional(MessageBody),
      keptFiles: Type.Optional(Attachments),
    }),
    person: 'senderId',
  },
  /** After an appeal: it is as it was. */
  MessageRestored: {
    data: Type.Object({ ...About, seq: Seq, body: MessageBody, mentions: Mentions, attachments: Attachments }),
    person: 'senderId',
  },
} as const satisfies EventDeclarations;
export type MessageEvent = EventsOf<typeof messageEvents>;

/** The ids of a message. */
export interface OfMessage {
  readonly threadId: string;
  readonly authorId: string;
  /** Its number in the thread. */
  readonly seq: number;
}
/** What was kept of a message that a moderator has removed. */
interface RemovedMessage extends OfMessage, EditableText {
  readonly attachments: readonly FileFacts[];
}

type Removed = Extract<MessageEvent, { type: 'MessageRemoved' }>['data'];
const keptOf = ({ threadId, senderId, seq, formerBody, mentions = [], keptFiles = [] }: Removed) =>
  formerBody === undefined || seq === undefined
    ? null
    : { threadId, authorId: senderId, seq, body: formerBody, mentions, attachments: keptFiles };

export const message = authoredText<OfMessage, RemovedMessage, MessageEvent>({
  category: 'message',
  events: messageEvents,
  noun: 'message',
  author: 'sender',
  editable: { ms: EDIT_HOURS * HOUR_MS, words: `${EDIT_HOURS} hours` },
  removal: 'empties',
  edited: ({ threadId, authorId: senderId }, text, { body: formerBody, mentions: formerMentions }) => ({
    type: 'MessageEdited',
    data: { threadId, senderId, ...text, formerBody, formerMentions },
  }),
  deleted: ({ threadId, authorId: senderId, seq }, { mentions }, left) => ({
    type: 'MessageDeleted',
    data: { threadId, senderId, seq, mentions, ...left },
  }),
  removed: ({ threadId, authorId: senderId, seq }, { body, mentions }, { by, reason, files }) => ({
    type: 'MessageRemoved',
    data: { threadId, senderId, seq, mentions, ...leftOf(files, body), by, reason },
  }),
  restored: ({ threadId, authorId: senderId, seq, body, mentions, attachments }) => ({
    type: 'MessageRestored',
    data: { threadId, senderId, seq, body, mentions: [...mentions], attachments: [...attachments] },
  }),
  read: (event) => {
    switch (event.type) {
      case 'MessageEdited':
        return { type: 'edited', text: event.data };
      case 'MessageDeleted':
        return { type: 'deleted' };
      case 'MessageRemoved':
        return { type: 'removed', kept: keptOf(event.data), reason: event.data.reason ?? '' };
      case 'MessageRestored':
        return { type: 'restored', text: event.data };
    }
  },
});
