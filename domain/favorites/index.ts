/** The domain manifest of this module. */
import { favorites as favoritesOfOne } from './favorites.ts';
import { favoritesPurpose } from './purpose.ts';

export const favorites = { aggregates: [favoritesOfOne], purpose: favoritesPurpose } as const;
