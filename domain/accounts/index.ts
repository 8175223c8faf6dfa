/** The domain manifest of this module. */
import { account } from './account.ts';
import { identity } from './identity.ts';
import { roleRequest } from './roleRequest.ts';

export const accounts = { aggregates: [account, identity, roleRequest] } as const;
