/** The channels that changes are told on. The hub (`realtime/channels.ts`) says who may hear them. */

/** Name → address; `{id}` stands for a UUID. */
export const channelAddresses = {
  user: 'realtime:user_{id}',
  provider: 'provider_{id}',
} as const;
export type ChannelName = keyof typeof channelAddresses;

export const channelOf = (name: ChannelName, id: string): string => channelAddresses[name].replace('{id}', id);
