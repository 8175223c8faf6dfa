/** The categories of the forums, and how many topics each has. */
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { CategoryDetails } from '../../domain/forums/category.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { ROWS_TO_COUNT, totalOf } from '../../infra/paging.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { topicActivity } from './activity.ts';

const Row = Type.Object({
  id: Uuid,
  ...snakeSchema(CategoryDetails).properties,
  created_at: Instant,
});

export const forumCategories = readModel('forum_categories', {
  version: 1,
  row: Row,
  key: 'id',
  on: {
    ForumCategoryCreated: (_, { streamId: id, at, data }) => ({ id, ...toSnake(data), created_at: at }),
    ForumCategoryChanged: (row, { data }) => ({ ...existing(row), ...toSnake(data) }),
    ForumCategoryDeleted: () => null,
  },
  indexes: ['position, created_at, id'],
});

export const ForumCategory = Type.Object(
  {
    ...Row.properties,
    admins_start: Type.Boolean({ description: 'Only admins start topics in it; everybody writes in them.' }),
    topics_count: Type.Integer({ description: 'Topics that everybody sees, counted up to 1,000.' }),
    topics_count_is_at_least: Type.Optional(Type.Literal(true, { description: 'There are more than `topics_count`.' })),
  },
  { $id: 'ForumCategory' },
);
export type ForumCategory = Static<typeof ForumCategory>;

const counted = (db: ReadDb) =>
  tables(db, forumCategories, topicActivity)
    .selectFrom('forum_categories as c')
    .selectAll('c')
    .select(({ selectFrom }) =>
      selectFrom((open) =>
        open
          .selectFrom('forum_activity as a')
          .select('a.id')
          .whereRef('a.category_id', '=', 'c.id')
          .where('a.status', '=', 'open')
          .limit(ROWS_TO_COUNT)
          .as('open'),
      )
        .select(sql<number>`count(*)::int`.as('n'))
        .as('topics_count'),
    );
type Counted = Omit<ForumCategory, 'topics_count' | 'topics_count_is_at_least'> & { topics_count: number | null };
const shown = ({ topics_count, ...row }: Counted): ForumCategory => {
  const { count, isAtLeast } = totalOf(topics_count ?? 0);
  return { ...row, topics_count: count, ...(isAtLeast && { topics_count_is_at_least: true as const }) };
};

/** By their position. */
export const listCategories = async (db: ReadDb, paging: Paging): Promise<Page<ForumCategory>> => {
  const found = await pageOf(db, counted(db).orderBy('position').orderBy('created_at').orderBy('id'), paging);
  return { ...found, rows: found.rows.map(shown) };
};

export const categoryById = async (db: ReadDb, id: string): Promise<ForumCategory | undefined> => {
  const found = await counted(db).where('c.id', '=', id).executeTakeFirst();
  return found && shown(found);
};

/** Whether any topic is in it, also one that was removed and can be restored. */
export const hasTopics = async (db: ReadDb, id: string): Promise<boolean> => {
  const found = await tables(db, topicActivity)
    .selectFrom('forum_activity')
    .select('id')
    .where('category_id', '=', id)
    .where('status', '<>', 'deleted')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};
