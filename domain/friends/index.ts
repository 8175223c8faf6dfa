/** The domain manifest of this module. */
import { friendship } from './friendship.ts';
import { invitedAddress } from './invitedAddress.ts';

/** Why this module holds personal data. */
export const friendsPurpose = {
  purpose: 'let people find each other, and share with friends what they choose to',
  basis: 'contract',
  seenBy: ['self', 'friends'],
} as const;

export const friends = { aggregates: [friendship, invitedAddress], purpose: friendsPurpose } as const;
