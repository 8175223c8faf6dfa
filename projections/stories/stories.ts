/** Stories of people and of the resort. Whether one is shown is asked of the clock in every query. */

import { type Static, Type } from '@sinclair/typebox';
import { Role } from '../../domain/accounts/role.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { EVIDENCE_DAYS } from '../../domain/files/evidence.ts';
import type { EventOf } from '../../domain/modules.ts';
import { storiesPurpose } from '../../domain/stories/index.ts';
import { ResortStoryContent } from '../../domain/stories/resortStory.ts';
import { StoryText } from '../../domain/stories/story.ts';
import { toSnake } from '../../infra/naming.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { AttachmentRow } from '../files/links.ts';

const Row = Type.Object({
  id: Uuid,
  /** null: the resort. */
  author_id: Nullable(Uuid),
  /** Only of the resort. */
  title: Nullable(ResortStoryContent.properties.title),
  text: StoryText,
  media: AttachmentRow,
  link: ResortStoryContent.properties.link,
  /** Who sees it; empty: everybody. */
  roles: Type.Array(Role),
  /** `removed`: by an admin · `deleted`: by its author, while a report of it was open: only admins see it. */
  status: OneOf(['shown', 'removed', 'deleted'] as const),
  /** Why it was removed. */
  reason: Nullable(Type.String()),
  publish_at: Instant,
  expires_at: Instant,
  created_at: Instant,
  updated_at: Instant,
});
export type StoryRow = Static<typeof Row>;

/** @param at when it was posted, RFC 3339 */
export const postedRow = (
  id: string,
  { authorId, text, media, expiresAt }: EventOf<'StoryPosted'>['data'],
  at: string,
): StoryRow => ({
  ...{ id, author_id: authorId, title: null, text, media: toSnake(media), link: null, roles: [] },
  ...{ status: 'shown', reason: null, publish_at: at, expires_at: expiresAt, created_at: at, updated_at: at },
});

export const resortRow = (
  id: string,
  { title, text, media, link, roles, publishAt, expiresAt }: ResortStoryContent,
  { created_at, updated_at }: Pick<StoryRow, 'created_at' | 'updated_at'>,
): StoryRow => ({
  ...{ id, author_id: null, title, text, media: toSnake(media), link, roles: [...roles] },
  ...{ status: 'shown', reason: null, publish_at: publishAt, expires_at: expiresAt, created_at, updated_at },
});

export const stories = readModel('stories', {
  version: 4,
  row: Row,
  key: 'id',
  entity: 'story',
  personalData: {
    whose: 'author_id',
    texts: ['text', 'reason'],
    reportedAs: 'story',
    why: storiesPurpose,
    retention: [
      {
        after: 'expires_at',
        days: 'STORY_RETENTION_DAYS',
        where: "author_id is not null and status <> 'deleted'",
        by: 'the job `story_end`',
      },
      { after: 'updated_at', days: EVIDENCE_DAYS, where: "status = 'deleted'", by: 'the job `story_end`' },
    ],
  },
  on: {
    StoryPosted: (_, { streamId, at, data }) => postedRow(streamId, data, at),
    StoryDeleted: (row, { at, data: { dropped } }) =>
      dropped.length > 0 ? null : { ...existing(row), status: 'deleted' as const, updated_at: at },
    StoryRemoved: (row, { at, data: { reason } }) => ({
      ...existing(row),
      ...{ status: 'removed' as const, reason, updated_at: at },
    }),
    StoryRestored: (row, { at }) => ({ ...existing(row), status: 'shown' as const, reason: null, updated_at: at }),
    StoryEnded: () => null,
    ResortStoryCreated: (_, { streamId, at, data: { content } }) =>
      resortRow(streamId, content, { created_at: at, updated_at: at }),
    ResortStoryChanged: (row, { streamId, at, data: { content } }) =>
      resortRow(streamId, content, { created_at: existing(row).created_at, updated_at: at }),
    ResortStoryDeleted: () => null,
  },
  indexes: ['author_id, created_at desc', 'expires_at'],
});
