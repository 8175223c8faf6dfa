/** Topics: what stays the same while posts come. */

import { type Static, Type } from '@sinclair/typebox';
import { foldedText } from '../../domain/core/folded.ts';
import { Instant, Nullable, OneOf, textOrNull, Uuid } from '../../domain/core/schema.ts';
import { forumsPurpose } from '../../domain/forums/index.ts';
import { topicStatuses } from '../../domain/forums/topicState.ts';
import type { EventOf } from '../../domain/modules.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { wordsOf } from '../catalog/sql.ts';
import { isAnyOf, type ReadDb, rowColumns, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { rowsById } from '../engine/statements.ts';
import { wireFormWith } from '../engine/wire.ts';
import { topicActivity } from './activity.ts';
import { authorsOf } from './authors.ts';
import { topicChannel } from './channels.ts';
import { inPeriods, periodsOf } from './periods.ts';

const Fields = {
  id: Uuid,
  category_id: Uuid,
  author_id: Uuid,
  pinned: Type.Boolean({ description: 'It comes first in lists of its category.' }),
  locked: Type.Boolean({ description: 'Only admins write in it.' }),
  status: OneOf(topicStatuses, {
    description:
      'Everybody sees `open` topics. One that a moderator has `removed` is shown to its author and admins, one that its author has `deleted` to admins, if a report of its first post was open.',
  }),
  created_at: Instant,
};
const Row = Type.Object({
  ...Fields,
  title: Type.String(),
  /** Who has given the title. */
  titled_by: Uuid,
});
export type TopicRow = Static<typeof Row>;

export const ForumTopic = Type.Object(
  {
    ...Fields,
    title: Nullable(Type.String({ description: 'null: the account of its author was erased.' })),
    author: Type.String({ description: 'First name and initial; `Deleted user` once the account is erased.' }),
    last_seq: Type.Integer({ description: 'The number of its newest post.' }),
    last_post_at: Instant,
  },
  { $id: 'ForumTopic' },
);
export type ForumTopic = Static<typeof ForumTopic>;

/** The row of a topic that was started. */
export const startedRow = (
  id: string,
  { authorId, categoryId, title }: EventOf<'ForumTopicStarted'>['data'],
  created_at: string,
): TopicRow => ({
  ...{ id, category_id: categoryId, author_id: authorId, title, titled_by: authorId },
  ...{ pinned: false, locked: false, status: 'open', created_at },
});

const activityById = rowsById((db, ids) =>
  tables(db, topicActivity).selectFrom('forum_activity').selectAll().where(isAnyOf('id', ids)),
);

export const forumTopics = readModel('forum_topics', {
  version: 3,
  row: Row,
  key: 'id',
  wire: wireFormWith({
    schema: ForumTopic,
    make: ({ title, ...row }: TopicRow) => ({ ...row, title: textOrNull(title) }),
    overlay: {
      fields: ['author', 'last_seq', 'last_post_at'],
      needs: ['id', 'author_id', 'created_at'],
      read: async (db, rows) => {
        const [authorOf, found] = await Promise.all([
          authorsOf(db, rows),
          activityById(
            db,
            rows.map(({ id }) => id),
          ),
        ]);
        return (row) => {
          const { last_seq = 0, last_post_at = row.created_at } = found.get(row.id) ?? {};
          return { author: authorOf(row), last_seq, last_post_at };
        };
      },
    },
  }),
  personalData: {
    whose: 'titled_by',
    texts: ['title'],
    others: { author_id: keptBecause.with },
    why: forumsPurpose,
    retention: 'account',
  },
  on: {
    ForumTopicStarted: (_, { streamId: id, at, data }) => startedRow(id, data, at),
    ForumTopicRenamed: (row, { data: { title, by } }) => ({ ...existing(row), title, titled_by: by }),
    ForumTopicMoved: (row, { data }) => ({ ...existing(row), category_id: data.categoryId }),
    ForumTopicPinned: (row) => ({ ...existing(row), pinned: true }),
    ForumTopicUnpinned: (row) => ({ ...existing(row), pinned: false }),
    ForumTopicLocked: (row) => ({ ...existing(row), locked: true }),
    ForumTopicUnlocked: (row) => ({ ...existing(row), locked: false }),
    ForumTopicDeleted: (row) => ({ ...existing(row), status: 'deleted' as const }),
    ForumTopicRemoved: (row) => ({ ...existing(row), status: 'removed' as const }),
    ForumTopicRestored: (row) => ({ ...existing(row), status: 'open' as const }),
  },
  folded: {
    folded_title: ({ title }) => foldedText(title),
    started_in: ({ created_at }) => periodsOf(created_at),
  },
  indexes: ['author_id', `gin ${wordsOf('folded_title')}, ${inPeriods('started_in')}`, 'titled_by'],
  publishTo: [
    {
      channel: topicChannel,
      // Who listens is told `removed` when everybody ceases to see it.
      idsOf: ({ id, status }) => (status === 'open' ? [id] : []),
      audience: 'guest',
      withdraws: (before, after) => (before.title === after.title ? null : after),
    },
  ],
});

const byIds = rowsById((db, ids) =>
  tables(db, forumTopics).selectFrom('forum_topics').select(rowColumns(forumTopics)).where(isAnyOf('id', ids)),
);

/** A topic in whatever state. */
export const topicById = async (db: ReadDb, id: string): Promise<TopicRow | undefined> =>
  (await byIds(db, [id])).get(id);
export const topicsByIds = (db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, TopicRow>> =>
  byIds(db, ids);
