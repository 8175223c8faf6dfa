/** The domain manifest of this module. */
import { broadcast } from './broadcast.ts';
import { pushPurpose } from './purpose.ts';

export const push = { aggregates: [broadcast], purpose: pushPurpose } as const;
