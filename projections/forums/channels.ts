/** The channel of a topic: its posts, reactions and state. */
import type { Channel } from '../engine/channels.ts';

export const topicChannel: Channel = { name: 'forum_topic', address: 'topic_{id}' };
