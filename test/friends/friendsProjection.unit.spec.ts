import { expect, it } from 'vitest';
import { type FriendshipEvent, friendship, type relations } from '../../domain/friends/friendship.ts';
import { type InvitedAddressEvent, invitedAddress } from '../../domain/friends/invitedAddress.ts';
import { friendInvitations } from '../../projections/friends/friendInvitations.ts';
import { friendships } from '../../projections/friends/friendships.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';

const ANNA = '018f0000-0000-7000-8000-00000000000a';
const BORIS = '018f0000-0000-7000-8000-00000000000b';
const PAIR = '018f0000-0000-7000-8000-0000000000ab';
const ADDRESS = '018f0000-0000-7000-8000-0000000000ad';
const INVITATION = '018f0000-0000-7000-8000-0000000000ae';
const T = '2027-01-01T00:00:00.000Z';
const UNTIL = '2027-04-01T00:00:00.000Z';
const byAnna = { by: ANNA, other: BORIS };
const byBoris = { by: BORIS, other: ANNA };

const relationsAfter = projection(friendships);
const invitationsAfter = projection(friendInvitations);
const on = (event: FriendshipEvent) => happened(friendship.category, PAIR, event, T);
const onAddress = (event: InvitedAddressEvent) => happened(invitedAddress.category, ADDRESS, event, T);
const invited = (named: 'id' | 'address' = 'id', isShown = true): FriendshipEvent => ({
  type: 'FriendInvited',
  data: { ...byAnna, named, isShown },
});
const accepted: FriendshipEvent = { type: 'FriendAccepted', data: byBoris };
const others: FriendshipEvent[] = [
  { type: 'FriendDeclined', data: byBoris },
  { type: 'InvitationWithdrawn', data: byAnna },
  { type: 'FriendRemoved', data: byBoris },
  { type: 'PersonBlocked', data: byBoris },
  { type: 'PersonUnblocked', data: byBoris },
];

const row = (person_id: string, user_id: string, relation: (typeof relations)[number]) => ({
  person_id,
  user_id,
  relation,
  since: T,
});

it('shows an invitation to its receiver, unless it is hidden from them', () => {
  expect(relationsAfter([on(invited())])).toEqual([row(BORIS, ANNA, 'incoming')]);
  expect(relationsAfter([on(invited('id', false))])).toEqual([]);
});

it('shows friends to both, and on the channels of both', () => {
  const rows = relationsAfter([on(invited()), on(accepted)]);
  expect(rows.toSorted((a, b) => (String(a.person_id) < String(b.person_id) ? -1 : 1))).toEqual([
    row(ANNA, BORIS, 'friends'),
    row(BORIS, ANNA, 'friends'),
  ]);
  expect(toldOn(friendships, row(ANNA, BORIS, 'friends'))).toEqual([`realtime:user_${ANNA}`, `friends_${ANNA}`]);
  expect(toldOn(friendships, row(ANNA, BORIS, 'blocked'))).toEqual([`realtime:user_${ANNA}`]);
});

it.each(others.map((event) => [event.type, event] as const))('after %s it is what the decider says', (_, event) => {
  for (const before of [[], [invited()], [invited(), accepted]]) {
    const events = [...before, event];
    const state = events.reduce(friendship.evolve, friendship.initial);
    const shown = Object.fromEntries(relationsAfter(events.map(on)).map((each) => [each.person_id, each.relation]));
    for (const person of [ANNA, BORIS]) {
      const relation = state.relations[person] ?? null;
      expect(shown[person]).toBe(relation === null || relation === 'outgoing' ? undefined : relation);
    }
  }
});

it('shows sent invitations by id until they are accepted or withdrawn', () => {
  const sent = { id: PAIR, person_id: ANNA, user_id: BORIS, address: null, address_id: null, created_at: T };
  expect(invitationsAfter([on(invited())])).toEqual([{ ...sent, expires_at: null }]);
  for (const silent of ['FriendDeclined', 'PersonBlocked'] as const)
    expect(invitationsAfter([on(invited()), on({ type: silent, data: byBoris })])).toHaveLength(1);
  for (const end of [accepted, others[1], { type: 'PersonBlocked', data: byAnna }] as FriendshipEvent[])
    expect(invitationsAfter([on(invited()), on(end)])).toEqual([]);
});

it('shows sent invitations by address, never whose address it is', () => {
  const data = { invitationId: INVITATION, by: ANNA, hint: '+7…01', until: UNTIL };
  const waiting = onAddress({ type: 'AddressInvited', data });
  const rows = invitationsAfter([waiting, on(invited('address'))]);
  expect(rows).toEqual([
    {
      id: INVITATION,
      person_id: ANNA,
      user_id: null,
      address: '+7…01',
      address_id: ADDRESS,
      created_at: T,
      expires_at: UNTIL,
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain(BORIS);
  const ended = onAddress({ type: 'AddressInvitationEnded', data: { invitationId: INVITATION, by: ANNA } });
  expect(invitationsAfter([waiting, ended])).toEqual([]);
});
