/**
 * Turns events into rows: loads the rows that a batch touches, folds in memory, writes each table once. The cost is per
 * batch, not per event. The live projector, rebuilds and verifications all use it, each on its own table.
 */
import type { Recorded } from '../../domain/core/decider.ts';
import type { PoolClient } from '../../infra/postgres.ts';
import { type Change, changesOf, type Move } from './changes.ts';
import { HandlerFailed, handled } from './handled.ts';
import { erasedBy, forgetPeople } from './personal.ts';
import { readDbIn } from './readDb.ts';
import type { Json, ReadModel } from './readModel.ts';
import { deleteByKeys, selectByKeys, upsertRows } from './tables.ts';

export interface Target {
  readonly model: ReadModel;
  /** The table to write: the live one, the shadow of a rebuild, or the scratch table of a verification. */
  readonly table: string;
  /** Whether realtime messages are made of what changes. Only for the live table. */
  readonly publishes?: boolean;
}

interface Slot extends Move {
  readonly key: Json;
}

const keyText = (model: ReadModel, row: Json): string => JSON.stringify(model.key.map((column) => row[column]));

const touchedKeys = (model: ReadModel, events: readonly Recorded[]): Map<string, Json> => {
  const keys = new Map<string, Json>();
  for (const event of events)
    for (const key of model.handlers.get(event.type)?.keys(event) ?? []) keys.set(keyText(model, key), key);
  return keys;
};

/** The rows after the events, in the order of their last change. Pure: throws only what a handler throws. */
const fold = (model: ReadModel, events: readonly Recorded[], stored: ReadonlyMap<string, Json>): Slot[] => {
  const slots = new Map<string, Slot>();
  for (const event of events) {
    const handler = model.handlers.get(event.type);
    for (const key of handler?.keys(event) ?? []) {
      const id = keyText(model, key);
      const before = stored.get(id);
      const slot = slots.get(id) ?? { key, before, after: before ?? null };
      const after = handler?.fold(slot.after ?? undefined, event, key) ?? null;
      if (after && keyText(model, after) !== id) throw new Error(`${event.type} changed the key ${id} of its row`);
      slots.delete(id); // moves it to the end
      slots.set(id, { ...slot, after, at: event.at });
    }
  }
  return [...slots.values()];
};

/** Loads, folds and writes. Returns the rows that changed, in the order of their last change. */
const foldBatch = async (
  client: PoolClient,
  { model, table }: Target,
  events: readonly Recorded[],
): Promise<readonly Move[]> => {
  const keys = handled(() => touchedKeys(model, events));
  if (keys.size === 0) return [];
  const { rows } = await client.query<Json>(selectByKeys(model, table), [JSON.stringify([...keys.values()])]);
  const stored = new Map(rows.map((row) => [keyText(model, row), row]));
  const { slots, written, removed } = handled(() => {
    const slots = fold(model, events, stored);
    return {
      slots,
      written: JSON.stringify(slots.flatMap(({ after }) => after ?? [])),
      removed: JSON.stringify(slots.flatMap(({ key, before, after }) => (before && !after ? key : []))),
    };
  });
  if (slots.some(({ after }) => after)) await client.query(upsertRows(model, table), [written]);
  if (slots.some(({ before, after }) => before && !after)) await client.query(deleteByKeys(model, table), [removed]);
  return slots;
};

/** Parked streams, each with the revision of its first event that was not applied. */
export type SetAside = ReadonlyMap<string, bigint>;
/** Called with each event that cannot be applied, and the reason. */
export type OnPoison = (event: Recorded, reason: string) => Promise<void>;

/** Values that a table refuses (SQLSTATE classes of data, constraints and limits) come from the event, too. */
const isEventsFault = (error: unknown): boolean =>
  error instanceof HandlerFailed || /^(21|22|23|54)/.test((error as { code?: string }).code ?? '');

/** The most rows in memory and in one write: a single event may price a year of nights. */
const MAX_ROWS = 20_000;

const rowsOf = (model: ReadModel, event: Recorded): number => {
  try {
    return model.handlers.get(event.type)?.keys(event).length ?? 0;
  } catch {
    return 0; // the handler fails again when the event is applied, and the event is parked then
  }
};

/** The events in their order, in slices that touch at most `MAX_ROWS` rows. */
const slicesOf = (model: ReadModel, events: readonly Recorded[]): Recorded[][] => {
  const slices: Recorded[][] = [[]];
  let rows = 0;
  for (const event of events) {
    const more = rowsOf(model, event);
    if (rows > 0 && rows + more > MAX_ROWS) {
      slices.push([]);
      rows = 0;
    }
    slices.at(-1)?.push(event);
    rows += more;
  }
  return slices;
};

/**
 * Applies a batch to one model, and forgets the people whom it erases. An event that cannot be applied goes to `onPoison`; the others are applied. Events of
 * streams in `skip` are left out; `skip` may grow meanwhile.
 */
export const applyBatch = async (
  client: PoolClient,
  target: Target,
  events: readonly Recorded[],
  skip: SetAside,
  onPoison: OnPoison,
): Promise<Change[]> => {
  const mine = events.filter(({ type }) => target.model.handlers.has(type));
  const changes: Change[][] = [];
  for (const slice of slicesOf(target.model, mine))
    changes.push(await applySlice(client, target, slice, skip, onPoison));
  // Whatever of their streams is parked.
  await forgetPeople(client, target, erasedBy(events));
  return changes.flat();
};

/** If it fails, it is repeated in halves until the event at fault is found. */
const applySlice = async (
  client: PoolClient,
  target: Target,
  slice: readonly Recorded[],
  skip: SetAside,
  onPoison: OnPoison,
): Promise<Change[]> => {
  const events = slice.filter(({ stream, revision }) => !(revision >= (skip.get(stream) ?? Infinity)));
  const [first] = events;
  if (!first) return [];
  await client.query('savepoint batch');
  try {
    const moves = await foldBatch(client, target, events);
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
    const before = await applySlice(client, target, events.slice(0, middle), skip, onPoison);
    const after = await applySlice(client, target, events.slice(middle), skip, onPoison);
    return [...before, ...after];
  }
};
