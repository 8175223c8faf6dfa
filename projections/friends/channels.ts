import type { Channel } from '../engine/channels.ts';

/** Who the friends of one account are, and where, while they share it. */
export const friendsChannel: Channel = { name: 'friends', address: 'friends_{id}' };
