/** Why this module holds something about people (`infra/holding.ts`). */
export const sosPurpose = {
  purpose: 'rescue people',
  basis: 'vital',
  seenBy: ['self', 'rescuers', 'admins'],
} as const;
