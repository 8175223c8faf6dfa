/** The domain manifest of this module. */
import { platformConfig } from './platformConfig.ts';

export const platform = { aggregates: [platformConfig] } as const;
