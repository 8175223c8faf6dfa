/** Why this module holds something about people (`infra/holding.ts`). */
export const reportsPurpose = {
  purpose: 'act on reports of what breaks the rules',
  basis: 'interest',
  seenBy: ['self', 'admins'],
} as const;
