/** The domain manifest of this module. */

import { leaderboardsPurpose } from './purpose.ts';
import { skier } from './skier.ts';

export const leaderboards = { aggregates: [skier], purpose: leaderboardsPurpose } as const;
