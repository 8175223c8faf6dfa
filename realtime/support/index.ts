/** The channel of the agents of the support. */
import { supportQueueChannel } from '../../projections/support/channels.ts';
import type { RealtimeModule } from '../hub/channels.ts';

export const support: RealtimeModule = {
  channels: [
    {
      ...supportQueueChannel,
      aliases: [],
      summary: 'Support tickets: opened, taken, answered, returned, resolved. Admins may subscribe.',
      allows: ({ role }) => role === 'admin',
    },
  ],
};
