/** Every channel there is: its name, other ways to write it, and who may hear it. A new kind of channel is one entry. */
import { providerChannel, userChannel } from '../../projections/accounts/channels.ts';

/** Who asks to hear a channel. */
export interface Subscriber {
  readonly accountId: string;
  readonly role: string;
}

export interface ChannelDeclaration {
  /** Canonical name; `{id}` stands for a UUID. Changes are stored under this name. */
  readonly address: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Whether `who` may hear the channel of `id`. */
  readonly allows: (who: Subscriber, id: string) => boolean;
}

export const channels = {
  user: {
    address: userChannel.address,
    aliases: [],
    summary: 'What concerns one account. Heard by that account only.',
    allows: (who, id) => who.accountId === id,
  },
  provider: {
    address: providerChannel.address,
    aliases: ['realtime:provider:{id}'],
    summary: 'What concerns a provider: bookings, reviews. Heard by that provider and by admins.',
    allows: (who, id) => who.accountId === id || who.role === 'admin',
  },
} as const satisfies Readonly<Record<string, ChannelDeclaration>>;

/** A channel that a client named: what it is called in the store, and who may hear it. */
export interface Channel {
  readonly canonical: string;
  readonly allows: (who: Subscriber) => boolean;
}

const UUID = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})';
const grammar = Object.values<ChannelDeclaration>(channels).flatMap((declaration) =>
  [declaration.address, ...declaration.aliases].map((address) => ({
    pattern: new RegExp(`^${address.replace('{id}', UUID)}$`, 'i'),
    declaration,
  })),
);

/** The channel of a name in any of its spellings; `undefined` when no channel has such a name. */
export const findChannel = (name: string): Channel | undefined => {
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
