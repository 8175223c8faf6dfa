/** The channel of every app. */
import { platformChannel } from '../../projections/platform/channels.ts';
import type { RealtimeModule } from '../hub/channels.ts';

export const platform: RealtimeModule = {
  channels: [
    {
      ...platformChannel,
      aliases: ['realtime:platform'],
      summary:
        'Tells apps that the configuration or the flags have changed. Everybody who is signed in may subscribe. Fetch `/platform/me` and `/platform/config` again after a random time of at most `fetch_within_s` seconds.',
      allows: () => true,
    },
  ],
};
