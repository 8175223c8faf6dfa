/**
 * Events into rows: load what a batch touches, fold in memory, write each table once. The cost is per batch, not per
 * event. Used alike by the live projector, rebuilds and verification; only the table's name differs.
 */
import type { Recorded } from '../../domain/core/decider.ts';
import type { PoolClient } from '../../infra/postgres.ts';
import { type Change, changesOf } from './changes.ts';
import type { Json, ReadModel } from './readModel.ts';
import { deleteByKeys, selectByKeys, upsertRows } from './tables.ts';

export interface Target {
  readonly model: ReadModel;
  /** The table to write: the live one, a shadow, a scratch. */
  readonly table: string;
}

interface Slot {
  readonly key: Json;
  readonly before: Json | undefined;
  readonly after: Json | null | undefined;
  readonly at: string;
}

/** What a handler did wrong with its events. Anything else that fails is nobody's event's fault. */
class HandlerFailed extends Error {}

const keyText = (model: ReadModel, row: Json): string => JSON.stringify(model.key.map((column) => row[column]));

const touchedKeys = (model: ReadModel, events: readonly Recorded[]): Map<string, Json> => {
  const keys = new Map<string, Json>();
  for (const event of events)
    for (const key of model.handlers.get(event.type)?.keys(event) ?? []) keys.set(keyText(model, key), key);
  return keys;
};

/** Rows after the events, in the order of the last touch. Pure: throws only what a handler throws. */
const fold = (model: ReadModel, events: readonly Recorded[], stored: ReadonlyMap<string, Json>): Slot[] => {
  const slots = new Map<string, Slot>();
  for (const event of events) {
    const handler = model.handlers.get(event.type);
    for (const key of handler?.keys(event) ?? []) {
      const id = keyText(model, key);
      const slot = slots.get(id) ?? { key, before: stored.get(id), after: stored.get(id) };
      const after = handler?.fold(slot.after ?? undefined, event, key);
      if (after && keyText(model, after) !== id) throw new Error(`${event.type} changed the key ${id} of its row`);
      slots.delete(id); // moves it to the end
      slots.set(id, { ...slot, after, at: event.at });
    }
  }
  return [...slots.values()];
};

/** What is the handlers' own doing, apart from what the database may do. */
const handled = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw new HandlerFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
};

/** Loads, folds, writes. Returns what changed, in the order of the last touch. */
const foldBatch = async (
  client: PoolClient,
  { model, table }: Target,
  events: readonly Recorded[],
): Promise<Change[]> => {
  const keys = handled(() => touchedKeys(model, events));
  if (keys.size === 0) return [];
  const { rows } = await client.query<Json>(selectByKeys(model, table), [JSON.stringify([...keys.values()])]);
  const stored = new Map(rows.map((row) => [keyText(model, row), row]));
  const { slots, written, removed, changes } = handled(() => {
    const slots = fold(model, events, stored);
    return {
      slots,
      written: JSON.stringify(slots.flatMap(({ after }) => after ?? [])),
      removed: JSON.stringify(slots.flatMap(({ key, before, after }) => (before && !after ? key : []))),
      changes: slots.flatMap(({ before, after, at }) => changesOf(model, before, after ?? null, at)),
    };
  });
  if (slots.some(({ after }) => after)) await client.query(upsertRows(model, table), [written]);
  if (slots.some(({ before, after }) => before && !after)) await client.query(deleteByKeys(model, table), [removed]);
  return changes;
};

/** Streams that are set aside, each from the revision of its first event that was not applied. */
export type SetAside = ReadonlyMap<string, bigint>;
/** Told of an event that can't be applied, with the reason. */
export type OnPoison = (event: Recorded, reason: string) => Promise<void>;

/** Values that a table refuses (SQLSTATE classes of data, constraints, limits) come from the event, too. */
const isEventsFault = (error: unknown): boolean =>
  error instanceof HandlerFailed || /^(21|22|23|54)/.test((error as { code?: string }).code ?? '');

/** As many rows as are held in memory and written at a time: one event may price a year of nights. */
const MAX_ROWS = 20_000;

const rowsOf = (model: ReadModel, event: Recorded): number => {
  try {
    return model.handlers.get(event.type)?.keys(event).length ?? 0;
  } catch {
    return 0; // it fails again, and is dealt with, when it is applied
  }
};

/** Events in their order, in slices that touch no more rows than that. */
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
 * Applies a batch to one model. What fails through an event's fault is handed to `onPoison`, the rest goes on. Events
 * of streams in `skip`, which may grow meanwhile, are left out.
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
  return changes.flat();
};

/** When it fails, halves find the culprit. */
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
    const changes = await foldBatch(client, target, events);
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
