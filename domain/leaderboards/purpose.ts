/** Why this module holds personal data. */
export const leaderboardsPurpose = {
  purpose: 'compare those who chose to take part',
  basis: 'consent',
  seenBy: ['users'],
} as const;
