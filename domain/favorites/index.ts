/** The domain manifest of this module. */
import { favorites as favoritesOfOne } from './favorites.ts';

export const favorites = { aggregates: [favoritesOfOne] } as const;
