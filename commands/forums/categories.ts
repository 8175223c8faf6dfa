/** Categories of the forums, written by admins. */
import { type CategoryDetails, forumCategory, openCategory } from '../../domain/forums/category.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CommandContext } from '../core/handle.ts';
import type { ForumDeps } from './deps.ts';

/** A category as the log has it now. @throws Rejected `not_found` */
export const loadCategory = async ({ aggregates }: ForumDeps, id: string): Promise<CategoryDetails> =>
  openCategory((await aggregates.load(forumCategory, id)).state);

/** Repeated with the same `context.commandId` it is the same category. */
export const createCategory = async (
  { aggregates }: ForumDeps,
  context: CommandContext,
  details: CategoryDetails,
): Promise<{ readonly id: string; readonly details: CategoryDetails }> => {
  const id = derivedId(context.commandId, 'forumCategory');
  const { state } = await aggregates.handle(forumCategory, id, { type: 'CreateCategory', details }, context);
  return { id, details: openCategory(state) };
};

/** Fields that are absent do not change. @throws Rejected `not_found` */
export const changeCategory = async (
  { aggregates }: ForumDeps,
  context: CommandContext,
  id: string,
  details: Partial<CategoryDetails>,
): Promise<CategoryDetails> =>
  openCategory((await aggregates.handle(forumCategory, id, { type: 'ChangeCategory', details }, context)).state);

/** Whoever calls has made sure that it has no topics. @throws Rejected `not_found` */
export const deleteCategory = async ({ aggregates }: ForumDeps, context: CommandContext, id: string): Promise<void> => {
  await aggregates.handle(forumCategory, id, { type: 'DeleteCategory' }, context);
};
