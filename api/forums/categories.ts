/** Categories: read by everybody, written by admins. */
import { Type } from '@sinclair/typebox';
import { changeCategory, createCategory, deleteCategory } from '../../commands/forums/categories.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { CategoryDetails } from '../../domain/forums/category.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { topicActivity } from '../../projections/forums/activity.ts';
import {
  categoryById,
  ForumCategory,
  forumCategories,
  hasTopics,
  listCategories,
} from '../../projections/forums/categories.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';

const CATEGORIES = { none: 'names of categories, which can be changed back' };

const { title, ...others } = snakeSchema(CategoryDetails).properties;
const Input = Type.Object({ title, ...Type.Partial(Type.Object(others)).properties }, { $id: 'NewForumCategory' });
const DEFAULTS = { description: '', position: 0, adminsStart: false };

const list = route('GET /api/v1/forums/categories', {
  id: 'listForumCategories',
  access: 'public',
  summary: 'List the categories of the forums',
  description: 'By their position.',
  query: Type.Object(pagingQuery),
  reply: ListOf(ForumCategory),
  reads: [forumCategories, topicActivity],
  cache: { maxAge: 10, shared: true },
  handle: ({ query }, { db }) => paged(query, (paging) => listCategories(db, paging)),
});

const create = route('POST /api/v1/admin/forums/categories', {
  id: 'createForumCategory',
  access: 'admin',
  harm: CATEGORIES,
  summary: 'Create a category of the forums',
  body: Input,
  status: 201,
  reply: ForumCategory,
  projections: [forumCategories],
  handle: async ({ body, context }, app) => {
    const { id, details } = await createCategory(app, context, { ...DEFAULTS, ...toCamel(body) });
    return { id, ...toSnake(details), created_at: context.at, topics_count: 0 };
  },
});

const change = route('PATCH /api/v1/admin/forums/categories/:id', {
  id: 'updateForumCategory',
  access: 'admin',
  harm: CATEGORIES,
  summary: 'Update a category of the forums',
  description: 'Fields that are left out keep their values.',
  params: ById,
  body: Type.Partial(Input, { minProperties: 1, $id: 'ForumCategoryUpdate' }),
  reply: ForumCategory,
  errors: ['not_found'],
  projections: [forumCategories],
  handle: async ({ params: { id }, body, context }, app) => {
    const details = await changeCategory(app, context, id, toCamel(body));
    const before = await categoryById(app.db, id);
    return { created_at: context.at, topics_count: 0, ...before, id, ...toSnake(details) };
  },
});

const remove = route('DELETE /api/v1/admin/forums/categories/:id', {
  id: 'deleteForumCategory',
  access: 'admin',
  harm: 'content',
  summary: 'Delete a category of the forums',
  description: 'It must have no topics: move them first.',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found', 'conflict'],
  projections: [forumCategories],
  handle: async ({ params: { id }, context }, app) => {
    if (await hasTopics(app.db, id))
      throw new Rejected('conflict', 'This category has topics. Move them to another category first.');
    await deleteCategory(app, context, id);
    return null;
  },
});

export const categoryRoutes = [list, create, change, remove];
