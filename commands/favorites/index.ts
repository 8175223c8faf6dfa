/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { removeAllFavorites } from './favorites.ts';

export const favorites = {
  erasure: { before: removeAllFavorites },
} as const satisfies CommandModule;
