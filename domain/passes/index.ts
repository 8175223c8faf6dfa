/** The domain manifest of this module. */
import { passClosures } from './closures.ts';
import { pass } from './pass.ts';
import { skiPassTariff } from './tariff.ts';

/** Why this module holds personal data. */
export const passesPurpose = {
  purpose: 'let the holders of ski passes through the gates, and stop copies',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;

export const passes = { aggregates: [skiPassTariff, pass, passClosures], purpose: passesPurpose } as const;
