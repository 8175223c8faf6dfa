/** The channels of the mountain. */
import { liftQueuesChannel, resortChannel } from '../../projections/resort/channels.ts';
import type { RealtimeModule } from '../hub/channels.ts';

export const resort: RealtimeModule = {
  channels: [
    {
      ...liftQueuesChannel,
      aliases: ['realtime:lift_queues'],
      summary:
        'States of the lifts and the queues at them, of each lift at most every 5 s. Everybody who is signed in may subscribe.',
      allows: () => true,
    },
    {
      ...resortChannel,
      aliases: ['realtime:resort'],
      summary: 'States of the slopes, and what is reported of the mountain. Everybody who is signed in may subscribe.',
      allows: () => true,
    },
  ],
};
