/** The domain manifest of this module. */
import { adjustment } from './adjustment.ts';
import { ownerAccount } from './ownerAccount.ts';
import { settlement } from './settlement.ts';

/** Why this module holds personal data. */
export const ledgerPurpose = {
  purpose: 'settle with sellers, and keep the books',
  basis: 'law',
  seenBy: ['self', 'admins'],
} as const;

export const ledger = { aggregates: [ownerAccount, settlement, adjustment], purpose: ledgerPurpose } as const;
