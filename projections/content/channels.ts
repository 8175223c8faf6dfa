import type { Channel } from '../engine/channels.ts';

/** What the resort tells everybody: news, promotions and events. */
export const contentChannel: Channel = { name: 'content', address: 'content' };
