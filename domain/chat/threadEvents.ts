/** What can happen in a thread. Every message is an event here, so that who may write is decided at its exact revision. */
import { type Static, Type } from '@sinclair/typebox';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Instant, Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';
import { FileFacts } from '../files/file.ts';

export const threadTypes = ['p2p', 'group', 'support'] as const;
export type ThreadType = (typeof threadTypes)[number];
export const memberRoles = ['member', 'admin'] as const;
export type MemberRole = (typeof memberRoles)[number];
export const messageKinds = ['text', 'image', 'voice'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** The role of somebody who is in a thread from its start. */
export const firstRole = (type: ThreadType, accountId: string, startedBy: string): MemberRole =>
  type === 'group' && accountId === startedBy ? 'admin' : 'member';

/** Who has left a group is not added to it again by others for so long. */
export const LEFT_DAYS = 7;
/** Members of one group. */
export const MAX_MEMBERS = 200;
/** Characters of a message. */
export const MAX_BODY = 4_000;
/** Files of one message. */
export const MAX_ATTACHMENTS = 10;
/** People whom one message mentions. */
const MAX_MENTIONS = 50;

export const MessageBody = Personal(Type.String({ maxLength: MAX_BODY }));
export const GroupTitle = Personal(Type.String({ minLength: 1, maxLength: 100 }));
export const Mentions = Type.Array(Uuid, { maxItems: MAX_MENTIONS, uniqueItems: true });
export const Attachments = Type.Array(FileFacts, { maxItems: MAX_ATTACHMENTS });
/** The number of a message within its thread: 1, 2, and so on. */
export const Seq = Type.Integer({ minimum: 0 });

const accountId = Uuid;
const by = Uuid;

export const threadEvents = {
  /** `title`: of a group. `areFriends`: the two people of a p2p thread; missing: not known, as in threads of before. */
  ThreadStarted: {
    data: Type.Object({
      type: OneOf(threadTypes),
      startedBy: Uuid,
      memberIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_MEMBERS }),
      title: Nullable(GroupTitle),
      areFriends: Type.Optional(Type.Boolean()),
    }),
    person: 'startedBy',
  },
  /** `renameId` names the request. */
  ThreadRenamed: { data: Type.Object({ renameId: Uuid, by, title: GroupTitle }), person: 'by' },
  /** Messages up to `afterSeq` were sent before. */
  MemberAdded: { data: Type.Object({ accountId, by, afterSeq: Seq }) },
  /** `leftAt`: until when others cannot add them again follows from it; missing in events of before. */
  MemberLeft: { data: Type.Object({ accountId, leftAt: Type.Optional(Instant) }) },
  MemberRemoved: { data: Type.Object({ accountId, by }) },
  MemberRoleChanged: { data: Type.Object({ accountId, role: OneOf(memberRoles) }) },
  MessageSent: {
    data: Type.Object({
      messageId: Uuid,
      seq: Seq,
      threadType: OneOf(threadTypes),
      senderId: Uuid,
      kind: OneOf(messageKinds),
      body: MessageBody,
      replyTo: Nullable(Type.Object({ id: Uuid, seq: Seq })),
      mentions: Mentions,
      attachments: Attachments,
      /** Who is told of it on their own channel: the people of a p2p or support thread, nobody of a group. */
      parties: Type.Array(Uuid, { maxItems: 2 }),
      /** By which the sender recognises it. Apps may put anything into it. */
      clientMessageId: Nullable(Personal(Type.String())),
    }),
    person: 'senderId',
  },
} as const satisfies EventDeclarations;
export type ThreadEvent = EventsOf<typeof threadEvents>;
export type MessageSent = Static<typeof threadEvents.MessageSent.data>;
