/** The channel of a track that is being recorded. */
import { positionMoved, trackingChannel } from '../../projections/tracking/channels.ts';
import { sessionById } from '../../projections/tracking/sessions.ts';
import { shareOf } from '../../projections/tracking/shares.ts';
import type { RealtimeModule } from '../hub/channels.ts';

export const tracking: RealtimeModule = {
  channels: [
    {
      ...trackingChannel,
      aliases: ['realtime:tracking:{id}'],
      summary:
        'A track that is being recorded: its owner, and the accounts that it is shared with, until their share or the session ends.',
      allows: async ({ accountId }, id, db) => {
        const share = await shareOf(db, id, accountId);
        if (share) return Date.parse(share.expires_at) > Date.now();
        return (await sessionById(db, id))?.account_id === accountId;
      },
      ephemeral: [{ ...positionMoved, summary: 'The person has moved. Sent while the track is shared.' }],
    },
  ],
};
