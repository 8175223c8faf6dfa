/** The domain manifest of this module. */
import { skier } from './skier.ts';

export const leaderboards = { aggregates: [skier] } as const;
