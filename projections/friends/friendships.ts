/** What others are to a person: friends, people who invite them, people whom they have blocked. */

import { type Static, Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type FriendshipEvent, relationAfter } from '../../domain/friends/friendship.ts';
import { friendsPurpose } from '../../domain/friends/index.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { accounts } from '../accounts/accounts.ts';
import { userChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { formsOf } from '../engine/replies.ts';
import { wireFormWith } from '../engine/wire.ts';
import { friendsChannel } from './channels.ts';

/** Whom a person has invited is in `friend_invitations`, which does not say whose an address is. */
const shownRelations = ['incoming', 'friends', 'blocked'] as const;
export type ShownRelation = (typeof shownRelations)[number];

const Row = Type.Object({
  person_id: Uuid,
  /** The other. */
  user_id: Uuid,
  relation: OneOf(shownRelations),
  since: Instant,
});
type Row = Static<typeof Row>;
type Key = Pick<Row, 'person_id' | 'user_id'>;

const { person_id: _, ...columns } = Row.properties;

/** Of the other; null while their account is not shown. */
export const names = { first_name: Nullable(Type.String()), last_name: Nullable(Type.String()) };

/** The names of these people. */
export const namesOf = async (db: ReadDb, ids: readonly string[]) => {
  const found = await tables(db, accounts)
    .selectFrom('accounts')
    .select(['id', 'first_name', 'last_name'])
    .where(isAnyOf('id', ids))
    .execute();
  const known = new Map(found.map(({ id, ...name }) => [id, name]));
  return (id: string) => known.get(id) ?? { first_name: null, last_name: null };
};

/** What another person is to the reader. */
export const FriendshipForm = Type.Object({ ...columns, ...names }, { $id: 'Friendship' });

const wire = wireFormWith({
  schema: FriendshipForm,
  make: ({ user_id, relation, since }: Row) => ({ user_id, relation, since }),
  overlay: {
    fields: ['first_name', 'last_name'],
    needs: ['user_id'],
    read: async (db, rows) => {
      const nameOf = await namesOf(
        db,
        rows.map(({ user_id }) => user_id),
      );
      return ({ user_id }) => nameOf(user_id);
    },
  },
});

type Happened = Recorded<FriendshipEvent>;

/** The row of each of the two. */
const bothRows = {
  keys: ({ data: { by, other } }: Happened): Key[] => [
    { person_id: by, user_id: other },
    { person_id: other, user_id: by },
  ],
  fold: (row: Row | undefined, event: Happened, { person_id, user_id }: Key): Row | null => {
    const relation = relationAfter(row?.relation ?? null, event, person_id === event.data.by);
    if (relation === null || relation === 'outgoing') return null;
    return row?.relation === relation ? row : { person_id, user_id, relation, since: event.at };
  },
};

export const friendships = readModel('friendships', {
  version: 1,
  row: Row,
  wire,
  key: ['person_id', 'user_id'],
  personalData: {
    whose: 'person_id',
    why: friendsPurpose,
    retention: { until: 'either side ends it' },
    erased: 'deleted',
    others: { user_id: 'deleted' },
  },
  on: {
    FriendInvited: bothRows,
    FriendAccepted: bothRows,
    FriendDeclined: bothRows,
    InvitationWithdrawn: bothRows,
    FriendRemoved: bothRows,
    PersonBlocked: bothRows,
    PersonUnblocked: bothRows,
  },
  indexes: ['person_id, relation, since desc, user_id', 'user_id'],
  publishTo: [
    { channel: userChannel, idsOf: ({ person_id }) => [person_id], audience: 'guest' },
    // Somebody who is no friend any more gets `removed`: their position is not shown from then on.
    {
      channel: friendsChannel,
      idsOf: ({ person_id, relation }) => (relation === 'friends' ? [person_id] : []),
      audience: 'guest',
    },
  ],
});

/** The others who are this to a person, the newest first. */
export const listFriendships = async (
  db: ReadDb,
  { personId, relation, ...paging }: { readonly personId: string; readonly relation: ShownRelation } & Paging,
): Promise<Page<JsonText<Static<typeof FriendshipForm>>>> => {
  const matching = tables(db, friendships)
    .selectFrom('friendships')
    .selectAll()
    .where('person_id', '=', personId)
    .where('relation', '=', relation)
    .orderBy('since', 'desc')
    .orderBy('user_id');
  const { rows, total } = await pageOf(db, matching, paging);
  const formFor = await formsOf(db, friendships, rows, ['guest']);
  return { rows: rows.map((row) => formFor(row, 'guest') as JsonText<Static<typeof FriendshipForm>>), total };
};

/** The ids of all friends of a person. */
export const friendIds = async (db: ReadDb, personId: string): Promise<string[]> => {
  const rows = await tables(db, friendships)
    .selectFrom('friendships')
    .select('user_id')
    .where('person_id', '=', personId)
    .where('relation', '=', 'friends')
    .execute();
  return rows.map(({ user_id }) => user_id);
};
