/** Why this module holds something about people (`infra/holding.ts`). */
export const reviewsPurpose = {
  purpose: 'show what guests think of what they booked',
  basis: 'contract',
  seenBy: ['public'],
} as const;
