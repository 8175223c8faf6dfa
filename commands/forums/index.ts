/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import type { FileUsers } from '../files/fileUses.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { forumAppealables } from './appealables.ts';
import { forumNotifications } from './notifications.ts';
import { forumPolicy } from './policy.ts';
import { postUse } from './posts.ts';
import { forumSettings } from './settings.ts';

export const forums = {
  notifications: forumNotifications,
  policies: [forumPolicy],
  settings: forumSettings,
  appealables: forumAppealables,
  fileUses: { forum_post: { isUsed: postUse, whose: 'uploader' } },
} as const satisfies CommandModule & FileUsers & AppealableKinds;
