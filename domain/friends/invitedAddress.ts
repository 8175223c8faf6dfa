/**
 * Who invited the person with an e-mail address or a phone number. Each address has one stream under its keyed
 * fingerprint, whether or not an account has it, so that an invitation reveals nothing. Invitations wait for the account
 * until they expire.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { IdentifierKind } from '../accounts/identity.ts';
import type { Decider, EventDeclarations, EventsOf } from '../core/decider.ts';
import { isAfter } from '../core/instants.ts';
import { Instant, Personal, Uuid } from '../core/schema.ts';
import { beginningOf } from '../core/storable.ts';

const invitedAddressEvents = {
  /** `hint`: a part of the address, by which the inviter recognises it. */
  AddressInvited: {
    data: Type.Object({ invitationId: Uuid, by: Uuid, hint: Personal(Type.String()), until: Instant }),
    person: 'by',
  },
  /** It was withdrawn, or they are friends. */
  AddressInvitationEnded: { data: Type.Object({ invitationId: Uuid, by: Uuid }) },
} as const satisfies EventDeclarations;
export type InvitedAddressEvent = EventsOf<typeof invitedAddressEvents>;

type Invited = Static<typeof invitedAddressEvents.AddressInvited.data>;
export type InvitedAddressCommand =
  /** `at`: now. */
  | ({ readonly type: 'InviteAddress'; readonly at: string } & Invited)
  | { readonly type: 'EndAddressInvitation'; readonly by: string };

type WaitingInvitation = Pick<Invited, 'invitationId' | 'by' | 'until'>;
/** The oldest first. */
export type InvitedAddress = readonly WaitingInvitation[];

/** Of one address; when there are more, the oldest are forgotten. */
export const MAX_WAITING = 100;

const decide = (command: InvitedAddressCommand, state: InvitedAddress): InvitedAddressEvent[] => {
  const known = state.find(({ by }) => by === command.by);
  switch (command.type) {
    case 'InviteAddress': {
      const { type: _, at, ...data } = command;
      return known && isAfter(known.until, at) ? [] : [{ type: 'AddressInvited', data }];
    }
    case 'EndAddressInvitation':
      return known
        ? [{ type: 'AddressInvitationEnded', data: { invitationId: known.invitationId, by: known.by } }]
        : [];
  }
};

const evolve = (state: InvitedAddress, { type, data }: InvitedAddressEvent): InvitedAddress => {
  const others = state.filter(({ by }) => by !== data.by);
  switch (type) {
    case 'AddressInvited':
      return [...others, { invitationId: data.invitationId, by: data.by, until: data.until }].slice(-MAX_WAITING);
    case 'AddressInvitationEnded':
      return others;
  }
};

export const invitedAddress: Decider<InvitedAddress, InvitedAddressCommand, InvitedAddressEvent> = {
  category: 'invitedAddress',
  short: 'an address is invited until it has an account',
  events: invitedAddressEvents,
  initial: [],
  decide,
  evolve,
};

/** A part of a normalised address that its inviter recognises: `+7…01`, `a…@example.test`. */
export const hintOf = (kind: IdentifierKind, address: string): string =>
  kind === 'phone'
    ? `${address.slice(0, 2)}…${address.slice(-2)}`
    : `${beginningOf(address, 1)}…${address.slice(address.indexOf('@'))}`;
