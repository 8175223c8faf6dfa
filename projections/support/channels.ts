/** The channel of the agents: every ticket, while it changes. */
import type { Channel } from '../engine/channels.ts';

export const supportQueueChannel: Channel = { name: 'support_queue', address: 'support_queue' };
