/** Mutes and bans: for whom they concern, and for admins. */

import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { Instant, Nullable, textOrNull, Uuid } from '../../domain/core/schema.ts';
import { forumsPurpose } from '../../domain/forums/index.ts';
import { userChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';

const Fields = {
  id: Uuid,
  account_id: Uuid,
  topic_id: Nullable({ ...Uuid, description: 'Where the person is muted; null: banned from all forums.' }),
  until: Instant,
  imposed_at: Instant,
  lifted_at: Nullable(Instant),
};
const Row = Type.Object({ ...Fields, reason: Type.String() });
export type SanctionRow = Static<typeof Row>;

export const Sanction = Type.Object(
  {
    ...Fields,
    reason: Nullable(Type.String({ description: 'null: the account was erased.' })),
  },
  { $id: 'ForumSanction' },
);

const shownSanction = ({ reason, ...row }: SanctionRow): Static<typeof Sanction> => ({
  ...row,
  reason: textOrNull(reason),
});

export const forumSanctions = readModel('forum_sanctions', {
  version: 1,
  row: Row,
  key: 'id',
  wire: wireForm(Sanction, shownSanction),
  personalData: {
    whose: 'account_id',
    texts: ['reason'],
    why: forumsPurpose,
    retention: 'account',
    seenBy: ['self', 'admins'],
  },
  on: {
    ForumSanctionImposed: (_, { streamId: id, at, data: { accountId, topicId, until, reason } }) => ({
      ...{ id, account_id: accountId, topic_id: topicId, until, reason, imposed_at: at, lifted_at: null },
    }),
    ForumSanctionLifted: (row, { at }) => ({ ...existing(row), lifted_at: at }),
  },
  indexes: ['account_id, imposed_at desc, id', 'imposed_at desc, id'],
  publishTo: [{ channel: userChannel, idsOf: ({ account_id }) => [account_id], audience: 'guest' }],
});

export interface SanctionFilter extends Paging {
  readonly accountId?: string | undefined;
  /** Those that hold at this time, RFC 3339; undefined: all. */
  readonly holdsAt?: string | undefined;
}

/** The newest first. */
export const listSanctions = async (
  db: ReadDb,
  { accountId, holdsAt, ...paging }: SanctionFilter,
): Promise<Page<Static<typeof Sanction>>> => {
  const found = tables(db, forumSanctions)
    .selectFrom('forum_sanctions')
    .selectAll()
    .$if(accountId !== undefined, (q) => q.where('account_id', '=', accountId as string))
    .$if(holdsAt !== undefined, (q) =>
      q.where('lifted_at', 'is', null).where(sql<boolean>`until > ${holdsAt}::timestamptz`),
    );
  const { rows, total } = await pageOf(db, found.orderBy('imposed_at', 'desc').orderBy('id'), paging);
  return { rows: rows.map(shownSanction), total };
};
