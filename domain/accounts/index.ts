/** The domain manifest of this module. */
import { account } from './account.ts';
import { identity } from './identity.ts';
import { roleRequest } from './roleRequest.ts';

/** Why this module holds personal data. */
export const accountsPurpose = {
  purpose: 'let people sign in, and let those whom they deal with know who they are',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;

export const accounts = { aggregates: [account, identity, roleRequest], purpose: accountsPurpose } as const;
