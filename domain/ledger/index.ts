/** The domain manifest of this module. */
import { adjustment } from './adjustment.ts';
import { ownerAccount } from './ownerAccount.ts';
import { ledgerPurpose } from './purpose.ts';
import { settlement } from './settlement.ts';

export const ledger = { aggregates: [ownerAccount, settlement, adjustment], purpose: ledgerPurpose } as const;
