/** The channel of what the resort tells everybody. */
import { contentChannel } from '../../projections/content/channels.ts';
import type { RealtimeModule } from '../hub/channels.ts';

export const content: RealtimeModule = {
  channels: [
    {
      ...contentChannel,
      aliases: ['realtime:content'],
      summary:
        'Published news, promotions and events, with their texts in both languages. Everybody who is signed in may subscribe. A post is `created` when it is published, and `removed` when it expires or is taken back.',
      allows: () => true,
    },
  ],
};
