/**
 * Who has seen and liked which story. A view is no event: there are many, and none of them decides anything. The row of a
 * person and a story says both, and goes with the story and with the person.
 */
import { storiesPurpose } from '../../domain/stories/index.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';

export const viewMigrations = migrations('stories', {
  '0001_views': `
    create table ops.story_views (
      story_id uuid not null,
      person_id uuid not null,
      seen_at timestamptz not null,
      liked_at timestamptz,
      primary key (story_id, person_id)
    );
    create index story_views_person on ops.story_views (person_id);
  `,
  personalData: {
    'ops.story_views': {
      whose: 'person_id',
      exported: ['story_id', 'seen_at', 'liked_at'],
      erased: 'deleted',
      why: storiesPurpose,
      retention: { until: 'the story is deleted' },
      seenBy: ['self'],
    },
  },
});

/** Who has seen which story. */
export interface View {
  readonly storyId: string;
  readonly personId: string;
}

/** Safe to repeat: the first time counts. @param at RFC 3339 */
export const recordView = async (pool: Queryable, { storyId, personId }: View, at: string): Promise<void> => {
  await pool.query(
    'insert into ops.story_views (story_id, person_id, seen_at) values ($1, $2, $3) on conflict do nothing',
    [storyId, personId, at],
  );
};

/** A person who likes a story has seen it. Safe to repeat. @param at RFC 3339 */
export const recordLike = async (pool: Queryable, { storyId, personId }: View, at: string): Promise<void> => {
  await pool.query(
    `insert into ops.story_views as v (story_id, person_id, seen_at, liked_at) values ($1, $2, $3, $3)
     on conflict (story_id, person_id) do update set liked_at = coalesce(v.liked_at, excluded.liked_at)`,
    [storyId, personId, at],
  );
};

/** Safe to repeat. */
export const withdrawLike = async (pool: Queryable, { storyId, personId }: View): Promise<void> => {
  await pool.query('update ops.story_views set liked_at = null where story_id = $1 and person_id = $2', [
    storyId,
    personId,
  ]);
};

/** When a story is not kept any more. Safe to repeat. */
export const deleteViews = async (pool: Queryable, storyId: string): Promise<void> => {
  await pool.query('delete from ops.story_views where story_id = $1', [storyId]);
};
