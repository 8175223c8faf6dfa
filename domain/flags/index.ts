/** Feature flags and segments: for whom a function of the apps is on. The operations are in `api/platform`. */
import { flagRules } from './flagRules.ts';

export const flags = { aggregates: [flagRules] } as const;
