/** The channel of friends: who they are, and where, while they share it. */
import { friendsChannel } from '../../projections/friends/channels.ts';
import { positionUpdated, sharingEnded } from '../../projections/friends/liveMessages.ts';
import type { RealtimeModule } from '../hub/channels.ts';

export const friends: RealtimeModule = {
  channels: [
    {
      ...friendsChannel,
      aliases: [],
      summary: 'Friends of one account, and their live positions. Only this account may subscribe.',
      allows: (who, id) => who.accountId === id,
      ephemeral: [positionUpdated, sharingEnded],
    },
  ],
};
