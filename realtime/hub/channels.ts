/** What a channel declaration is, and how the name that a client sends leads to a channel. */

/** Who asks to subscribe. */
export interface Subscriber {
  readonly accountId: string;
  readonly role: string;
}

export interface ChannelDeclaration {
  /** What read models call it; the key in `/asyncapi.json`. */
  readonly name: string;
  /** Canonical address; `{id}` stands for a UUID. Changes are stored under this address. */
  readonly address: string;
  /** Other addresses of the same channel. */
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Whether `who` may subscribe to the channel of `id`. */
  readonly allows: (who: Subscriber, id: string) => boolean;
}

/** What a module declares for the hub (`realtime/<module>/index.ts`). */
export interface RealtimeModule {
  readonly channels: readonly ChannelDeclaration[];
}

/** One channel: its canonical address with an id, and who may subscribe to it. */
export interface Channel {
  readonly canonical: string;
  readonly allows: (who: Subscriber) => boolean;
}

/** The channel of an address in any of its spellings; `undefined` when no channel has this address. */
export type FindChannel = (address: string) => Channel | undefined;

const UUID = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})';

export const createFindChannel = (channels: readonly ChannelDeclaration[]): FindChannel => {
  const grammar = channels.flatMap((declaration) =>
    [declaration.address, ...declaration.aliases].map((address) => ({
      pattern: new RegExp(`^${address.replace('{id}', UUID)}$`, 'i'),
      declaration,
    })),
  );
  return (name) => {
    for (const { pattern, declaration } of grammar) {
      const id = pattern.exec(name)?.[1]?.toLowerCase();
      if (id !== undefined)
        return {
          canonical: declaration.address.replace('{id}', id),
          allows: (who) => declaration.allows(who, id),
        };
    }
    return undefined;
  };
};
