/** The domain manifest of this module. */

import { skier } from './skier.ts';

/** Why this module holds personal data. */
export const leaderboardsPurpose = {
  purpose: 'compare those who chose to take part',
  basis: 'consent',
  seenBy: ['users'],
} as const;

export const leaderboards = { aggregates: [skier], purpose: leaderboardsPurpose } as const;
