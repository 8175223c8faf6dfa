/** Why this module holds something about people (`infra/holding.ts`). */
export const badgesPurpose = {
  purpose: 'award badges',
  basis: 'contract',
  seenBy: ['self'],
} as const;
