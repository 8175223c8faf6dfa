/** The write-side manifest of this module. It changes nothing; it has the ports of recommendations. */
import type { CommandModule } from '../core/module.ts';
import { connectRecommendations } from './connect.ts';
import { recommendationSettings } from './settings.ts';

export const recommendations = {
  settings: recommendationSettings,
  connect: connectRecommendations,
} as const satisfies CommandModule;
