/** What a channel is to the read side. Modules declare theirs; `realtime` says who may subscribe to them. */

export interface Channel {
  /** Names the channel in `/asyncapi.json`. */
  readonly name: string;
  /** Changes are stored under this address; `{id}` stands for a UUID. */
  readonly address: string;
}

export const addressOf = ({ address }: Channel, id: string): string => address.replace('{id}', id);
