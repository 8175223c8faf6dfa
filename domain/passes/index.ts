/** The domain manifest of this module. */
import { passClosures } from './closures.ts';
import { pass } from './pass.ts';
import { passesPurpose } from './purpose.ts';
import { skiPassTariff } from './tariff.ts';

export const passes = { aggregates: [skiPassTariff, pass, passClosures], purpose: passesPurpose } as const;
