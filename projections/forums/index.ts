/**
 * The read models of forums, and the channel of a topic. Topics show their activity, posts their reactions, and both their
 * authors, so these come before.
 */
import type { ReadModel } from '../engine/readModel.ts';
import { topicActivity } from './activity.ts';
import { forumAuthors } from './authors.ts';
import { forumCategories } from './categories.ts';
import { forumPostEdits } from './postEdits.ts';
import { forumPosts } from './posts.ts';
import { forumReactions } from './reactions.ts';
import { forumReaders } from './readers.ts';
import { forumRemovals } from './removals.ts';
import { forumSanctions } from './sanctions.ts';
import { forumTopics } from './topics.ts';

export const readModels: readonly ReadModel[] = [
  forumAuthors,
  forumCategories,
  topicActivity,
  forumTopics,
  forumReactions,
  forumPosts,
  forumPostEdits,
  forumReaders,
  forumRemovals,
  forumSanctions,
];
