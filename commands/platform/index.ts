/** The write-side manifest of this module. */
import { platformConfig } from '../../domain/platform/platformConfig.ts';
import type { CommandModule } from '../core/module.ts';
import { platformSettings } from './settings.ts';

export const platform = {
  followedByApi: [platformConfig],
  followedByWorkers: [platformConfig],
  settings: platformSettings,
} as const satisfies CommandModule;
