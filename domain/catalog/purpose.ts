/** Why this module holds something about people (`infra/holding.ts`). */
export const catalogPurpose = {
  purpose: 'show what sellers offer',
  basis: 'contract',
  seenBy: ['public'],
} as const;
