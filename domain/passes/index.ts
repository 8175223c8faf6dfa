/** The domain manifest of this module. */
import { passClosures } from './closures.ts';
import { pass } from './pass.ts';
import { skiPassTariff } from './tariff.ts';

export const passes = { aggregates: [skiPassTariff, pass, passClosures] } as const;
