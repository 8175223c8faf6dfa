/** The domain manifest of this module. */
import { friendship } from './friendship.ts';
import { invitedAddress } from './invitedAddress.ts';

export const friends = { aggregates: [friendship, invitedAddress] } as const;
