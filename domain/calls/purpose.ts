/** Why this module holds something about people (`infra/holding.ts`). */
export const callsPurpose = {
  purpose: 'connect calls between people',
  basis: 'contract',
  seenBy: ['self', 'members'],
} as const;
