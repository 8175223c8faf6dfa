/**
 * Whom a person has invited, by id or by address, until the other accepts. It is the same for an address that no account
 * has, and for an invitation that was declined.
 */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { friendsPurpose } from '../../domain/friends/index.ts';
import { userChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';

const Row = Type.Object({
  id: Uuid,
  person_id: Uuid,
  /** The person who was invited by id. */
  user_id: Nullable(Uuid),
  /** A part of the address that was invited, by which the inviter recognises it. */
  address: Nullable(Type.String()),
  /** The stream of the address. */
  address_id: Nullable(Uuid),
  created_at: Instant,
  /** When an invitation by address ends that nobody accepts. */
  expires_at: Nullable(Instant),
});
export type FriendInvitationRow = Static<typeof Row>;

const { person_id: _, address_id: __, ...columns } = Row.properties;
export const FriendInvitation = Type.Object(columns, { $id: 'FriendInvitation' });

const byInvitation = ({ data }: { readonly data: { readonly invitationId: string } }) => [{ id: data.invitationId }];
const ended = () => null;

export const friendInvitations = readModel('friend_invitations', {
  version: 1,
  row: Row,
  wire: wireForm(FriendInvitation, ({ person_id, address_id, ...shown }: FriendInvitationRow) => shown),
  key: 'id',
  personalData: {
    whose: 'person_id',
    texts: ['address'],
    erased: 'deleted',
    others: { user_id: 'deleted' },
    why: friendsPurpose,
    retention: { until: 'it is answered or withdrawn, or the account is erased' },
  },
  on: {
    FriendInvited: (row, { streamId: id, at, data: { by, other, named } }) =>
      named === 'id'
        ? {
            id,
            person_id: by,
            user_id: other,
            address: null,
            address_id: null,
            created_at: at,
            expires_at: null,
          }
        : (row ?? null),
    FriendAccepted: ended,
    InvitationWithdrawn: ended,
    PersonBlocked: (row, { data }) => (row && row.person_id !== data.by ? row : null),
    AddressInvited: {
      keys: byInvitation,
      fold: (_row, { streamId: address_id, at, data: { invitationId: id, by, hint, until } }) => ({
        id,
        person_id: by,
        user_id: null,
        address: hint,
        address_id,
        created_at: at,
        expires_at: until,
      }),
    },
    AddressInvitationEnded: { keys: byInvitation, fold: ended },
  },
  indexes: ['person_id, created_at desc, id', 'user_id'],
  publishTo: [{ channel: userChannel, idsOf: ({ person_id }) => [person_id], audience: 'guest' }],
});

/** Those that a person has sent and that have not ended, the newest first. */
export const listFriendInvitations = async (
  db: ReadDb,
  { personId, at, ...paging }: { readonly personId: string; readonly at: string } & Paging,
): Promise<Page<Static<typeof FriendInvitation>>> =>
  pageOf(
    db,
    tables(db, friendInvitations)
      .selectFrom('friend_invitations')
      .select(['id', 'user_id', 'address', 'created_at', 'expires_at'])
      .where('person_id', '=', personId)
      .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', at)]))
      .orderBy('created_at', 'desc')
      .orderBy('id'),
    paging,
  );

/** One that a person has sent. */
export const friendInvitationById = (
  db: ReadDb,
  personId: string,
  id: string,
): Promise<FriendInvitationRow | undefined> =>
  tables(db, friendInvitations)
    .selectFrom('friend_invitations')
    .selectAll()
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst();
