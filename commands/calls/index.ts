/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { connectCalls } from './connect.ts';
import { callDeadline } from './deadline.ts';
import { endCallOf } from './ending.ts';
import { heartbeatMigrations } from './heartbeats.ts';
import { callNotifications } from './notifications.ts';
import { callPolicy } from './policy.ts';
import { callSettings } from './settings.ts';

export const calls = {
  notifications: callNotifications,
  policies: [callPolicy],
  jobs: [callDeadline],
  migrations: [heartbeatMigrations],
  erasure: { after: endCallOf },
  settings: callSettings,
  connect: connectCalls,
} as const satisfies CommandModule;
