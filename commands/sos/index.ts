/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { sosAgain } from './askedAgain.ts';
import { endErased } from './erasure.ts';
import { sosEscalation } from './escalation.ts';
import { inboxMigrations, sosInbox } from './inbox.ts';
import { sosNotifications } from './notifications.ts';
import { sosPolicy } from './policy.ts';

export const sos = {
  notifications: sosNotifications,
  policies: [sosPolicy],
  jobs: [sosEscalation, sosAgain, sosInbox],
  migrations: [inboxMigrations],
  erasure: { after: endErased },
} as const satisfies CommandModule;
