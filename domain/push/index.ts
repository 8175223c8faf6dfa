/** The domain manifest of this module. */
import { broadcast } from './broadcast.ts';

export const push = { aggregates: [broadcast] } as const;
