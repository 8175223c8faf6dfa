/**
 * Turns events into rows: loads the rows that a batch touches, folds in memory, writes each table once. The cost is per
 * batch, not per event. The live projector, rebuilds and verifications all use it, each on its own table.
 */
import { PERSON_ERASED, type Recorded } from '../../domain/core/decider.ts';
import type { StoredEvent } from '../../eventstore/client/index.ts';
import type { Codec, Decoded } from '../../eventstore/codec.ts';
import { jsonOf } from '../../infra/jsonText.ts';
import type { PoolClient } from '../../infra/postgres.ts';
import { isValueFault } from '../../infra/storeFaults.ts';
import { announceRows } from './announcements.ts';
import type { Change } from './changes.ts';
import { HandlerFailed, handled } from './handlerFailure.ts';
import { type Erased, erasedBy, forgetIn, goesWith } from './personalRows.ts';
import { readDbIn } from './readDb.ts';
import type { Json, ReadModel, UntypedHandler } from './readModel.ts';
import type { Statements } from './statementsInTurn.ts';
import { deleteByKeys, insertRows, selectByKeys, upsertRows, withDerived } from './tables.ts';
import { changesOf, endsAccess, type Move } from './tellings.ts';

export interface Target {
  readonly model: ReadModel;
  /** The table to write: the live one, the shadow of a rebuild, or the scratch table of a verification. */
  readonly table: string;
  /** Whether what changes is announced and made into realtime messages. Only for the live table. */
  readonly publishes?: boolean;
}

/** A row that an event changes. */
interface Touch {
  readonly event: Recorded;
  readonly handler: UntypedHandler;
  readonly key: Json;
  /** The key as text. */
  readonly id: string;
}

interface Slot extends Move {
  readonly key: Json;
  after: Json | null;
  at: string;
  /** As it was when it ended somebody's access to a channel, if events came after that. */
  ended?: { readonly after: Json | null; readonly at: string };
}

/** Text cannot have this character in Postgres, so it separates the columns of a key. */
const SEPARATOR = '\u0000';

const keyText = ({ key: [first = '', ...others] }: ReadModel, row: Json): string => {
  let text = String(row[first]);
  for (const column of others) text += SEPARATOR + String(row[column]);
  return text;
};

/** In the order of the events. */
const touchesOf = (model: ReadModel, events: readonly Recorded[]): Touch[] => {
  const touches: Touch[] = [];
  for (const event of events) {
    const handler = model.handlers.get(event.type);
    if (handler) for (const key of handler.keys(event)) touches.push({ event, handler, key, id: keyText(model, key) });
  }
  return touches;
};

const hasKey = (model: ReadModel, row: Json, key: Json): boolean =>
  model.key.every((column) => row[column] === key[column]);

/** The rows after the events, in the order of their last change. Pure: throws only what a handler throws. */
const fold = (
  model: ReadModel,
  touches: readonly Touch[],
  stored: ReadonlyMap<string, Json>,
  erased: Erased,
): Slot[] => {
  const slots = new Map<string, Slot>();
  for (const { event, handler, key, id } of touches) {
    const earlier = slots.get(id);
    const before = stored.get(id);
    const slot: Slot = earlier ?? { key, before, after: before ?? null, at: event.at };
    if (earlier && !slot.ended && endsAccess(model, slot)) slot.ended = { after: slot.after, at: slot.at };
    const after = handler.fold(slot.after ?? undefined, event, key);
    if (after && !hasKey(model, after, key)) throw new Error(`${event.type} changed the key ${id} of its row`);
    slot.after = after && forgetIn(model, after, erased);
    slot.at = event.at;
    if (earlier) slots.delete(id); // moves it to the end
    slots.set(id, slot);
  }
  // Not before: the events of a batch may need the row.
  for (const slot of slots.values()) if (slot.after && goesWith(model, slot.after, erased)) slot.after = null;
  return [...slots.values()];
};

/**
 * In two parts where the row has ended somebody's access: with the first they learn of it, and nothing of what came after.
 */
const movesOf = ({ before, after, at, ended }: Slot): Move[] =>
  ended
    ? [
        { before, ...ended },
        { before: ended.after ?? undefined, after, at },
      ]
    : [{ before, after, at }];

/** Loads, folds and writes. Returns the rows that changed, in the order of their last change. */
const foldBatch = async (
  db: Statements,
  { model, table, publishes = false }: Target,
  touches: readonly Touch[],
  erased: Erased,
): Promise<readonly Move[]> => {
  if (touches.length === 0) return [];
  const stored = await load(db, model, table, touches);
  const { slots, written, removed } = handled(() => {
    const slots = fold(model, touches, stored, erased);
    return {
      slots,
      written: jsonOf(slots.flatMap(({ after }) => (after ? withDerived(model, after) : []))),
      removed: JSON.stringify(slots.flatMap(({ key, before, after }) => (before && !after ? key : []))),
    };
  });
  const write = model.insertOnly ? insertRows : upsertRows;
  if (slots.some(({ after }) => after)) await db.query(write(model, table), [written]);
  if (slots.some(({ before, after }) => before && !after)) await db.query(deleteByKeys(model, table), [removed]);
  if (publishes)
    await announceRows(
      db,
      model,
      slots.map(({ key }) => key),
    );
  return slots.flatMap(movesOf);
};

/** The keys of the rows that may be stored already: not those whose first event makes them. */
const keysToLoad = (touches: readonly Touch[]): Json[] => {
  const keys = new Map<string, Json | undefined>();
  for (const { id, key, handler } of touches) if (!keys.has(id)) keys.set(id, handler.makesRow ? undefined : key);
  return [...keys.values()].filter((key) => key !== undefined);
};

/** The stored rows that the events change, by key. */
const load = async (
  db: Statements,
  model: ReadModel,
  table: string,
  touches: readonly Touch[],
): Promise<ReadonlyMap<string, Json>> => {
  const keys = model.insertOnly ? [] : keysToLoad(touches);
  if (keys.length === 0) return new Map();
  const { rows } = await db.query<Json>(selectByKeys(model, table), [JSON.stringify(keys)]);
  return new Map(rows.map((row) => [keyText(model, row), row]));
};

/** Parked streams, each with the revision of its first event that was not applied. */
export type SetAside = ReadonlyMap<string, bigint>;
/** Called with each event that cannot be applied, and the reason. */
export type OnPoison = (event: Recorded, reason: string) => Promise<void>;

/** Values that a table refuses come from the event, too. */
export const isEventsFault = (error: unknown): boolean => error instanceof HandlerFailed || isValueFault(error);

/** The most rows in memory and in one write: a single event may price a year of nights. */
const MAX_ROWS = 20_000;

/** The items in their order, in slices that touch at most `MAX_ROWS` rows, and at least one item. */
const slicesOf = <Item>(items: readonly Item[], rowsOf: (item: Item) => number): Item[][] => {
  const slices: Item[][] = [[]];
  let rows = 0;
  for (const item of items) {
    const more = rowsOf(item);
    if (rows > 0 && rows + more > MAX_ROWS) {
      slices.push([]);
      rows = 0;
    }
    slices.at(-1)?.push(item);
    rows += more;
  }
  return slices;
};

const dueOf = (events: readonly Recorded[], skip: SetAside): readonly Recorded[] =>
  skip.size === 0 ? events : events.filter(({ stream, revision }) => !(revision >= (skip.get(stream) ?? Infinity)));

/** Decodes the events that some model needs. Nobody knows what an undeclared type does, so it concerns all. */
export const decodeFor = (
  codec: Codec,
  models: readonly ReadModel[],
  stored: readonly StoredEvent[],
): Promise<Decoded> => {
  const isNeeded = (type: string): boolean =>
    type === PERSON_ERASED || !codec.declares(type) || models.some(({ handlers }) => handlers.has(type));
  return codec.decodeEach(stored.filter(({ type }) => isNeeded(type)));
};

/** What a batch has for one model. */
export interface Share {
  /** The events that the model handles. */
  readonly events: readonly Recorded[];
  /** The people whom the batch erases: nothing of them is written. What is stored is for `forgetPeople`. */
  readonly erased: Erased;
}

/** Sorts a batch once for all models. */
export const shareOut = (models: readonly ReadModel[], events: readonly Recorded[]): ((model: ReadModel) => Share) => {
  const erased = erasedBy(events);
  const shares = new Map(models.map((model) => [model, { events: [] as Recorded[], erased }]));
  const takers = new Map<string, Recorded[][]>();
  for (const event of events) {
    const lists =
      takers.get(event.type) ??
      [...shares].flatMap(([{ handlers }, share]) => (handlers.has(event.type) ? [share.events] : []));
    takers.set(event.type, lists);
    for (const list of lists) list.push(event);
  }
  return (model) => shares.get(model) ?? { events: [], erased };
};

/**
 * Applies a batch to one model. Needs no savepoints: when it throws, the whole
 * transaction is rolled back, and repeated with `applyBatch` if `isEventsFault` says so. Events of streams in `skip` are
 * left out.
 */
export const applyAtOnce = async (
  db: Statements,
  target: Target,
  { events, erased }: Share,
  skip: SetAside,
): Promise<Move[]> => {
  const touches = handled(() => touchesOf(target.model, dueOf(events, skip)));
  const moves: (readonly Move[])[] = [];
  for (const slice of slicesOf(touches, () => 1)) moves.push(await foldBatch(db, target, slice, erased));
  return moves.flat();
};

/** How many rows an event changes; 0 for one that fails, which fails again when it is applied. */
const rowsOf = (model: ReadModel, event: Recorded): number => {
  try {
    return touchesOf(model, [event]).length;
  } catch {
    return 0;
  }
};

/**
 * Applies a batch to one model. An event that cannot be applied goes to
 * `onPoison`; the others are applied. Events of streams in `skip` are left out; `skip` may grow meanwhile.
 */
export const applyBatch = async (
  client: PoolClient,
  target: Target,
  batch: readonly Recorded[],
  skip: SetAside,
  onPoison: OnPoison,
): Promise<Change[]> => {
  const { events, erased } = shareOut([target.model], batch)(target.model);
  const changes: Change[][] = [];
  for (const slice of slicesOf(events, (event) => rowsOf(target.model, event)))
    changes.push(await applySlice(client, target, slice, erased, skip, onPoison));
  return changes.flat();
};

/** If it fails, it is repeated in halves until the event at fault is found. */
const applySlice = async (
  client: PoolClient,
  target: Target,
  slice: readonly Recorded[],
  erased: Erased,
  skip: SetAside,
  onPoison: OnPoison,
): Promise<Change[]> => {
  const events = dueOf(slice, skip);
  const [first] = events;
  if (!first) return [];
  await client.query('savepoint batch');
  try {
    const touches = handled(() => touchesOf(target.model, events));
    const moves = await foldBatch(client, target, touches, erased);
    const changes = target.publishes ? await changesOf(readDbIn(client), target.model, moves) : [];
    await client.query('release savepoint batch');
    return changes;
  } catch (error) {
    if (!isEventsFault(error)) throw error;
    await client.query('rollback to savepoint batch');
    if (events.length === 1) {
      await onPoison(first, (error as Error).message);
      return [];
    }
    const middle = Math.ceil(events.length / 2);
    const before = await applySlice(client, target, events.slice(0, middle), erased, skip, onPoison);
    const after = await applySlice(client, target, events.slice(middle), erased, skip, onPoison);
    return [...before, ...after];
  }
};
