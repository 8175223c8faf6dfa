/** The write-side manifest of this module. */
import { platformConfig } from '../../domain/platform/platformConfig.ts';
import type { CommandModule } from '../core/module.ts';
import { connectTimezone, timezoneSettings } from './timezone.ts';

export const platform = {
  quoted: [platformConfig],
  askedByPolicies: [platformConfig],
  settings: timezoneSettings,
  connect: connectTimezone,
} as const satisfies CommandModule;
