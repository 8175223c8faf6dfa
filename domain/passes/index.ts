/** What the domain layer has of this module. */
import { skiPassTariff } from './tariff.ts';

export const passes = { aggregates: [skiPassTariff] } as const;
