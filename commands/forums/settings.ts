/** The environment settings of forums. */
import { integer } from '../../infra/settings.ts';

export const forumSettings = {
  FORUM_POSTS_PER_HOUR: integer(
    60,
    0,
    10_000,
    'Posts that one account may write in the forums in an hour; fewer for people who are reported by others; 0 = any number.',
  ),
  FORUM_TOPICS_PER_DAY: integer(
    20,
    0,
    10_000,
    'Topics that one account may start in the forums in a day; fewer for people who are reported by others; 0 = any number.',
  ),
};
