/** The domain manifest of this module. */
import { broadcast } from './broadcast.ts';

/** Why this module holds personal data. */
export const pushPurpose = {
  purpose: 'send messages to the devices of people; marketing only with consent',
  basis: 'contract',
  seenBy: ['self', 'provider'],
} as const;

export const push = { aggregates: [broadcast], purpose: pushPurpose } as const;
