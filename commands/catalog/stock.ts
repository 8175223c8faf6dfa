/**
 * The stock of an inventory follows the listing or room that it belongs to. What a listing will no longer offer is
 * withdrawn from the inventories first, and refused there while it has bookings ahead. Then the listing is written, if no
 * other change came between, and then what is new or has another capacity. Its revision goes with the stock, and an
 * inventory ignores what is older than it knows: however the commands of several editors interleave, the newest listing
 * decides. A job, set before the first write, completes or undoes the change if the process dies.
 */
import { type BookableItem, bookedItemId } from '../../domain/catalog/bookableItem.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { bookingsAhead } from '../../domain/catalog/inventoryPlaces.ts';
import type { Listing, ListingCommand } from '../../domain/catalog/listing.ts';
import { type ListingKind, listingKinds, type Stock } from '../../domain/catalog/listings.ts';
import { type Room, type RoomCommand, type RoomEvent, room } from '../../domain/catalog/room.ts';
import { type OffersOf, refusedFor, type Withdrawal, withdrawals } from '../../domain/catalog/withdrawals.ts';
import { type AnyEvent, changedNothing, type Decider, Outdated, Rejected } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp, type Outcome } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { fold, type Loaded } from '../core/stateReader.ts';

export type StockDeps = Pick<CoreDeps, 'aggregates' | 'pool' | 'now'>;

/** An aggregate whose state says how much there is in which inventories. */
export interface StockSource<State, Command, Event extends AnyEvent> {
  readonly decider: Decider<State, Command, Event>;
  readonly stockOf: (id: string, state: State) => readonly Stock[];
  /** What a change from one state to another no longer offers. */
  readonly withdrawals: (id: string, before: State, after: State) => readonly Withdrawal[];
  /** The command that makes changes outdated which were made from this state; null where nothing is ever withdrawn. */
  readonly renewal: (state: State) => Command | null;
}

/** Inventories that are set at the same time. */
const AT_ONCE = 16;
/** By then a request has mostly ended. If it has not, its change is outdated and made again. */
const JOB_AFTER_MS = 15_000;

export const roomStock: StockSource<Room, RoomCommand, RoomEvent> = {
  decider: room,
  stockOf: (unitId, { hotelId, units, capacity }) =>
    hotelId === null ? [] : [{ unitId, capacity: units, party: capacity }],
  withdrawals: () => [],
  renewal: () => null,
};

export const listingStock = <Details extends object, Event extends AnyEvent>(
  kind: OffersOf<Details, Event> & Pick<ListingKind<Details, Event>, 'decider'>,
): StockSource<Listing<Details>, ListingCommand<Details>, Event> => ({
  decider: kind.decider,
  stockOf: (id, state) => (state.status === 'none' ? [] : kind.stockOf(id, state)),
  withdrawals: (id, before, after) =>
    before.status === 'none' || after.status === 'none' ? [] : withdrawals(kind, id, before, after),
  renewal: (state) => (state.status === 'none' ? null : { type: 'Renew', edition: state.edition }),
});

/** The stock that a change sets: what differs, or all of it when nothing does, because the change may be a repeat. */
const news = (before: readonly Stock[], after: readonly Stock[], isRepeat: boolean): Stock[] => {
  const had = new Map(before.map((stock) => [stock.unitId, stock]));
  return after.filter(({ unitId, capacity, party }) => {
    const former = had.get(unitId);
    return isRepeat || former?.capacity !== capacity || former.party !== party;
  });
};

const set = (
  deps: Pick<StockDeps, 'aggregates'>,
  context: CommandContext,
  stock: readonly Stock[],
  revision: bigint | null,
) =>
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

/** Whether something is withdrawn by a change that the listing does not know. */
const isWithdrawnAhead = async (
  { aggregates }: Pick<StockDeps, 'aggregates'>,
  units: readonly string[],
  revision: bigint | null,
): Promise<boolean> => {
  const stocks = await Promise.all(units.map((unitId) => aggregates.load(inventory, unitId)));
  return stocks.some(({ state }) => state.soldFrom > Number(revision ?? -1n));
};

/** Who completes the changes of others. */
const STOCK = { kind: 'system', id: 'stock', role: 'system' } as const;

type Settle = (
  deps: Pick<StockDeps, 'aggregates'>,
  context: CommandContext,
  id: string,
  formerUnits: readonly string[],
) => Promise<void>;

/**
 * Sets the stock as the aggregate says now. A change that has withdrawn something and not been written can then no longer
 * be written: it is made again, from the beginning.
 */
const settle =
  <State, Command extends { readonly type: string }, Event extends AnyEvent>({
    decider,
    stockOf,
    renewal,
  }: StockSource<State, Command, Event>): Settle =>
  async (deps, context, id, formerUnits) => {
    let { state, revision } = await deps.aggregates.load(decider, id);
    const renew = renewal(state);
    if (renew && (await isWithdrawnAhead(deps, formerUnits, revision)))
      ({ state, revision } = await deps.aggregates.handle(decider, id, renew, followUp(context, `renew ${revision}`)));
    const stock = stockOf(id, state);
    const listed = new Set(stock.map(({ unitId }) => unitId));
    const gone = formerUnits.filter((unitId) => !listed.has(unitId)).map((unitId) => ({ unitId, capacity: 0 }));
    await set(deps, context, [...gone, ...stock], revision);
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
 * Does at once what the job of a change does whose process died: somebody waits for what it left. If its process lives,
 * it makes the change again.
 */
export const finishEdit = async (
  deps: Pick<StockDeps, 'aggregates'>,
  context: CommandContext,
  item: Pick<BookableItem, 'type' | 'listingId' | 'unitId'>,
): Promise<void> => {
  const category = item.type === 'hotel' ? room.category : listingKinds[item.type].decider.category;
  const bySystem = { ...followUp(context, `finish the edit of ${item.unitId}`), actor: STOCK } as const;
  await settlers.get(category)?.(deps, bySystem, bookedItemId(item), [item.unitId]);
};

/** Looks before anything is written, so that a refusal names all. @throws Rejected `bookings_ahead` */
const refuseBookedAhead = async (
  { aggregates }: StockDeps,
  at: string,
  going: readonly Withdrawal[],
): Promise<void> => {
  const stocks = await Promise.all(going.map(({ unitId }) => aggregates.load(inventory, unitId)));
  const booked = going.flatMap((withdrawal, n) => {
    const ahead = stocks[n] && bookingsAhead(stocks[n].state, withdrawal.goes, at);
    return ahead ? [{ withdrawal, ahead }] : [];
  });
  if (booked.length > 0) throw refusedFor(booked);
};

/** @throws Outdated where somebody has booked meanwhile: the next look finds it */
const withdraw = async (
  deps: StockDeps,
  context: CommandContext,
  going: readonly Withdrawal[],
  revision: bigint | null,
): Promise<void> => {
  const listingRevision = Number(revision);
  const failures: unknown[] = [];
  // All have ended before what was withdrawn is sold again.
  await concurrentEach(going, AT_ONCE, async ({ unitId, capacity, goes }) => {
    const command = { type: 'Withdraw', capacity, listingRevision, goes, at: context.at } as const;
    const own = followUp(context, `withdraw ${unitId} ${revision}`);
    await deps.aggregates.handle(inventory, unitId, command, own).catch((error: unknown) => failures.push(error));
  });
  const [failure] = failures.toSorted((a, b) => Number(changedNothing(a)) - Number(changedNothing(b)));
  if (failure instanceof Rejected) throw new Outdated();
  if (failure !== undefined) throw failure;
};

/**
 * Changes a listing or room, and then its stock. Repeated with the same context it completes what it began.
 * @param before as it was just read
 * @throws Rejected `bookings_ahead` where the change no longer offers what is booked; Outdated where somebody has changed
 * or booked it since `before` was read
 */
export const changeWithStock = async <State, Command extends { readonly type: string }, Event extends AnyEvent>(
  deps: StockDeps,
  context: CommandContext,
  source: StockSource<State, Command, Event>,
  id: string,
  command: Command,
  before: Pick<Loaded<State>, 'state' | 'revision'>,
): Promise<Outcome<State, Event>> => {
  const { decider, stockOf } = source;
  const { category } = decider;
  const settleAgain = settlers.get(category);
  if (!settleAgain) return deps.aggregates.handle(decider, id, command, context);
  const after = fold(decider, before.state, decider.decide(command, before.state));
  const going = source.withdrawals(id, before.state, after);
  await refuseBookedAhead(deps, context.at, going);
  const jobId = `${id}:${context.commandId}`;
  const dueAt = addMs(deps.now(), JOB_AFTER_MS);
  const units = stockOf(id, before.state).map(({ unitId }) => unitId);
  await stockJob.schedule(deps.pool, context, { id: jobId, dueAt, data: { category, id, units } });
  const change = async (): Promise<Outcome<State, Event>> => {
    await withdraw(deps, context, going, before.revision);
    return deps.aggregates.handle(decider, id, command, context);
  };
  const outcome = await change().catch(async (error: unknown) => {
    // After any other error it may have happened: the job finds out.
    if (changedNothing(error) && going.length > 0) await settleAgain(deps, context, id, units);
    throw error;
  });
  const isRepeat = outcome.events.length === 0;
  const changed = news(stockOf(id, outcome.before), stockOf(id, outcome.state), isRepeat);
  // A repeat adds no event where nothing is missing.
  await set(deps, context, isRepeat ? await missing(deps, changed) : changed, outcome.revision);
  // Without this the job would find everything done.
  await stockJob.cancel(deps.pool, jobId).catch(() => undefined);
  return outcome;
};
