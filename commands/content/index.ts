/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import type { FileUsers } from '../files/fileUses.ts';
import { contentNotifications } from './notifications.ts';
import { contentPolicy, postDue } from './policy.ts';
import { postUse } from './posts.ts';

export const content = {
  notifications: contentNotifications,
  policies: [contentPolicy],
  jobs: [postDue],
  fileUses: { post: { isUsed: postUse, whose: 'resort' } },
} as const satisfies CommandModule & FileUsers;
