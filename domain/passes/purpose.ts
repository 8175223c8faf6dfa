/** Why this module holds something about people (`infra/holding.ts`). */
export const passesPurpose = {
  purpose: 'let the holders of ski passes through the gates, and stop copies',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;
