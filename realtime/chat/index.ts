/** The channel of a thread: its messages, its members, and who types or is there. */
import { Type } from '@sinclair/typebox';
import { chatChannel } from '../../projections/chat/channels.ts';
import { mayFollow } from '../../projections/chat/participants.ts';
import type { RealtimeModule } from '../hub/channels.ts';

const Nothing = Type.Object({}, { additionalProperties: false });

export const chat: RealtimeModule = {
  channels: [
    {
      ...chatChannel,
      aliases: [],
      summary:
        'Messages and members of a chat. Its members may subscribe, but not while one of two has blocked the other; admins too where it is a chat with the support.',
      allows: (who, id, db) => mayFollow(db, id, who),
      ephemeral: [
        {
          type: 'typing.started',
          summary: 'Somebody types. It holds for 5 seconds.',
          data: Nothing,
          everyMs: 3_000,
        },
      ],
      showsPresence: true,
    },
  ],
};
