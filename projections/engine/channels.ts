/** What a channel is to the read side. Modules declare theirs; `realtime` says who may subscribe to them. */

export interface Channel {
  /** Names the channel in `/asyncapi.json`. */
  readonly name: string;
  /** Changes are stored under this address. `{id}` stands for a UUID; a channel that exists once has none. */
  readonly address: string;
}

/** The ids of a channel that exists once, for `idsOf` of a publication. */
export const ONE_CHANNEL: readonly string[] = [''];

export const addressOf = ({ address }: Channel, id: string): string => address.replace('{id}', id);
