/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { flagNotifications, flagPolicy, flagReview } from './expiry.ts';

export const flags = {
  notifications: flagNotifications,
  policies: [flagPolicy],
  jobs: [flagReview],
} as const satisfies CommandModule;
