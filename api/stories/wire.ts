/** Stories as viewers, authors and admins see them. */
import { type Static, Type } from '@sinclair/typebox';
import { Count, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { Attachment, attachmentsOf } from '../../projections/files/links.ts';
import type { SeenStory } from '../../projections/stories/queries.ts';
import { type StoryRow, stories } from '../../projections/stories/stories.ts';

const { id, title, text, link, publish_at, expires_at, status, reason, roles, created_at, updated_at } =
  stories.row.properties;
const media = Attachment;
const counts = { views: Count, likes: Count };

/** As everybody sees it. */
export const Story = Type.Object(
  {
    ...{ id, title, text, media, link },
    published_at: publish_at,
    expires_at,
    is_seen: Type.Boolean(),
    is_liked: Type.Boolean(),
    likes: Count,
  },
  { $id: 'Story' },
);
export const StoryGroup = Type.Object(
  {
    author: {
      ...Nullable(Type.Object({ id: Uuid, name: Type.String() })),
      description: 'null: the resort.',
    },
    is_own: Type.Boolean(),
    is_seen: Type.Boolean({ description: 'Whether the caller has seen all of them. Own ones count as seen.' }),
    stories: Type.Array(Story, { description: 'In the order in which they were published.' }),
  },
  { $id: 'StoryGroup' },
);
/** As its author sees it. */
export const OwnStory = Type.Object(
  {
    ...{ id, text, media },
    status: OneOf(['shown', 'removed'] as const, { description: '`removed`: by an admin.' }),
    reason: { ...reason, description: 'Why an admin has removed it.' },
    published_at: publish_at,
    expires_at,
    ...counts,
  },
  { $id: 'OwnStory' },
);
/** A story of the resort, as admins see it. */
export const ResortStory = Type.Object(
  {
    ...{ id, title, text, media, media_id: Uuid, link, roles, publish_at, expires_at, created_at, updated_at },
    ...counts,
  },
  { $id: 'ResortStory' },
);
/** As admins see what is reported. */
export const ReportedStory = Type.Object(
  {
    ...{ id, author_id: stories.row.properties.author_id, author: Nullable(Type.String()), text, media },
    status: { ...status, description: '`deleted`: by its author, while a report of it was open.' },
  },
  { $id: 'ReportedStory' },
);

const mediaOf = ({ media }: Pick<StoryRow, 'media'>, at: string): Attachment => {
  const [shown] = attachmentsOf([media], at);
  if (!shown) throw new Error('a file has no wire form');
  return shown;
};

/** @param at when it is sent, RFC 3339 */
export const storyOf = (row: SeenStory, at: string): Static<typeof Story> => ({
  ...{ id: row.id, title: row.title, text: row.text, media: mediaOf(row, at), link: row.link },
  ...{ published_at: row.publish_at, expires_at: row.expires_at },
  ...{ is_seen: row.is_seen, is_liked: row.is_liked, likes: row.likes },
});
export const ownStoryOf = (
  row: StoryRow & Pick<SeenStory, 'views' | 'likes'>,
  at: string,
): Static<typeof OwnStory> => ({
  ...{ id: row.id, text: row.text, media: mediaOf(row, at), reason: row.reason },
  status: row.status === 'removed' ? ('removed' as const) : ('shown' as const),
  ...{ published_at: row.publish_at, expires_at: row.expires_at, views: row.views, likes: row.likes },
});
export const resortStoryOf = (
  row: StoryRow & Pick<SeenStory, 'views' | 'likes'>,
  at: string,
): Static<typeof ResortStory> => ({
  ...{ id: row.id, title: row.title, text: row.text, media: mediaOf(row, at), media_id: mediaOf(row, at).id },
  ...{ link: row.link, roles: row.roles },
  ...{ publish_at: row.publish_at, expires_at: row.expires_at },
  ...{ created_at: row.created_at, updated_at: row.updated_at, views: row.views, likes: row.likes },
});
/** @param author the name of its author; null: the resort, or an erased account */
export const reportedStoryOf = (row: StoryRow, author: string | null, at: string): Static<typeof ReportedStory> => ({
  ...{ id: row.id, author_id: row.author_id, author, text: row.text, media: mediaOf(row, at) },
  status: row.status,
});
