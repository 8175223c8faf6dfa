/** Why this module holds something about people (`infra/holding.ts`). */
export const analyticsPurpose = {
  purpose: 'count how the apps are used',
  basis: 'consent',
  seenBy: ['self', 'admins'],
} as const;
