/** The domain manifest of this module. */
import { forumCategory } from './category.ts';
import { forumPost } from './post.ts';
import { forumReaction } from './reaction.ts';
import { forumReader } from './reader.ts';
import { forumSanction } from './sanction.ts';
import { forumTopic } from './topic.ts';

/** Why this module holds personal data. */
export const forumsPurpose = {
  purpose: 'let people discuss, and keep the discussion within the rules',
  basis: 'contract',
  seenBy: ['public'],
} as const;

export const forums = {
  aggregates: [forumCategory, forumTopic, forumPost, forumReaction, forumReader, forumSanction],
  purpose: forumsPurpose,
} as const;
