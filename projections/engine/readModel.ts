/**
 * One declaration per read model: its row is its table and its type, its wire form is its replies and its realtime
 * payload. Handlers are pure: no clock, no other table, no I/O.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Static, TObject } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { allEvents, type DomainEvent, type EventOf, type EventType } from '../../domain/modules.ts';
import type { AtErasure, PersonalRows } from '../../infra/personalData.ts';
import type { Channel } from './channels.ts';
import { type Audience, audiences, type WireForm, wireForm } from './wire.ts';

/** The row after an event. It is given `undefined` when there is no row yet, and returns `null` to delete the row. */
type Fold<Row, E, Key = unknown> = (row: Row | undefined, event: E, key: Key) => Row | null;

/** A bare function changes the row whose key is the event's stream id; otherwise `keys` names the rows to change. */
export type Handler<Row, E, Key> =
  | Fold<Row, E>
  | {
      keys?: (event: E) => readonly Key[];
      fold: Fold<Row, E, Key>;
      /** No earlier event finds a row of its key, as with the first event of a stream: the row is not looked up. */
      makesRow?: true;
    };

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

/**
 * The channels of one kind that changes of a row are sent on, and the wire form that their subscribers get. Who is told
 * of the row by a change gets `created`, who is no longer told of it gets `removed` with the row as it was.
 */
export interface Publication<Row> {
  readonly channel: Channel;
  /** The ids in the addresses of the channels. */
  idsOf(row: Row): readonly string[];
  readonly audience: Audience;
  /**
   * The account that may subscribe to the channel because of the row, if it is one that gives access. It gets the changes
   * after the one that begins this, and the change that ends it last.
   */
  memberOf?(row: Row): string | null;
  /**
   * For when nobody may read any more what the channel was told of the row before, such as a text that was deleted. Who
   * resumes from an older cursor then gets the row as it is now; or what this returns, where the row is told no more, and
   * in what was told to somebody whose access has ended since. Null: the former changes may stay. The wire form needs the
   * `id` of the row.
   */
  withdraws?(before: Row, after: Row): Row | null;
}

/** The personal data in the rows of a read model. */
export interface PersonalColumns<K extends string = string, Row = Json> extends PersonalRows<K | null> {
  /**
   * The column with the id of the person whose row it is: they may see it. Null: rows name people, without being about one of
   * them; they stay at an erasure, and the ids name nobody then.
   */
  readonly whose: K | null;
  /** The texts that the erasure replaces, as paths: `notes`, `documents.*.name`. `*` stands for every item of an array. */
  readonly texts?: readonly string[];
  /** The numbers, objects and lists that it sets to null, as such paths. */
  readonly values?: readonly string[];
  /**
   * Of rows without texts and values: whether they go at the erasure, or why they are kept. Others, and those that are kept
   * for good, are kept without their texts and values. The columns of `others` are such paths, too.
   */
  readonly erased?: AtErasure;
  /** What reports call its rows (`subject_kind`), where people can report them. */
  readonly reportedAs?: string;
  /**
   * Further fields of a row in the export of its person, such as a link to what belongs to it. In words where the export
   * has no section of these rows, because they are nobody's or say nothing more: how a person gets what is about them.
   */
  readonly exported?: { readonly schema: TObject; of(row: Row): object } | string;
}

/** As a read model has it: what was left out is empty. */
export type DeclaredPersonalData = PersonalColumns & Required<Pick<PersonalColumns, 'texts' | 'values'>>;

export interface ReadModel<S extends TObject = TObject, K extends string = string, N extends string = string> {
  /** Its table in the schema `read`. */
  readonly name: N;
  /** Raise it when rows would come out different: the table is then rebuilt beside the live one and swapped in. */
  readonly version: number;
  readonly row: S;
  readonly key: readonly K[];
  /** Column lists, as SQL: `user_id, created_at desc`; a leading `unique ` or `gin ` is honoured. */
  readonly indexes: readonly string[];
  /** Whether no event ever finds a row of its key: rows are not looked up then. */
  readonly insertOnly: boolean;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  /** The channels that changes of its rows are sent on; empty when nobody subscribes to them. */
  readonly publishTo: readonly Publication<Json>[];
  /** What replies and realtime messages show of a row. */
  readonly wire: WireForm<Json>;
  /**
   * Audience → the column with its wire form as text; empty when the form is made for each reply. Only `wire` has a whole form,
   * that of guests; others have what their audience sees beside it.
   */
  readonly storedForms: ReadonlyMap<Audience, string>;
  /** Column → the text of a row that is searched or sorted by; it is stored beside the columns as `foldedText`. */
  readonly folded: Readonly<Record<string, (row: Json) => string>>;
  /** Undefined: there is none in its rows. */
  readonly personalData: DeclaredPersonalData | undefined;
  /** What other processes are told of changed rows, a line each; undefined: nothing. */
  readonly announce: ((keys: readonly Json[]) => readonly string[]) | undefined;
  /** What realtime messages call a row: `booking` gives `booking.created`, `booking.updated`, `booking.removed`. */
  readonly entity: string;
}

export type Json = Record<string, unknown>;
/** Methods, so that a handler of one event type fits where a handler of any event is expected. */
export interface UntypedHandler {
  keys(event: Recorded): readonly Json[];
  fold(row: Json | undefined, event: Recorded, key: Json): Json | null;
  readonly makesRow?: true;
}
type PerhapsKeyed = Omit<UntypedHandler, 'keys'> & Partial<Pick<UntypedHandler, 'keys'>>;

export interface Declaration<S extends TObject, K extends keyof Static<S> & string> {
  readonly version: number;
  readonly row: S;
  /** One column or several. A one-column key is the stream id unless a handler names its `keys`. */
  readonly key: K | readonly K[];
  readonly on: Handlers<Static<S>, Pick<Static<S>, K>>;
  /**
   * Each event makes rows of its own, with the event's id or position in their key. They are not looked up first, and
   * the table refuses a second event with the same key, which is then parked.
   */
  readonly insertOnly?: true;
  readonly indexes?: readonly string[];
  /** Who gets a message when a row changes. */
  readonly publishTo?: readonly Publication<Static<S>>[];
  /** Needed when rows have personal data: a check refuses a model that copies it from events, or names people, without it. */
  readonly personalData?: PersonalColumns<keyof Static<S> & string, Static<S>>;
  /** The row itself unless given. */
  readonly wire?: WireForm<Static<S>>;
  /**
   * Stores the wire form as text beside the columns, for rows that are read often. Needs the key `id`. Queries name the
   * columns that they select.
   */
  readonly storesWire?: boolean;
  /**
   * Column → what of a row is searched or sorted by. Such columns are stored beside the others in the form in which texts
   * are compared (`foldedText`), and are in no reply. Queries name the columns that they select.
   */
  readonly folded?: Readonly<Record<string, (row: Static<S>) => string>>;
  /** For rows that other processes keep in memory: short lines that say which changed. */
  readonly announce?: (keys: readonly Pick<Static<S>, K>[]) => readonly string[];
  readonly entity?: string;
}

/** The column with the form of guests. */
export const WIRE = 'wire';

/** One column for all audiences that see the same. @throws Error where somebody does not see all that guests see */
const storedForms = (wire: Pick<WireForm, 'schemaFor'>): ReadonlyMap<Audience, string> => {
  const ofGuests = wire.schemaFor('guest');
  const columns = new Map([[JSON.stringify(ofGuests), WIRE]]);
  return new Map(
    audiences.map((audience) => {
      const { properties } = wire.schemaFor(audience);
      if (!isDeepStrictEqual({ ...properties, ...ofGuests.properties }, properties))
        throw new Error(`What guests see is stored for all: ${audience} must see it, too.`);
      const schema = JSON.stringify(wire.schemaFor(audience));
      const column = columns.get(schema) ?? `${WIRE}_${audience}`;
      columns.set(schema, column);
      return [audience, column];
    }),
  );
};

export const readModel = <const N extends string, S extends TObject, const K extends keyof Static<S> & string>(
  name: N,
  declaration: Declaration<S, K>,
): ReadModel<S, K, N> => {
  const key: readonly K[] = typeof declaration.key === 'string' ? [declaration.key] : declaration.key;
  const byStream = (event: Recorded): Json[] => [{ [key[0] as string]: event.streamId }];
  const handlers = new Map<string, UntypedHandler>();
  for (const [type, declared] of Object.entries<PerhapsKeyed | UntypedHandler['fold']>(declaration.on)) {
    const handler: PerhapsKeyed = typeof declared === 'function' ? { fold: declared } : declared;
    if (!handler.keys && key.length > 1)
      throw new Error(`${name}: the handler of ${type} must name its keys, because the key has several columns`);
    handlers.set(type, { ...handler, keys: handler.keys ?? byStream });
  }
  const wire: WireForm<Static<S>> = declaration.wire ?? wireForm(declaration.row, (row: Static<S>) => row);
  return {
    name,
    version: declaration.version,
    row: declaration.row,
    key,
    indexes: declaration.indexes ?? [],
    insertOnly: declaration.insertOnly ?? false,
    handlers,
    publishTo: declaration.publishTo ?? [],
    personalData: declaration.personalData && {
      texts: [],
      values: [],
      ...(declaration.personalData as PersonalColumns),
    },
    wire,
    storedForms: declaration.storesWire ? storedForms(wire) : new Map(),
    folded: (declaration.folded ?? {}) as ReadModel['folded'],
    announce: declaration.announce as ReadModel['announce'],
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
