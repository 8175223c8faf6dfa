import { FRIENDS_ADDRESS } from '../../domain/friends/live.ts';
import type { Channel } from '../engine/channels.ts';

/** Who the friends of one account are, and where, while they share it. */
export const friendsChannel: Channel = { name: 'friends', address: FRIENDS_ADDRESS };
