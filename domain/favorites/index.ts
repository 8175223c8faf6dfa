/** The domain manifest of this module. */
import { favorites as favoritesOfOne } from './favorites.ts';

/** Why this module holds personal data. */
export const favoritesPurpose = {
  purpose: 'remember favourites, and tell of their prices and free dates when wished',
  basis: 'contract',
  seenBy: ['self'],
} as const;

export const favorites = { aggregates: [favoritesOfOne], purpose: favoritesPurpose } as const;
