/**
 * What two people are to each other. All of a pair is one stream, `friendship-<pair>`, so that two who invite each other
 * at once, or an answer and a withdrawal, are decided one after the other.
 *
 * Nobody is told that they were declined or blocked: their invitation stays theirs, and the other does not see it.
 */
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { OneOf, Uuid } from '../core/schema.ts';

/** How the other was named in an invitation. An address must not reveal whose it is. */
const namings = ['id', 'address'] as const;
export type Naming = (typeof namings)[number];

/** `by` acts, `other` is the other of the pair. */
const pair = { by: Uuid, other: Uuid };
const friendshipEvents = {
  /** `isShown`: whether the other sees it. Not if they declined or blocked before. */
  FriendInvited: { data: Type.Object({ ...pair, named: OneOf(namings), isShown: Type.Boolean() }) },
  /** They are friends: `by` accepted, or invited the other, too. */
  FriendAccepted: { data: Type.Object(pair) },
  FriendDeclined: { data: Type.Object(pair) },
  /** `by` had invited. */
  InvitationWithdrawn: { data: Type.Object(pair) },
  FriendRemoved: { data: Type.Object(pair) },
  /** It also ends the friendship, and the invitation of `by`. */
  PersonBlocked: { data: Type.Object(pair) },
  PersonUnblocked: { data: Type.Object(pair) },
} as const satisfies EventDeclarations;
export type FriendshipEvent = EventsOf<typeof friendshipEvents>;

export const relations = ['outgoing', 'incoming', 'friends', 'blocked'] as const;
/** What the other is to a person: invited, inviting, a friend, or blocked. */
export type Relation = (typeof relations)[number];

/** What the other is to a person after an event. @param isOwn whether the person is the one who acts */
export const relationAfter = (relation: Relation | null, event: FriendshipEvent, isOwn: boolean): Relation | null => {
  switch (event.type) {
    case 'FriendInvited':
      if (isOwn) return 'outgoing';
      return event.data.isShown ? 'incoming' : relation;
    case 'FriendAccepted':
      return 'friends';
    case 'FriendDeclined':
    case 'PersonUnblocked':
      return isOwn ? null : relation;
    case 'InvitationWithdrawn':
      return isOwn || relation === 'incoming' ? null : relation;
    case 'FriendRemoved':
      return null;
    case 'PersonBlocked':
      if (isOwn) return 'blocked';
      return relation === 'friends' || relation === 'incoming' ? null : relation;
  }
};

interface By {
  readonly by: string;
  readonly other: string;
}
export type FriendshipCommand =
  | ({ readonly type: 'InviteFriend'; readonly named: Naming } & By)
  | ({ readonly type: 'AcceptFriend' | 'DeclineFriend' | 'RemoveFriend' | 'BlockPerson' | 'UnblockPerson' } & By)
  /** With `named` only an invitation that named the other so. */
  | ({ readonly type: 'WithdrawInvitation'; readonly named?: Naming } & By)
  /** `by` is erased. */
  | ({ readonly type: 'LeavePair' } & By);

export interface Friendship {
  /** Person → what the other is to them. */
  readonly relations: Readonly<Record<string, Relation | null>>;
  /** Who declined or blocked the other since they last invited them. */
  readonly refusers: readonly string[];
  /** How the invitation that stands named its receiver. */
  readonly named: Naming | null;
}

const invite = ({ by, other, named }: Extract<FriendshipCommand, { type: 'InviteFriend' }>, state: Friendship) => {
  const { relations: known, refusers } = state;
  if (by === other)
    throw new Rejected('invalid', 'You cannot invite yourself.', { fields: ['user_id', 'phone', 'email'] });
  if (known[by] === 'blocked')
    throw new Rejected('conflict', 'You have blocked this person. Unblock them before you invite them.');
  if (known[by] === 'friends') return [];
  if (known[other] === 'outgoing') return [{ type: 'FriendAccepted', data: { by, other } }] as const;
  // Somebody who names by id a person whom they invited by address learns nothing: this invitation is listed like any
  // other.
  if (known[by] === 'outgoing' && (state.named === named || state.named === 'id')) return [];
  const isShown = known[other] !== 'blocked' && !refusers.includes(other);
  return [{ type: 'FriendInvited', data: { by, other, named, isShown } }] as const;
};

const alreadyFriends = () => new Rejected('invalid_transition', 'You are friends already. Remove the friend instead.');

const leave = ({ by, other }: By, { relations: known }: Friendship): FriendshipEvent[] => [
  ...(known[by] === 'friends' ? [{ type: 'FriendRemoved', data: { by, other } } as const] : []),
  ...[
    { by, other },
    { by: other, other: by },
  ].flatMap((data): FriendshipEvent[] => {
    if (known[data.by] === 'outgoing') return [{ type: 'InvitationWithdrawn', data }];
    return known[data.by] === 'blocked' ? [{ type: 'PersonUnblocked', data }] : [];
  }),
];

const decide = (command: FriendshipCommand, state: Friendship): FriendshipEvent[] => {
  const { by, other } = command;
  const data = { by, other };
  const relation = state.relations[by] ?? null;
  switch (command.type) {
    case 'InviteFriend':
      return [...invite(command, state)];
    case 'AcceptFriend':
      if (relation === 'friends') return [];
      if (relation !== 'incoming') throw notFound('invitation');
      return [{ type: 'FriendAccepted', data }];
    case 'DeclineFriend':
      if (relation === 'incoming') return [{ type: 'FriendDeclined', data }];
      if (relation === 'friends') throw alreadyFriends();
      if (!state.refusers.includes(by)) throw notFound('invitation');
      return [];
    case 'WithdrawInvitation':
      if (relation === 'friends') throw alreadyFriends();
      if (relation !== 'outgoing' || (command.named && command.named !== state.named)) return [];
      return [{ type: 'InvitationWithdrawn', data }];
    case 'RemoveFriend':
      return relation === 'friends' ? [{ type: 'FriendRemoved', data }] : [];
    case 'BlockPerson':
      if (by === other) throw new Rejected('invalid', 'You cannot block yourself.', { fields: ['user_id'] });
      return relation === 'blocked' ? [] : [{ type: 'PersonBlocked', data }];
    case 'UnblockPerson':
      return relation === 'blocked' ? [{ type: 'PersonUnblocked', data }] : [];
    case 'LeavePair':
      return leave(data, state);
  }
};

const refusersAfter = (refusers: readonly string[], { type, data: { by } }: FriendshipEvent): readonly string[] => {
  const others = refusers.filter((person) => person !== by);
  switch (type) {
    case 'FriendDeclined':
    case 'PersonBlocked':
      return [...others, by];
    case 'FriendInvited':
    case 'PersonUnblocked':
      return others;
    case 'FriendAccepted':
      return [];
    case 'InvitationWithdrawn':
    case 'FriendRemoved':
      return refusers;
  }
};

const evolve = (state: Friendship, event: FriendshipEvent): Friendship => {
  const { by, other } = event.data;
  const after = (person: string) => relationAfter(state.relations[person] ?? null, event, person === by);
  return {
    relations: { [by]: after(by), [other]: after(other) },
    refusers: refusersAfter(state.refusers, event),
    named: event.type === 'FriendInvited' ? event.data.named : state.named,
  };
};

export const friendship: Decider<Friendship, FriendshipCommand, FriendshipEvent> = {
  category: 'friendship',
  short: 'two people become friends now and then',
  events: friendshipEvents,
  initial: { relations: {}, refusers: [], named: null },
  decide,
  evolve,
};

/** Whether one of them has blocked the other. */
export const isBlocked = ({ relations: known }: Friendship): boolean => Object.values(known).includes('blocked');
