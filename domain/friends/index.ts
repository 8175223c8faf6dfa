/** The domain manifest of this module. */
import { friendship } from './friendship.ts';
import { invitedAddress } from './invitedAddress.ts';
import { friendsPurpose } from './purpose.ts';

export const friends = { aggregates: [friendship, invitedAddress], purpose: friendsPurpose } as const;
