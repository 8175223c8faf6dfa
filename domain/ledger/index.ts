/** The domain manifest of this module. */
import { adjustment } from './adjustment.ts';
import { ownerAccount } from './ownerAccount.ts';
import { settlement } from './settlement.ts';

export const ledger = { aggregates: [ownerAccount, settlement, adjustment] } as const;
