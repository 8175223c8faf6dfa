/** Why this module holds something about people (`infra/holding.ts`). */
export const favoritesPurpose = {
  purpose: 'remember favourites, and tell of their prices and free dates when wished',
  basis: 'contract',
  seenBy: ['self'],
} as const;
