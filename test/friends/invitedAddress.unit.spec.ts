import { describe, expect, it } from 'vitest';
import { hintOf, type InvitedAddressEvent, invitedAddress, MAX_WAITING } from '../../domain/friends/invitedAddress.ts';
import { specification } from '../kit/given.ts';

const ANNA = '018f0000-0000-7000-8000-00000000000a';
const ID = '018f0000-0000-7000-8000-0000000000aa';
const [NOW, UNTIL, LATER] = ['2027-01-01T00:00:00Z', '2027-04-01T00:00:00Z', '2027-04-02T00:00:00Z'];
const given = specification(invitedAddress);
const data = { invitationId: ID, by: ANNA, hint: '+7…01', until: UNTIL };
const invited: InvitedAddressEvent = { type: 'AddressInvited', data };
const ended: InvitedAddressEvent = { type: 'AddressInvitationEnded', data: { invitationId: ID, by: ANNA } };

describe('an invited address', () => {
  it('waits once for each inviter', () =>
    given([])
      .when({ type: 'InviteAddress', at: NOW, ...data })
      .thenOnce([invited]));
  it('is invited again after the invitation expired', () =>
    given([invited])
      .when({ type: 'InviteAddress', at: LATER, ...data })
      .then([invited]));
  it('ends once', () => given([invited]).when({ type: 'EndAddressInvitation', by: ANNA }).thenOnce([ended]));
  it('remembers the newest inviters only', () => {
    const many = Array.from({ length: MAX_WAITING + 5 }, (_, n): InvitedAddressEvent => {
      const by = `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
      return { type: 'AddressInvited', data: { ...data, by } };
    });
    const { state } = given(many);
    expect(state).toHaveLength(MAX_WAITING);
    expect(state.at(-1)?.by).toBe(many.at(-1)?.data.by);
  });
});

it('a hint shows a part of the address', () => {
  expect(hintOf('phone', '+79990000001')).toBe('+7…01');
  expect(hintOf('email', 'anna@example.test')).toBe('a…@example.test');
});
