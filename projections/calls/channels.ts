/** The channel of a call. */
import type { Channel } from '../engine/channels.ts';

/** Between the two who are in a call: their devices negotiate on it. */
export const callChannel: Channel = { name: 'call', address: 'call_{id}' };
