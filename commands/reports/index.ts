/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { evidenceEnd } from './evidence.ts';
import { appealNotifications } from './notifications.ts';
import { appealPolicy } from './policy.ts';

export const reports = {
  notifications: appealNotifications,
  jobs: [evidenceEnd],
  policies: [appealPolicy],
} as const satisfies CommandModule;
