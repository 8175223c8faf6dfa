/** Why this module holds something about people (`infra/holding.ts`). */
export const storiesPurpose = {
  purpose: 'show stories to others for a day',
  basis: 'contract',
  seenBy: ['users'],
} as const;
