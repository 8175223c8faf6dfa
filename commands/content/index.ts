/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import type { FileUsers } from '../files/fileUses.ts';
import { eventNotifications } from './eventNews.ts';
import { guestMigrations, guestsPolicy } from './guests.ts';
import { contentPolicy, postDue } from './policy.ts';
import { postUse } from './posts.ts';
import { promotionNotifications } from './promotionNews.ts';

export const content = {
  notifications: [...promotionNotifications, ...eventNotifications],
  policies: [contentPolicy, guestsPolicy],
  jobs: [postDue],
  migrations: [guestMigrations],
  fileUses: { post: { isUsed: postUse, whose: 'resort' } },
} as const satisfies CommandModule & FileUsers;
