/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { audienceMigrations, audiencePolicy } from './audience.ts';

export const consents = {
  policies: [audiencePolicy],
  migrations: [audienceMigrations],
} as const satisfies CommandModule;
