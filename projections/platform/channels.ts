import type { Channel } from '../engine/channels.ts';

/** What concerns every app: that its configuration or its flags have changed. */
export const platformChannel: Channel = { name: 'platform', address: 'platform' };
