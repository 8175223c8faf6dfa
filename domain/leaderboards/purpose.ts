/** Why this module holds something about people (`infra/holding.ts`). */
export const leaderboardsPurpose = {
  purpose: 'compare those who chose to take part',
  basis: 'consent',
  seenBy: ['users'],
} as const;
