/** The domain manifest of this module. */
import { sosDuty } from './duty.ts';
import { sos as incident } from './incident.ts';

/** Why this module holds personal data. */
export const sosPurpose = {
  purpose: 'rescue people',
  basis: 'vital',
  seenBy: ['self', 'rescuers', 'admins'],
} as const;

export const sos = { aggregates: [incident, sosDuty], purpose: sosPurpose } as const;
