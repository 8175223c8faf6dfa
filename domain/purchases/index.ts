/** The domain manifest of this module. */
import { insuranceProduct } from './insurance.ts';
import { purchase } from './purchase.ts';
import { purchasesPurpose } from './purpose.ts';

export const purchases = { aggregates: [insuranceProduct, purchase], purpose: purchasesPurpose } as const;
