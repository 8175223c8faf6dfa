/** The channel of a topic: its posts and their reactions. */
import { topicChannel } from '../../projections/forums/channels.ts';
import { topicById } from '../../projections/forums/topics.ts';
import type { RealtimeModule } from '../hub/channels.ts';

export const forums: RealtimeModule = {
  channels: [
    {
      ...topicChannel,
      aliases: [],
      summary:
        'Posts of a topic of the forums, reactions to them, and whether it is pinned, locked or removed. Everybody who is signed in may subscribe.',
      allows: async (_, id, db) => (await topicById(db, id))?.status === 'open',
    },
  ],
};
