/** The domain manifest of this module. */
import { ownerAccount } from './ownerAccount.ts';

export const ledger = { aggregates: [ownerAccount] } as const;
