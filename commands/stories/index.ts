/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import type { FileUsers } from '../files/fileUses.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { storyAppealables } from './appealables.ts';
import { resortStoryUse, storyUse } from './fileUses.ts';
import { storyNotifications } from './notifications.ts';
import { storyEnd, storyPolicy } from './policy.ts';
import { storySettings } from './settings.ts';
import { endStoriesOf } from './stories.ts';
import { viewMigrations } from './views.ts';

export const stories = {
  notifications: storyNotifications,
  policies: [storyPolicy],
  jobs: [storyEnd],
  migrations: [viewMigrations],
  appealables: storyAppealables,
  fileUses: {
    story: { isUsed: storyUse, whose: 'uploader' },
    resort_story: { isUsed: resortStoryUse, whose: 'resort' },
  },
  erasure: { after: endStoriesOf },
  settings: storySettings,
} as const satisfies CommandModule & FileUsers & AppealableKinds;
