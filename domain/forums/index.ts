/** The domain manifest of this module. */
import { forumCategory } from './category.ts';
import { forumPost } from './post.ts';
import { forumsPurpose } from './purpose.ts';
import { forumReaction } from './reaction.ts';
import { forumReader } from './reader.ts';
import { forumSanction } from './sanction.ts';
import { forumTopic } from './topic.ts';

export const forums = {
  aggregates: [forumCategory, forumTopic, forumPost, forumReaction, forumReader, forumSanction],
  purpose: forumsPurpose,
} as const;
