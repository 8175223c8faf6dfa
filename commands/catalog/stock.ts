/**
 * The stock of an inventory follows the listing or room that it belongs to. The listing is written first. Its revision
 * goes with the stock, and an inventory ignores what is older than it knows: however the commands of several editors
 * interleave, the newest listing decides. A job, set before the first write, completes the change if the process dies.
 */
import { inventory } from '../../domain/catalog/inventory.ts';
import type { Listing, ListingCommand } from '../../domain/catalog/listing.ts';
import { type ListingKind, listingKinds, type Stock } from '../../domain/catalog/listings.ts';
import { type Room, type RoomCommand, type RoomEvent, room } from '../../domain/catalog/room.ts';
import type { AnyEvent, Decider } from '../../domain/core/decider.ts';
import { addMs, MINUTE_MS } from '../../domain/core/instants.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp, type Outcome } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';

export type StockDeps = Pick<CoreDeps, 'aggregates' | 'pool' | 'now'>;

/** An aggregate whose state says how much there is in which inventories. */
export interface StockSource<State, Command, Event extends AnyEvent> {
  readonly decider: Decider<State, Command, Event>;
  readonly stockOf: (id: string, state: State) => readonly Stock[];
}

/** Inventories that are set at the same time. */
const AT_ONCE = 16;
/** By then a request has ended: it completed the change, or its process died. */
const JOB_AFTER_MS = MINUTE_MS;

export const roomStock: StockSource<Room, RoomCommand, RoomEvent> = {
  decider: room,
  stockOf: (unitId, { hotelId, units }) => (hotelId === null ? [] : [{ unitId, capacity: units }]),
};

export const listingStock = <Details extends object, Event extends AnyEvent>({
  decider,
  stockOf,
}: Pick<ListingKind<Details, Event>, 'decider' | 'stockOf'>): StockSource<
  Listing<Details>,
  ListingCommand<Details>,
  Event
> => ({ decider, stockOf: (id, state) => (state.status === 'none' ? [] : stockOf(id, state)) });

/** The stock after a change: what changed, or all of it when nothing did, because the change may be a repeat. */
const news = (before: readonly Stock[], after: readonly Stock[], isRepeat: boolean): Stock[] => {
  const had = new Map(before.map(({ unitId, capacity }) => [unitId, capacity]));
  const has = new Set(after.map(({ unitId }) => unitId));
  const gone = before.filter(({ unitId }) => !has.has(unitId)).map(({ unitId }) => ({ unitId, capacity: 0 }));
  return [...gone, ...after.filter(({ unitId, capacity }) => isRepeat || had.get(unitId) !== capacity)];
};

const set = (deps: StockDeps, context: CommandContext, stock: readonly Stock[], revision: bigint | null) =>
  concurrentEach(stock, AT_ONCE, async ({ unitId, capacity }) => {
    const command = { type: 'SetCapacity', capacity, listingRevision: Number(revision) } as const;
    await deps.aggregates.handle(inventory, unitId, command, followUp(context, `stock of ${unitId}`));
  });

/** What the inventories do not have yet. */
const missing = async ({ aggregates }: StockDeps, stock: readonly Stock[]): Promise<Stock[]> => {
  const found: Stock[] = [];
  await concurrentEach(stock, AT_ONCE, async (one) => {
    const { state } = await aggregates.load(inventory, one.unitId);
    if (state.capacity !== one.capacity) found.push(one);
  });
  return found;
};

type Settle = (deps: StockDeps, context: CommandContext, id: string, formerUnits: readonly string[]) => Promise<void>;

/** Sets the stock as the aggregate says now. */
const settle =
  <State, Command, Event extends AnyEvent>({ decider, stockOf }: StockSource<State, Command, Event>): Settle =>
  async (deps, context, id, formerUnits) => {
    const { state, revision } = await deps.aggregates.load(decider, id);
    const former = formerUnits.map((unitId) => ({ unitId, capacity: 0 }));
    await set(deps, context, news(former, stockOf(id, state), true), revision);
  };

const { tour, restaurant, transfer, instructor } = listingKinds;
/** By the category of their streams. */
const settlers: ReadonlyMap<string, Settle> = new Map([
  [room.category, settle(roomStock)],
  [tour.decider.category, settle(listingStock(tour))],
  [restaurant.decider.category, settle(listingStock(restaurant))],
  [transfer.decider.category, settle(listingStock(transfer))],
  [instructor.decider.category, settle(listingStock(instructor))],
]);

/** Completes a change whose process died. One job for each command, because editors must not cancel each other's. */
export const stockJob = defineJob<{ category: string; id: string; units: readonly string[] }, StockDeps>(
  'listing_stock',
  async ({ data: { category, id, units } }, { deps, context }) => {
    await settlers.get(category)?.(deps, context, id, units);
    return undefined;
  },
);

/**
 * Changes a listing or room, and then its stock. Repeated with the same context it completes what it began.
 * @param before a state that the caller has read: whose stock may have to go
 */
export const changeWithStock = async <State, Command extends { readonly type: string }, Event extends AnyEvent>(
  deps: StockDeps,
  context: CommandContext,
  { decider, stockOf }: StockSource<State, Command, Event>,
  id: string,
  command: Command,
  before: State,
): Promise<Outcome<State, Event>> => {
  const { category } = decider;
  if (!settlers.has(category)) return deps.aggregates.handle(decider, id, command, context);
  const jobId = `${id}:${context.commandId}`;
  const dueAt = addMs(deps.now(), JOB_AFTER_MS);
  const units = stockOf(id, before).map(({ unitId }) => unitId);
  await stockJob.schedule(deps.pool, context, { id: jobId, dueAt, data: { category, id, units } });
  const outcome = await deps.aggregates.handle(decider, id, command, context);
  const isRepeat = outcome.events.length === 0;
  const changed = news(stockOf(id, outcome.before), stockOf(id, outcome.state), isRepeat);
  // A repeat adds no event where nothing is missing.
  await set(deps, context, isRepeat ? await missing(deps, changed) : changed, outcome.revision);
  // Without this the job would find everything done.
  await stockJob.cancel(deps.pool, jobId).catch(() => undefined);
  return outcome;
};
