/** The domain manifest of this module. */
import { insuranceProduct } from './insurance.ts';
import { purchase } from './purchase.ts';

export const purchases = { aggregates: [insuranceProduct, purchase] } as const;
