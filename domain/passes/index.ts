/** The domain manifest of this module. */
import { skiPassTariff } from './tariff.ts';

export const passes = { aggregates: [skiPassTariff] } as const;
