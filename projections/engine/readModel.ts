/**
 * One declaration per read model: its row is its table, its type, its replies and its realtime payload. Handlers are
 * pure: no clock, no other table, no I/O. What needs two models is joined in the query.
 */
import type { Static, TObject } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { allEvents, type DomainEvent, type EventOf, type EventType } from '../../domain/modules.ts';
import { type ChannelName, channelOf } from './channels.ts';

/** What an event makes of a row; `undefined` = there is none yet, `null` = there is none any more. */
export type Fold<Row, E, Key = unknown> = (row: Row | undefined, event: E, key: Key) => Row | null;

/** A bare function folds into the row whose key is the event's stream id; otherwise `keys` says which rows. */
export type Handler<Row, E, Key> = Fold<Row, E> | { keys: (event: E) => readonly Key[]; fold: Fold<Row, E, Key> };

export type Handlers<Row, Key> = { readonly [T in EventType]?: Handler<Row, Recorded<EventOf<T>>, Key> };

/** Every event that has a field in its data, whichever aggregate it comes from. */
export type EventWith<F extends string> = Extract<DomainEvent, { readonly data: { readonly [N in F]: unknown } }>;

/** The same handler for each of them, those that are declared later too. */
export const onEventsWith = <const F extends string, Row, Key>(
  field: F,
  handler: Handler<Row, Recorded<EventWith<F>>, Key>,
): Handlers<Row, Key> =>
  Object.fromEntries(
    Object.entries(allEvents)
      .filter(([, { data }]) => field in data.properties)
      .map(([type]) => [type, handler]),
  ) as Handlers<Row, Key>;

/** A row's place on the realtime side: on a channel of each of these kinds, of the id that it gives. */
export type Tells<Row> = { readonly [C in ChannelName]?: (row: Row) => string };

export interface ReadModel<S extends TObject = TObject, K extends string = string> {
  readonly name: string;
  /** Raise it when rows would come out different: the table is then rebuilt beside the live one and swapped in. */
  readonly version: number;
  readonly row: S;
  readonly key: readonly K[];
  /** Column lists, as SQL: `user_id, created_at desc`; a leading `unique ` or `gin ` is honoured. */
  readonly indexes: readonly string[];
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  /** The kinds of channel that its changes are told on; none: nobody is told. */
  readonly channels: readonly ChannelName[];
  /** The channels that a change of a row is told on. */
  readonly topics: (row: Json) => readonly string[];
  /** What realtime messages call a row: `booking` gives `booking.created`, `booking.updated`, `booking.removed`. */
  readonly entity: string;
}

export type Json = Record<string, unknown>;
export interface UntypedHandler {
  readonly keys: (event: Recorded) => readonly Json[];
  readonly fold: (row: Json | undefined, event: Recorded, key: Json) => Json | null;
}

export interface Declaration<S extends TObject, K extends keyof Static<S> & string> {
  readonly version: number;
  readonly row: S;
  /** One column or several. A one-column key is the stream id unless a handler names its `keys`. */
  readonly key: K | readonly K[];
  readonly on: Handlers<Static<S>, Pick<Static<S>, K>>;
  readonly indexes?: readonly string[];
  /** Who is told when a row changes. */
  readonly tells?: Tells<Static<S>>;
  readonly entity?: string;
}

export const readModel = <S extends TObject, const K extends keyof Static<S> & string>(
  name: string,
  declaration: Declaration<S, K>,
): ReadModel<S, K> => {
  const key: readonly K[] = typeof declaration.key === 'string' ? [declaration.key] : declaration.key;
  const byStream = (event: Recorded): Json[] => [{ [key[0] as string]: event.streamId }];
  const handlers = new Map<string, UntypedHandler>();
  for (const [type, handler] of Object.entries(declaration.on)) {
    const typed = handler as unknown as UntypedHandler | UntypedHandler['fold'];
    if (typeof typed === 'function' && key.length > 1)
      throw new Error(`${name}: ${type} must say which keys it touches`);
    handlers.set(type, typeof typed === 'function' ? { keys: byStream, fold: typed } : typed);
  }
  const told = Object.entries(declaration.tells ?? {}) as unknown as [ChannelName, (row: Json) => string][];
  return {
    name,
    version: declaration.version,
    row: declaration.row,
    key,
    indexes: declaration.indexes ?? [],
    handlers,
    channels: told.map(([channel]) => channel),
    topics: (row) => told.map(([channel, idOf]) => channelOf(channel, idOf(row))),
    entity: declaration.entity ?? name.replace(/s$/, ''),
  };
};

export type RowOf<M> = M extends ReadModel<infer S, string> ? Static<S> : never;

/** The row that an event changes. An event that comes before the one that makes its row is parked, not guessed at. */
export const existing = <Row>(row: Row | undefined): Row => {
  if (row === undefined) throw new Error('there is no row to change yet');
  return row;
};
