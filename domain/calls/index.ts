/** The domain manifest of this module. */
import { call } from './call.ts';
import { line } from './line.ts';

/** Why this module holds personal data. */
export const callsPurpose = {
  purpose: 'connect calls between people',
  basis: 'contract',
  seenBy: ['self', 'members'],
} as const;

export const calls = { aggregates: [call, line], purpose: callsPurpose } as const;
