/** What a thread remembers: who its members are and how many messages it has, not what they say. */
import { Type } from '@sinclair/typebox';
import { snapshot } from '../core/decider.ts';
import { OneOf } from '../core/schema.ts';
import {
  firstRole,
  type MemberRole,
  memberRoles,
  type ThreadEvent,
  type ThreadType,
  threadTypes,
} from './threadEvents.ts';

export interface Member {
  readonly id: string;
  readonly role: MemberRole;
  /** Messages up to this number were sent before they joined. */
  readonly joinedSeq: number;
  /** The number of their newest message; 0: none. */
  readonly wroteSeq: number;
}
export interface Numbered {
  readonly id: string;
  readonly seq: number;
}

export interface OpenThread {
  readonly type: ThreadType;
  /** In the order in which they joined. */
  readonly members: readonly Member[];
  /** Who has left it by themselves, and when (RFC 3339): the newest ones. */
  readonly left: readonly { readonly id: string; readonly at: string }[];
  /** The number of the newest message; 0: none. */
  readonly lastSeq: number;
  /** The newest messages, by which a repeated request is recognised. Older ones are found in the read models. */
  readonly recent: readonly Numbered[];
  /** The last request that renamed it. */
  readonly renameId: string;
}
export type Thread = { readonly type: 'none' } | OpenThread;

export const initial: Thread = { type: 'none' };

/** How many messages are remembered. */
const RECENT = 200;

/** How many who have left are remembered. */
const LEFT = 200;

/** Whether a message that it does not remember cannot be one of its own. */
export const remembersAll = ({ lastSeq }: OpenThread): boolean => lastSeq <= RECENT;

/** Up to where a member has read: what was before they joined or wrote counts as read. @param readUpTo as they have said */
export const positionOf = ({ joinedSeq, wroteSeq }: Member, readUpTo: number): number =>
  Math.max(readUpTo, joinedSeq, wroteSeq);

export const isMember = ({ members }: OpenThread, id: string): boolean => members.some((member) => member.id === id);

export const evolve = (state: Thread, event: ThreadEvent): Thread => {
  if (event.type === 'ThreadStarted') {
    const { type, startedBy, memberIds } = event.data;
    const members = memberIds.map((id) => ({ id, role: firstRole(type, id, startedBy), joinedSeq: 0, wroteSeq: 0 }));
    return { type, members, left: [], lastSeq: 0, recent: [], renameId: '' };
  }
  if (state.type === 'none') return state;
  switch (event.type) {
    case 'ThreadRenamed':
      return { ...state, renameId: event.data.renameId };
    case 'MemberAdded': {
      const { accountId: id, afterSeq: joinedSeq } = event.data;
      return { ...state, members: [...state.members, { id, role: 'member', joinedSeq, wroteSeq: 0 }] };
    }
    case 'MemberLeft': {
      const { accountId: id, leftAt } = event.data;
      const left = leftAt === undefined ? state.left : [...state.left.slice(1 - LEFT), { id, at: leftAt }];
      return { ...state, members: state.members.filter((one) => one.id !== id), left };
    }
    case 'MemberRemoved':
      return { ...state, members: state.members.filter(({ id }) => id !== event.data.accountId) };
    case 'MemberRoleChanged': {
      const { accountId, role } = event.data;
      return { ...state, members: state.members.map((one) => (one.id === accountId ? { ...one, role } : one)) };
    }
    case 'MessageSent': {
      const { messageId: id, seq, senderId } = event.data;
      const members = state.members.map((one) => (one.id === senderId ? { ...one, wroteSeq: seq } : one));
      return { ...state, members, lastSeq: seq, recent: [...state.recent.slice(1 - RECENT), { id, seq }] };
    }
  }
};

const Packed = Type.Object({
  type: OneOf(['none', ...threadTypes] as const),
  members: Type.Array(
    Type.Object({
      id: Type.String(),
      role: OneOf(memberRoles),
      joinedSeq: Type.Integer(),
      wroteSeq: Type.Integer(),
    }),
  ),
  left: Type.Array(Type.Object({ id: Type.String(), at: Type.String() })),
  lastSeq: Type.Integer(),
  recent: Type.Array(Type.Object({ id: Type.String(), seq: Type.Integer() })),
  renameId: Type.String(),
});

const nothing = { members: [], left: [], lastSeq: 0, recent: [], renameId: '' };

export const threadSnapshot = snapshot<Thread, typeof Packed>({
  version: 4,
  packed: Packed,
  pack: (state) =>
    state.type === 'none'
      ? { type: 'none', ...nothing }
      : {
          ...state,
          members: state.members.map((one) => ({ ...one })),
          left: state.left.map((one) => ({ ...one })),
          recent: state.recent.map((one) => ({ ...one })),
        },
  unpack: ({ type, ...state }) => (type === 'none' ? initial : { type, ...state }),
});
