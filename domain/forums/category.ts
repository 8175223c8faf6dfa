/** A category of the forums, `forumCategory-<id>`. Admins write it; its topics name it. */
import { type Static, Type } from '@sinclair/typebox';
import { Text } from '../catalog/listing.ts';
import { type Decider, type EventDeclarations, type EventsOf, notFound } from '../core/decider.ts';
import { differences } from '../core/differences.ts';

export const CategoryDetails = Type.Object({
  title: Text(100),
  description: Type.String({ maxLength: 500 }),
  /** Categories are listed by ascending position. */
  position: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  /** Only admins start topics in it; everybody writes in them. */
  adminsStart: Type.Boolean(),
});
export type CategoryDetails = Static<typeof CategoryDetails>;

const forumCategoryEvents = {
  ForumCategoryCreated: { data: CategoryDetails },
  ForumCategoryChanged: { data: CategoryDetails },
  ForumCategoryDeleted: { data: Type.Object({}) },
} as const satisfies EventDeclarations;
export type ForumCategoryEvent = EventsOf<typeof forumCategoryEvents>;

export type ForumCategoryCommand =
  | { readonly type: 'CreateCategory'; readonly details: CategoryDetails }
  /** Fields that are absent do not change. */
  | { readonly type: 'ChangeCategory'; readonly details: Partial<CategoryDetails> }
  | { readonly type: 'DeleteCategory' };

export type ForumCategory =
  | { readonly status: 'none' }
  | { readonly status: 'deleted' }
  | { readonly status: 'open'; readonly details: CategoryDetails };

/** @throws Rejected `not_found` */
export const openCategory = (state: ForumCategory): CategoryDetails => {
  if (state.status !== 'open') throw notFound('forum category');
  return state.details;
};

const decide = (command: ForumCategoryCommand, state: ForumCategory): ForumCategoryEvent[] => {
  switch (command.type) {
    case 'CreateCategory':
      return state.status === 'none' ? [{ type: 'ForumCategoryCreated', data: command.details }] : [];
    case 'ChangeCategory': {
      const before = openCategory(state);
      const changed = differences(before, command.details);
      return Object.keys(changed).length === 0
        ? []
        : [{ type: 'ForumCategoryChanged', data: { ...before, ...changed } }];
    }
    case 'DeleteCategory':
      if (state.status === 'deleted') return [];
      openCategory(state);
      return [{ type: 'ForumCategoryDeleted', data: {} }];
  }
};

const evolve = (_: ForumCategory, event: ForumCategoryEvent): ForumCategory => {
  switch (event.type) {
    case 'ForumCategoryCreated':
    case 'ForumCategoryChanged':
      return { status: 'open', details: event.data };
    case 'ForumCategoryDeleted':
      return { status: 'deleted' };
  }
};

export const forumCategory: Decider<ForumCategory, ForumCategoryCommand, ForumCategoryEvent> = {
  category: 'forumCategory',
  short: 'people of the resort write it',
  events: forumCategoryEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
