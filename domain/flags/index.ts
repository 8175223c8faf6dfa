/** The domain manifest of this module. */
import { flagRules } from './flagRules.ts';

export const flags = { aggregates: [flagRules] } as const;
