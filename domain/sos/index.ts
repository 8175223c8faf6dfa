/** The domain manifest of this module. */
import { sosDuty } from './duty.ts';
import { sos as incident } from './incident.ts';

export const sos = { aggregates: [incident, sosDuty] } as const;
