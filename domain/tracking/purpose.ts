/** Why this module holds something about people (`infra/holding.ts`). */
export const trackingPurpose = {
  purpose: 'record days on the mountain, and show them to whom the person chooses',
  basis: 'contract',
  seenBy: ['self', 'friends'],
} as const;
