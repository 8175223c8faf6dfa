/** The domain manifest of this module. */
import { account } from './account.ts';
import { identity } from './identity.ts';
import { accountsPurpose } from './purpose.ts';
import { roleRequest } from './roleRequest.ts';

export const accounts = { aggregates: [account, identity, roleRequest], purpose: accountsPurpose } as const;
