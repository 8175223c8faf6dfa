/** The domain manifest of this module. */
import { apiKey } from './apiKey.ts';

export const partners = { aggregates: [apiKey] } as const;
