/** Up to where people have read topics. Unread posts are counted when they are asked for, from what exists. */

import { Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { Uuid } from '../../domain/core/schema.ts';
import { UNREAD_COUNTED } from '../../domain/core/unread.ts';
import { forumsPurpose } from '../../domain/forums/index.ts';
import { type ReadDb, tableOf, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { forumPosts, readable } from './posts.ts';

const Row = Type.Object({ topic_id: Uuid, account_id: Uuid, last_read_seq: Type.Integer() });
const upTo = (row: { last_read_seq: number } | undefined, seq: number): number =>
  Math.max(row?.last_read_seq ?? 0, seq);

export const forumReaders = readModel('forum_readers', {
  version: 1,
  row: Row,
  key: ['topic_id', 'account_id'],
  personalData: { whose: 'account_id', why: forumsPurpose, retention: 'account', erased: 'deleted', seenBy: ['self'] },
  on: {
    ForumTopicRead: {
      keys: ({ data }) => [{ topic_id: data.topicId, account_id: data.accountId }],
      fold: (row, { data }, key) => ({ ...key, last_read_seq: upTo(row, data.upToSeq) }),
    },
    // People who write have seen what was written before.
    ForumPostWritten: {
      keys: ({ streamId, data }) => [{ topic_id: streamId, account_id: data.authorId }],
      fold: (row, { data }, key) => ({ ...key, last_read_seq: upTo(row, data.seq) }),
    },
  },
  indexes: ['account_id'],
});

export interface Reading {
  readonly last_read_seq: number;
  readonly unread_count: number;
}

/** Topic → what a person has read of it; nothing of topics that they have never opened. */
export const readingsOf = async (
  db: ReadDb,
  accountId: string,
  topicIds: readonly string[],
): Promise<ReadonlyMap<string, Reading>> => {
  const found = await tables(db, forumReaders)
    .selectFrom('forum_readers as r')
    .select(['r.topic_id', 'r.last_read_seq'])
    .select(
      sql<number>`(select count(*)::int from (select from ${tableOf(forumPosts)} p where p.topic_id = r.topic_id
        and p.seq > r.last_read_seq and p.author_id <> r.account_id and ${sql.raw(readable('p'))}
        order by p.seq desc limit ${sql.lit(UNREAD_COUNTED)}) unread)`.as('unread_count'),
    )
    .where('r.account_id', '=', accountId)
    .where(sql<boolean>`r.topic_id = any(${topicIds}::uuid[])`)
    .execute();
  return new Map(found.map(({ topic_id, ...reading }) => [topic_id, reading]));
};
