/**
 * What changes of a topic with each post, and what lists of topics are ordered by. It is apart from the topic itself, so that
 * a post is one message on the channel of its topic.
 */

import { Type } from '@sinclair/typebox';
import { Instant, OneOf, Uuid } from '../../domain/core/schema.ts';
import { forumsPurpose } from '../../domain/forums/index.ts';
import { topicStatuses } from '../../domain/forums/topicState.ts';
import { existing, readModel } from '../engine/readModel.ts';

export const topicActivity = readModel('forum_activity', {
  version: 2,
  row: Type.Object({
    /** Of the topic. */
    id: Uuid,
    category_id: Uuid,
    author_id: Uuid,
    status: OneOf(topicStatuses),
    pinned: Type.Boolean(),
    last_seq: Type.Integer(),
    last_post_at: Instant,
  }),
  key: 'id',
  personalData: {
    whose: 'author_id',
    why: forumsPurpose,
    retention: { always: 'that there is a topic, by id: others have written in it' },
  },
  on: {
    ForumTopicStarted: (_, { streamId: id, at, data }) => ({
      id,
      category_id: data.categoryId,
      author_id: data.authorId,
      status: 'open' as const,
      pinned: false,
      last_seq: 0,
      last_post_at: at,
    }),
    ForumPostWritten: (row, { at, data: { seq } }) => ({ ...existing(row), last_seq: seq, last_post_at: at }),
    ForumTopicMoved: (row, { data }) => ({ ...existing(row), category_id: data.categoryId }),
    ForumTopicPinned: (row) => ({ ...existing(row), pinned: true }),
    ForumTopicUnpinned: (row) => ({ ...existing(row), pinned: false }),
    ForumTopicDeleted: (row) => ({ ...existing(row), status: 'deleted' as const }),
    ForumTopicRemoved: (row) => ({ ...existing(row), status: 'removed' as const }),
    ForumTopicRestored: (row) => ({ ...existing(row), status: 'open' as const }),
  },
  indexes: ['category_id, status, pinned desc, last_post_at desc, id', 'author_id'],
});
