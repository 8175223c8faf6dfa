/** What a channel carries, as types. */
import type { channels } from '../generated/realtime.ts';
import type { Channels, ServerFrame } from '../generated/types.ts';

type ChannelName = keyof typeof channels;
type AddressOf<N extends ChannelName> = ReturnType<(typeof channels)[N]>;
/** The channel of an address; `never` for one that is not known when the program is compiled. */
type NameOf<A extends string> = { [N in ChannelName]: A extends AddressOf<N> ? N : never }[ChannelName];

/** Entity → row, of the channel with this address. */
export type RowsOf<A extends string> = [NameOf<A>] extends [never]
  ? Record<string, Record<string, unknown>>
  : Channels[NameOf<A>]['changes'];

type MessagesOf<A extends string> = [NameOf<A>] extends [never]
  ? Record<string, Record<string, unknown>>
  : Channels[NameOf<A>]['ephemeral'];

/** A place in the history of a channel: the client has every change up to `offset` of `epoch`. */
export interface Cursor {
  readonly epoch: string;
  readonly offset: number;
}

interface Envelope<T extends string, D> extends Cursor {
  readonly channel: string;
  /** What happened to what: `booking.updated`. */
  readonly type: T;
  /** When, as RFC 3339. */
  readonly ts: string;
  /** The row as REST shows it to the reader of the channel. */
  readonly data: D;
}

type Verb = 'created' | 'updated' | 'removed';

/** A change of a row. */
export type Change<A extends string = string> = {
  [E in keyof RowsOf<A> & string]: Envelope<`${E}.${Verb}`, RowsOf<A>[E]>;
}[keyof RowsOf<A> & string];

/** A message that matters for a moment only: not numbered, not stored, possibly lost. */
export type Ephemeral<A extends string = string> = {
  [T in keyof MessagesOf<A> & string]: {
    readonly channel: string;
    readonly type: T;
    /** The account that sent it. */
    readonly from: string;
    readonly ts: string;
    readonly data: MessagesOf<A>[T];
  };
}[keyof MessagesOf<A> & string];

/** The types of the messages that clients may publish on a channel, and their data. */
export type Publish<A extends string> = <T extends keyof MessagesOf<A> & string>(
  type: T,
  data: MessagesOf<A>[T],
) => boolean;

/** A frame that the hub sends. */
export type Frame = ServerFrame | Change | Ephemeral;

export const isChange = (frame: Frame): frame is Change => 'data' in frame && 'offset' in frame;
export const isEphemeral = (frame: Frame): frame is Ephemeral => 'data' in frame && !('offset' in frame);
