/** Why this module holds something about people (`infra/holding.ts`). */
export const forumsPurpose = {
  purpose: 'let people discuss, and keep the discussion within the rules',
  basis: 'contract',
  seenBy: ['public'],
} as const;
