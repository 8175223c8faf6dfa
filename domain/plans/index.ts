/** The domain manifest of this module. */
import { planConfig } from './planConfig.ts';

export const plans = { aggregates: [planConfig] } as const;
