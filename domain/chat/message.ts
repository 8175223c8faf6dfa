/**
 * What happens to a message after it was sent: its sender edits or deletes it, a moderator removes it. The stream is the
 * message's, `message-<id>`. What never changes about the message comes with each command.
 */
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { type EditableText, isSameText, MAX_EDITS } from '../core/editableText.ts';
import { HOUR_MS, msBetween } from '../core/instants.ts';
import { markOf, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { Personal, ReasonText, Uuid } from '../core/schema.ts';
import { leftOf } from '../files/evidence.ts';
import type { FileFacts } from '../files/file.ts';
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

/** What was said of it when it was sent. */
export interface SentFacts {
  readonly threadId: string;
  readonly senderId: string;
  /** Its number in the thread. */
  readonly seq: number;
  /** RFC 3339. */
  readonly sentAt: string;
  readonly attachments: readonly FileFacts[];
}

/** `original`: its text as it was sent. */
export type MessageCommand =
  | {
      readonly type: 'EditMessage';
      readonly sent: SentFacts;
      readonly original: EditableText;
      readonly body: string;
      readonly mentions: readonly string[];
      readonly by: string;
      readonly at: string;
    }
  /** `isReported`: a report of it waits for an answer. */
  | {
      readonly type: 'DeleteMessage';
      readonly sent: SentFacts;
      readonly original: EditableText;
      readonly by: string;
      readonly isReported: boolean;
    }
  /** `by` may moderate the thread: whoever sends the command has made sure of that. */
  | {
      readonly type: 'RemoveMessage';
      readonly sent: SentFacts;
      readonly original: EditableText;
      readonly by: string;
      readonly reason: string;
    }
  | { readonly type: 'RestoreMessage' };

/** What was kept of a message that a moderator has removed. */
interface RemovedMessage extends EditableText {
  readonly threadId: string;
  readonly senderId: string;
  readonly seq: number;
  readonly attachments: readonly FileFacts[];
  /** Of the reason. */
  readonly words: WordsMark;
}

export interface Message {
  readonly isGone: boolean;
  /** null: no moderator has removed it, or nothing was kept of it. */
  readonly removed: RemovedMessage | null;
  /** How often it was removed: each can be appealed once. */
  readonly removals: number;
  /** null: as it was sent. */
  readonly text: EditableText | null;
  readonly edits: number;
}

const edit = (
  { sent, original, body, mentions, by, at }: Extract<MessageCommand, { type: 'EditMessage' }>,
  state: Message,
): MessageEvent[] => {
  if (state.isGone) throw notFound('message');
  if (sent.senderId !== by) throw new Rejected('forbidden', 'Only its sender can edit a message.');
  const text = { body, mentions: [...mentions] };
  const former = state.text ?? original;
  if (isSameText(text, former)) return [];
  if (msBetween(sent.sentAt, at) > EDIT_HOURS * HOUR_MS)
    throw new Rejected('conflict', `A message can be edited for ${EDIT_HOURS} hours.`);
  if (state.edits >= MAX_EDITS) throw new Rejected('conflict', `A message can be edited ${MAX_EDITS} times.`);
  const { threadId, senderId } = sent;
  const replaced = { formerBody: former.body, formerMentions: [...former.mentions] };
  return [{ type: 'MessageEdited', data: { threadId, senderId, ...text, ...replaced } }];
};

const restore = ({ removed }: Message): MessageEvent[] => {
  if (removed === null) return [];
  const { threadId, senderId, seq, body, mentions, attachments } = removed;
  const data = { threadId, senderId, seq, body, mentions: [...mentions], attachments: [...attachments] };
  return [{ type: 'MessageRestored', data }];
};

const decide = (command: MessageCommand, state: Message): MessageEvent[] => {
  if (command.type === 'RestoreMessage') return restore(state);
  const { threadId, senderId, seq, attachments } = command.sent;
  const { body, mentions } = state.text ?? command.original;
  const gone = { threadId, senderId, seq, mentions: [...mentions] };
  switch (command.type) {
    case 'EditMessage':
      return edit(command, state);
    case 'DeleteMessage':
      if (state.isGone) return [];
      if (senderId !== command.by) throw new Rejected('forbidden', 'Only its sender can delete a message.');
      return [{ type: 'MessageDeleted', data: { ...gone, ...leftOf(attachments, command.isReported ? body : null) } }];
    case 'RemoveMessage':
      if (state.removed) return saidBefore('This message was removed before', state.removed.words, command.reason);
      if (state.isGone) return [];
      return [
        {
          type: 'MessageRemoved',
          data: { ...gone, ...leftOf(attachments, body), by: command.by, reason: command.reason },
        },
      ];
  }
};

type Removed = Extract<MessageEvent, { type: 'MessageRemoved' }>['data'];
const keptOf = ({ threadId, senderId, seq, formerBody, mentions = [], keptFiles = [], reason = '' }: Removed) =>
  formerBody === undefined || seq === undefined
    ? null
    : { threadId, senderId, seq, body: formerBody, mentions, attachments: keptFiles, words: markOf(reason) };

const evolve = (state: Message, event: MessageEvent): Message => {
  switch (event.type) {
    case 'MessageEdited': {
      const { body, mentions } = event.data;
      return { ...state, text: { body, mentions }, edits: state.edits + 1 };
    }
    case 'MessageDeleted':
      return { ...state, isGone: true, text: null };
    case 'MessageRemoved':
      return { ...state, isGone: true, text: null, removed: keptOf(event.data), removals: state.removals + 1 };
    case 'MessageRestored': {
      const { body, mentions } = event.data;
      return { ...state, isGone: false, removed: null, text: { body, mentions } };
    }
  }
};

export const message: Decider<Message, MessageCommand, MessageEvent> = {
  category: 'message',
  events: messageEvents,
  initial: { isGone: false, removed: null, removals: 0, text: null, edits: 0 },
  decide,
  evolve,
};
