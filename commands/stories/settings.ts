/** The environment settings of stories. */
import { integer } from '../../infra/settings.ts';

export const storySettings = {
  STORY_RETENTION_DAYS: integer(
    7,
    0,
    365,
    'Days for which an expired story and its file are kept for its author and for reports; then they are deleted.',
  ),
};
