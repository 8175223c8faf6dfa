/**
 * One declaration per read model: its row is its table and its type, its wire form is its replies and its realtime
 * payload. Handlers are pure: no clock, no other table, no I/O.
 */
import type { Static, TObject } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { allEvents, type DomainEvent, type EventOf, type EventType } from '../../domain/modules.ts';
import type { Channel } from './channels.ts';
import { type Audience, type WireForm, wireForm } from './wire.ts';

/** The row after an event. It is given `undefined` when there is no row yet, and returns `null` to delete the row. */
export type Fold<Row, E, Key = unknown> = (row: Row | undefined, event: E, key: Key) => Row | null;

/** A bare function changes the row whose key is the event's stream id; otherwise `keys` names the rows to change. */
export type Handler<Row, E, Key> = Fold<Row, E> | { keys: (event: E) => readonly Key[]; fold: Fold<Row, E, Key> };

export type Handlers<Row, Key> = { readonly [T in EventType]?: Handler<Row, Recorded<EventOf<T>>, Key> };

/** Every event with this field in its data, of any aggregate. */
export type EventWith<F extends string> = Extract<DomainEvent, { readonly data: { readonly [N in F]: unknown } }>;

/** The same handler for every event with this field, including events that are declared later. */
export const onEventsWith = <const F extends string, Row, Key>(
  field: F,
  handler: Handler<Row, Recorded<EventWith<F>>, Key>,
): Handlers<Row, Key> =>
  Object.fromEntries(
    Object.entries(allEvents)
      .filter(([, { data }]) => field in data.properties)
      .map(([type]) => [type, handler]),
  ) as Handlers<Row, Key>;

/** A channel that changes of a row are sent on, and the wire form that its subscribers get. */
export interface Publication<Row> {
  readonly channel: Channel;
  /** The id in the channel's address. */
  idOf(row: Row): string;
  readonly audience: Audience;
}

/** What of a row is a person's. */
export interface PersonalColumns<K = string> {
  /** The column with the person's id. Their rows are what they may see. */
  readonly of: K;
  /** The texts that the erasure replaces, as paths: `notes`, `documents.*.name`. `*` stands for every item of an array. */
  readonly texts: readonly string[];
}

export interface ReadModel<S extends TObject = TObject, K extends string = string, N extends string = string> {
  /** Its table in the schema `read`. */
  readonly name: N;
  /** Raise it when rows would come out different: the table is then rebuilt beside the live one and swapped in. */
  readonly version: number;
  readonly row: S;
  readonly key: readonly K[];
  /** Column lists, as SQL: `user_id, created_at desc`; a leading `unique ` or `gin ` is honoured. */
  readonly indexes: readonly string[];
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  /** The channels that changes of its rows are sent on; empty when nobody subscribes to them. */
  readonly publishTo: readonly Publication<Json>[];
  /** What replies and realtime messages show of a row. */
  readonly wire: WireForm<Json>;
  /** Personal data in its rows; undefined for none. */
  readonly personal: PersonalColumns | undefined;
  /** What realtime messages call a row: `booking` gives `booking.created`, `booking.updated`, `booking.removed`. */
  readonly entity: string;
}

export type Json = Record<string, unknown>;
/** Methods, so that a handler of one event type fits where a handler of any event is expected. */
export interface UntypedHandler {
  keys(event: Recorded): readonly Json[];
  fold(row: Json | undefined, event: Recorded, key: Json): Json | null;
}

export interface Declaration<S extends TObject, K extends keyof Static<S> & string> {
  readonly version: number;
  readonly row: S;
  /** One column or several. A one-column key is the stream id unless a handler names its `keys`. */
  readonly key: K | readonly K[];
  readonly on: Handlers<Static<S>, Pick<Static<S>, K>>;
  readonly indexes?: readonly string[];
  /** Who gets a message when a row changes. */
  readonly publishTo?: readonly Publication<Static<S>>[];
  /** Needed when rows have personal data: a check refuses a model that copies it from events and does not say so. */
  readonly personal?: PersonalColumns<keyof Static<S> & string>;
  /** The row itself unless given. */
  readonly wire?: WireForm<Static<S>>;
  readonly entity?: string;
}

export const readModel = <const N extends string, S extends TObject, const K extends keyof Static<S> & string>(
  name: N,
  declaration: Declaration<S, K>,
): ReadModel<S, K, N> => {
  const key: readonly K[] = typeof declaration.key === 'string' ? [declaration.key] : declaration.key;
  const byStream = (event: Recorded): Json[] => [{ [key[0] as string]: event.streamId }];
  const handlers = new Map<string, UntypedHandler>();
  for (const [type, handler] of Object.entries<UntypedHandler | UntypedHandler['fold']>(declaration.on)) {
    if (typeof handler === 'function' && key.length > 1)
      throw new Error(`${name}: the handler of ${type} must name its keys, because the key has several columns`);
    handlers.set(type, typeof handler === 'function' ? { keys: byStream, fold: handler } : handler);
  }
  return {
    name,
    version: declaration.version,
    row: declaration.row,
    key,
    indexes: declaration.indexes ?? [],
    handlers,
    publishTo: declaration.publishTo ?? [],
    personal: declaration.personal,
    wire: declaration.wire ?? wireForm(declaration.row, (row) => row),
    entity: declaration.entity ?? name.replace(/s$/, ''),
  };
};

export type RowOf<M> = M extends ReadModel<infer S, string> ? Static<S> : never;

/**
 * The row that an event changes.
 * @throws Error when the event arrives before the one that creates its row: the event is then parked
 */
export const existing = <Row>(row: Row | undefined): Row => {
  if (row === undefined) throw new Error('The row to change does not exist: the event that creates it is missing.');
  return row;
};
