/** The channels that belong to an account. */
import type { Channel } from '../engine/channels.ts';

/** What concerns one account as a customer. */
export const userChannel: Channel = { name: 'user', address: 'realtime:user_{id}' };
/** What concerns one account as a seller. */
export const providerChannel: Channel = { name: 'provider', address: 'provider_{id}' };
