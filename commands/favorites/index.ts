/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { removeAllFavorites } from './favorites.ts';
import { favoriteLook } from './lookAtWatched.ts';
import { favoriteNotifications } from './notifications.ts';
import { favoritePolicy } from './policy.ts';
import { watchMigrations } from './watches.ts';

export const favorites = {
  notifications: favoriteNotifications,
  policies: [favoritePolicy],
  jobs: [favoriteLook],
  migrations: [watchMigrations],
  erasure: { after: removeAllFavorites },
} as const satisfies CommandModule;
