/** The domain manifest of this module. */
import { sosDuty } from './duty.ts';
import { sos as incident } from './incident.ts';
import { sosPurpose } from './purpose.ts';

export const sos = { aggregates: [incident, sosDuty], purpose: sosPurpose } as const;
