/** The domain manifest of this module. */
import { insuranceProduct } from './insurance.ts';
import { purchase } from './purchase.ts';

/** Why this module holds personal data. */
export const purchasesPurpose = {
  purpose: 'carry out what was bought, such as insurance for the people who are named',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;

export const purchases = { aggregates: [insuranceProduct, purchase], purpose: purchasesPurpose } as const;
