/** Why this module holds something about people (`infra/holding.ts`). */
export const ledgerPurpose = {
  purpose: 'settle with sellers, and keep the books',
  basis: 'law',
  seenBy: ['self', 'admins'],
} as const;
