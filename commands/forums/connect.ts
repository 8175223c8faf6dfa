/** The environment settings of forums. */
import { integer } from '../../infra/settings.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { ForumPorts } from './deps.ts';

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

export const connectForums = (config: ModuleConfig<typeof forumSettings>): ForumPorts => ({
  settings: {
    forumPostsPerHour: config.FORUM_POSTS_PER_HOUR,
    forumTopicsPerDay: config.FORUM_TOPICS_PER_DAY,
  },
});
