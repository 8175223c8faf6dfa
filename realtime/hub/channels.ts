/** What a channel declaration is, and how the name that a client sends leads to a channel. */

import type { TObject } from '@sinclair/typebox';
import { type Validator, validator } from '../../infra/validation.ts';
import type { ReadDb } from '../../projections/engine/readDb.ts';

/** Who asks to subscribe. */
interface Subscriber {
  readonly accountId: string;
  readonly role: string;
}

/** A message that matters for a moment only: never stored, not numbered, sent at most once to whoever listens now. */
export interface EphemeralDeclaration {
  /** `typing.started`. */
  readonly type: string;
  readonly summary: string;
  readonly data: TObject;
  /** How often one subscription may publish it, in milliseconds: what comes sooner is dropped. Only the server sends it if undefined. */
  readonly everyMs?: number;
}

export interface ChannelDeclaration {
  /** What read models call it; the key in `/asyncapi.json`. */
  readonly name: string;
  /** Canonical address; `{id}` stands for a UUID, a channel that exists once has none. Changes are stored under this address. */
  readonly address: string;
  /** Other addresses of the same channel. */
  readonly aliases: readonly string[];
  readonly summary: string;
  /**
   * Whether `who` may subscribe to the channel of `id` (empty where there is none), as read models tell if need be. What ends it later is a change of
   * the channel itself: see `memberOf` of a read model's publications.
   */
  readonly allows: (who: Subscriber, id: string, db: ReadDb) => boolean | Promise<boolean>;
  readonly ephemeral?: readonly EphemeralDeclaration[];
  /** Subscribers are told who else is subscribed, by the messages of `presence.ts`. */
  readonly showsPresence?: boolean;
}

/** What a module declares for the hub (`realtime/<module>/index.ts`). */
export interface RealtimeModule {
  readonly channels: readonly ChannelDeclaration[];
}

/** What clients may publish. */
interface Publishable {
  readonly fits: Validator<TObject>;
  readonly everyMs: number;
}

/** One channel: its canonical address with an id, and who may subscribe to it. */
interface Channel {
  readonly canonical: string;
  readonly allows: (who: Subscriber) => boolean | Promise<boolean>;
  /** By type. */
  readonly publishable: ReadonlyMap<string, Publishable>;
  readonly showsPresence: boolean;
}

/** The channel of an address in any of its spellings; `undefined` when no channel has this address. */
export type FindChannel = (address: string) => Channel | undefined;

const UUID = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})';

const publishableOf = ({ ephemeral = [] }: ChannelDeclaration): ReadonlyMap<string, Publishable> =>
  new Map(
    ephemeral.flatMap(({ type, data, everyMs }) =>
      everyMs === undefined ? [] : [[type, { fits: validator(data), everyMs }] as const],
    ),
  );

export const createFindChannel = (channels: readonly ChannelDeclaration[], db: ReadDb): FindChannel => {
  const grammar = channels.flatMap((declaration) => {
    const publishable = publishableOf(declaration);
    return [declaration.address, ...declaration.aliases].map((address) => ({
      pattern: new RegExp(`^${address.replace('{id}', UUID)}$`, 'i'),
      declaration,
      publishable,
    }));
  });
  return (name) => {
    for (const { pattern, declaration, publishable } of grammar) {
      const match = pattern.exec(name);
      const id = match?.[1]?.toLowerCase() ?? '';
      if (match)
        return {
          canonical: declaration.address.replace('{id}', id),
          publishable,
          showsPresence: declaration.showsPresence === true,
          allows: (who) => declaration.allows(who, id, db),
        };
    }
    return undefined;
  };
};
