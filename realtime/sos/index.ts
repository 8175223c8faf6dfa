/** The board of the rescuers. */
import { sosBoardChannel } from '../../projections/sos/channels.ts';
import type { RealtimeModule } from '../hub/channels.ts';

export const sos: RealtimeModule = {
  channels: [
    {
      ...sosBoardChannel,
      aliases: ['realtime:sos_board'],
      summary: 'All SOS incidents, with positions as they come. Admins may subscribe.',
      allows: ({ role }) => role === 'admin',
    },
  ],
};
