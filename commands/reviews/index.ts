/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import type { FileUsers } from '../files/fileUses.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { reviewAppealables } from './appealables.ts';
import { reviewUse } from './fileUses.ts';
import { reviewNotifications } from './notifications.ts';
import { reviewPolicy } from './policy.ts';

export const reviews = {
  notifications: reviewNotifications,
  policies: [reviewPolicy],
  appealables: reviewAppealables,
  fileUses: { review: { isUsed: reviewUse, whose: 'uploader' } },
} as const satisfies CommandModule & FileUsers & AppealableKinds;
