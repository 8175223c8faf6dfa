/** The channel of a thread. Its members may subscribe, and admins where it is a support thread. */
import type { Channel } from '../engine/channels.ts';

export const chatChannel: Channel = { name: 'chat', address: 'chat_{id}' };
