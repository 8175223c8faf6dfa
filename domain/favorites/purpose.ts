/** Why this module holds personal data. */
export const favoritesPurpose = {
  purpose: 'remember favourites, and tell of their prices and free dates when wished',
  basis: 'contract',
  seenBy: ['self'],
} as const;
