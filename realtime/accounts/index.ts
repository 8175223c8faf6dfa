/** The channels of accounts: what concerns a person, and what concerns a person as a seller. */
import { providerChannel, userChannel } from '../../projections/accounts/channels.ts';
import type { RealtimeModule } from '../hub/channels.ts';

export const accounts: RealtimeModule = {
  channels: [
    {
      ...userChannel,
      aliases: [],
      summary: 'Changes that concern one account. Only this account may subscribe.',
      allows: (who, id) => who.accountId === id,
    },
    {
      ...providerChannel,
      aliases: ['realtime:provider:{id}'],
      summary: 'Changes that concern a seller: bookings, reviews. This seller and admins may subscribe.',
      allows: (who, id) => who.accountId === id || who.role === 'admin',
    },
  ],
};
