/** Why this module holds something about people (`infra/holding.ts`). */
export const chatPurpose = {
  purpose: 'let people write to each other',
  basis: 'contract',
  seenBy: ['self', 'members'],
} as const;
