import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rejected } from '../../domain/core/decider.ts';
import {
  type Friendship,
  type FriendshipCommand,
  type FriendshipEvent,
  friendship,
  isBlocked,
} from '../../domain/friends/friendship.ts';
import { specification } from '../kit/given.ts';

const ANNA = '018f0000-0000-7000-8000-00000000000a';
const BORIS = '018f0000-0000-7000-8000-00000000000b';
const byAnna = { by: ANNA, other: BORIS };
const byBoris = { by: BORIS, other: ANNA };
const given = specification(friendship);

const invited = (more: object = {}): FriendshipEvent => ({
  type: 'FriendInvited',
  data: { ...byAnna, named: 'id', isShown: true, ...more },
});
const accepted: FriendshipEvent = { type: 'FriendAccepted', data: byBoris };
const declined: FriendshipEvent = { type: 'FriendDeclined', data: byBoris };
const withdrawn: FriendshipEvent = { type: 'InvitationWithdrawn', data: byAnna };
const removed: FriendshipEvent = { type: 'FriendRemoved', data: byAnna };
const blocked: FriendshipEvent = { type: 'PersonBlocked', data: byBoris };
const unblocked: FriendshipEvent = { type: 'PersonUnblocked', data: byBoris };
const invite = (pair = byAnna, named: 'id' | 'address' = 'id'): FriendshipCommand => ({
  type: 'InviteFriend',
  ...pair,
  named,
});

describe('an invitation', () => {
  it('is sent once', () => given([]).when(invite()).thenOnce([invited()]));
  it('is accepted once', () =>
    given([invited()])
      .when({ type: 'AcceptFriend', ...byBoris })
      .thenOnce([accepted]));
  it('is accepted by inviting the other', () => given([invited()]).when(invite(byBoris)).thenOnce([accepted]));
  it('is not accepted by its sender', () =>
    given([invited()])
      .when({ type: 'AcceptFriend', ...byAnna })
      .then('not_found'));
  it('is declined once', () =>
    given([invited()])
      .when({ type: 'DeclineFriend', ...byBoris })
      .thenOnce([declined]));
  it('is withdrawn once', () =>
    given([invited()])
      .when({ type: 'WithdrawInvitation', ...byAnna })
      .thenOnce([withdrawn]));
  it('cannot be accepted after it was withdrawn', () =>
    given([invited(), withdrawn])
      .when({ type: 'AcceptFriend', ...byBoris })
      .then('not_found'));
  it('cannot be withdrawn after it was accepted', () =>
    given([invited(), accepted])
      .when({ type: 'WithdrawInvitation', ...byAnna })
      .then('invalid_transition'));
  it('cannot be declined after it was accepted', () =>
    given([invited(), accepted])
      .when({ type: 'DeclineFriend', ...byBoris })
      .then('invalid_transition'));
  it('does not exist without one', () => {
    given([])
      .when({ type: 'AcceptFriend', ...byBoris })
      .then('not_found');
    given([])
      .when({ type: 'DeclineFriend', ...byBoris })
      .then('not_found');
    given([])
      .when({ type: 'WithdrawInvitation', ...byAnna })
      .then([]);
  });
  it('to oneself is refused', () =>
    given([])
      .when(invite({ by: ANNA, other: ANNA }))
      .then('invalid'));
  it('among friends has no effect', () => given([invited(), accepted]).when(invite()).then([]));
});

describe('a declined invitation', () => {
  it('stays with its sender, who sees no difference', () => given([invited(), declined]).when(invite()).then([]));
  it('is not shown again when it is withdrawn and repeated', () =>
    given([invited(), declined, withdrawn])
      .when(invite())
      .then([invited({ isShown: false })]));
  it('cannot be accepted any more', () =>
    given([invited(), declined])
      .when({ type: 'AcceptFriend', ...byBoris })
      .then('not_found'));
  it('makes friends when the other invites its sender', () =>
    given([invited(), declined]).when(invite(byBoris)).then([accepted]));
});

describe('an invitation by address', () => {
  const byAddress = invited({ named: 'address' });
  it('does not hide that the same person is invited by id', () =>
    given([byAddress]).when(invite()).thenOnce([invited()]));
  it('after one by id has no effect', () => given([invited()]).when(invite(byAnna, 'address')).then([]));
  it('that is withdrawn leaves one by id', () => {
    const command = { type: 'WithdrawInvitation', ...byAnna, named: 'address' } as const;
    given([invited()]).when(command).then([]);
    given([byAddress]).when(command).thenOnce([withdrawn]);
  });
});

describe('a block', () => {
  it('ends a friendship', () => {
    given([invited(), accepted])
      .when({ type: 'BlockPerson', ...byBoris })
      .thenOnce([blocked]);
    expect(given([invited(), accepted, blocked]).state.relations).toEqual({ [ANNA]: null, [BORIS]: 'blocked' });
  });
  it('hides the invitations of the blocked person, who can send and withdraw them', () => {
    given([blocked])
      .when(invite())
      .thenOnce([invited({ isShown: false })]);
    given([blocked, invited({ isShown: false })])
      .when({ type: 'AcceptFriend', ...byBoris })
      .then('not_found');
    given([invited(), blocked])
      .when({ type: 'WithdrawInvitation', ...byAnna })
      .thenOnce([withdrawn]);
  });
  it('withdraws the own invitation', () => {
    const own: FriendshipEvent = { type: 'PersonBlocked', data: byAnna };
    given([invited(), own])
      .when({ type: 'AcceptFriend', ...byBoris })
      .then('not_found');
  });
  it('must end before its author invites', () => given([blocked]).when(invite(byBoris)).then('conflict'));
  it('of oneself is refused', () => given([]).when({ type: 'BlockPerson', by: ANNA, other: ANNA }).then('invalid'));
  it('ends once', () =>
    given([blocked])
      .when({ type: 'UnblockPerson', ...byBoris })
      .thenOnce([unblocked]));
  it('that has ended shows invitations again', () => given([blocked, unblocked]).when(invite()).then([invited()]));
});

it('an erased person leaves nothing', () => {
  const leave: FriendshipCommand = { type: 'LeavePair', ...byAnna };
  given([invited(), accepted]).when(leave).thenOnce([removed]);
  given([invited()]).when(leave).thenOnce([withdrawn]);
  given([invited(), blocked]).when(leave).thenOnce([withdrawn, unblocked]);
  given([]).when(leave).then([]);
});

/** What each of the two may do. */
const command: fc.Arbitrary<FriendshipCommand> = fc
  .record({
    pair: fc.constantFrom(byAnna, byBoris),
    type: fc.constantFrom(
      'InviteFriend' as const,
      'AcceptFriend' as const,
      'DeclineFriend' as const,
      'WithdrawInvitation' as const,
      'RemoveFriend' as const,
      'BlockPerson' as const,
      'UnblockPerson' as const,
    ),
    named: fc.constantFrom('id' as const, 'address' as const),
  })
  .map(({ pair, type, named }) => (type === 'InviteFriend' ? { type, ...pair, named } : { type, ...pair }));

const apply = (state: Friendship, one: FriendshipCommand): Friendship => {
  try {
    return friendship.decide(one, state).reduce(friendship.evolve, state);
  } catch (error) {
    if (error instanceof Rejected) return state;
    throw error;
  }
};

it('in any order of what two people do, they are friends both or not at all, and never across a block', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let state = friendship.initial;
      for (const one of commands) {
        state = apply(state, one);
        const [anna, boris] = [state.relations[ANNA] ?? null, state.relations[BORIS] ?? null];
        expect(anna === 'friends').toBe(boris === 'friends');
        expect(anna === 'outgoing' && boris === 'outgoing').toBe(false);
        if (anna === 'incoming') expect(boris).toBe('outgoing');
        if (boris === 'incoming') expect(anna).toBe('outgoing');
        expect(isBlocked(state)).toBe(anna === 'blocked' || boris === 'blocked');
        expect(state.refusers.length).toBeLessThanOrEqual(2);
        expect(apply(state, one)).toEqual(state);
      }
    }),
  );
});

it('two who invite each other at once are friends, whoever comes first', () => {
  for (const [first, second] of [
    [byAnna, byBoris],
    [byBoris, byAnna],
  ] as const)
    expect([invite(first), invite(second)].reduce(apply, friendship.initial).relations).toEqual({
      [ANNA]: 'friends',
      [BORIS]: 'friends',
    });
});
