/** Which stories a person sees, grouped by their authors, with what the table of views says of them. */
import { type RawBuilder, sql } from 'kysely';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { isAnyOf, type ReadDb, tableOf, tables } from '../engine/readDb.ts';
import { friendships } from '../friends/friendships.ts';
import { type StoryRow, stories } from './stories.ts';

/** Who looks, and when (RFC 3339). */
export interface Looking {
  readonly id: string;
  readonly role: string;
  readonly at: string;
}

/** A story `s` with what the viewer has to do with it. */
export interface SeenStory extends StoryRow {
  readonly is_seen: boolean;
  readonly is_liked: boolean;
  readonly views: number;
  readonly likes: number;
}

export interface AuthorRow {
  /** null: the resort. */
  readonly author_id: string | null;
  /** Whether the viewer has seen all of them. Own ones count as seen. */
  readonly is_seen: boolean;
}

const visibleTo = ({ id, role, at }: Looking): RawBuilder<boolean> => sql<boolean>`
  s.status = 'shown' and s.publish_at <= ${at}::timestamptz and s.expires_at > ${at}::timestamptz
  and (s.roles = '[]'::jsonb or s.roles ? ${role})
  and not exists (
    select from ${tableOf(friendships)} f where f.relation = 'blocked'
      and ((f.person_id = ${id} and f.user_id = s.author_id) or (f.person_id = s.author_id and f.user_id = ${id})))`;

const isSeenBy = (id: string) => sql<boolean>`(s.author_id is not distinct from ${id}::uuid or exists (
  select from ops.story_views v where v.story_id = s.id and v.person_id = ${id}))`;

/** A page of those whose stories the viewer sees: first with unseen ones, the resort before people, then the newest. */
export const storyAuthors = (db: ReadDb, viewer: Looking, paging: Paging): Promise<Page<AuthorRow>> => {
  const authors = sql<AuthorRow & { newest: string }>`(
    select s.author_id, bool_and(${isSeenBy(viewer.id)}) as is_seen, max(s.publish_at) as newest
    from ${tableOf(stories)} s where ${visibleTo(viewer)} group by s.author_id
  )`.as('authors');
  const ordered = tables(db, stories)
    .selectFrom(authors)
    .select(['author_id', 'is_seen'])
    .orderBy('is_seen')
    .orderBy(sql`author_id is not null`)
    .orderBy('newest', 'desc')
    .orderBy('author_id');
  return pageOf(db, ordered, paging);
};

const withViews = (db: ReadDb, viewerId: string) =>
  tables(db, stories)
    .selectFrom('stories as s')
    .selectAll('s')
    .select([
      isSeenBy(viewerId).as('is_seen'),
      sql<boolean>`exists (select from ops.story_views v
        where v.story_id = s.id and v.person_id = ${viewerId} and v.liked_at is not null)`.as('is_liked'),
      sql<number>`(select count(*)::int from ops.story_views v where v.story_id = s.id)`.as('views'),
      sql<number>`(select count(*)::int from ops.story_views v
        where v.story_id = s.id and v.liked_at is not null)`.as('likes'),
    ]);

/** The stories of these authors that the viewer sees, in the order in which they were published. */
export const storiesOf = (db: ReadDb, viewer: Looking, authors: readonly AuthorRow[]): Promise<SeenStory[]> => {
  const ids = authors.flatMap(({ author_id }) => author_id ?? []);
  const hasResort = authors.some(({ author_id }) => author_id === null);
  return withViews(db, viewer.id)
    .where(visibleTo(viewer))
    .where((q) => q.or([isAnyOf('s.author_id', ids), ...(hasResort ? [q('s.author_id', 'is', null)] : [])]))
    .orderBy('s.publish_at')
    .orderBy('s.id')
    .execute();
};

/** All that are kept of one author, also expired and removed ones, the newest first. */
export const ownStories = (db: ReadDb, authorId: string, paging: Paging): Promise<Page<SeenStory>> =>
  pageOf(
    db,
    withViews(db, authorId)
      .where('s.author_id', '=', authorId)
      .where('s.status', '<>', 'deleted')
      .orderBy('s.created_at', 'desc')
      .orderBy('s.id'),
    paging,
  );

/** Those of the resort, the newest first. */
export const resortStories = (db: ReadDb, viewerId: string, paging: Paging): Promise<Page<SeenStory>> =>
  pageOf(
    db,
    withViews(db, viewerId).where('s.author_id', 'is', null).orderBy('s.created_at', 'desc').orderBy('s.id'),
    paging,
  );

export const resortStoryById = (db: ReadDb, viewerId: string, id: string): Promise<SeenStory | undefined> =>
  withViews(db, viewerId).where('s.id', '=', id).where('s.author_id', 'is', null).executeTakeFirst();

export const storiesByIds = (db: ReadDb, ids: readonly string[]): Promise<StoryRow[]> =>
  tables(db, stories).selectFrom('stories').selectAll().where(isAnyOf('id', ids)).execute();
