/** The channels of the mountain. */
import type { Channel } from '../engine/channels.ts';

/** The lifts: their states and queues. */
export const liftQueuesChannel: Channel = { name: 'lift_queues', address: 'lift_queues' };
/** The states of the slopes, and what is reported of the mountain. */
export const resortChannel: Channel = { name: 'resort', address: 'resort' };
