/** The places of paid bookings: committed for them, and released when no booking has them any more. */
import { hasPaidPlaces, type OpenBooking, type Outstanding } from '../../domain/bookings/booking.ts';
import { inventoryDemand, keysAhead } from '../../domain/catalog/bookableItem.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import type { AskingDeps } from '../payments/paymentLook.ts';
import { endBySystem } from './endBySystem.ts';
import { loadBooking, withZone } from './loadBooking.ts';

type Deps = Pick<PaymentDeps, 'aggregates'>;
type Places = Pick<Outstanding, 'item' | 'holdId'>;

/**
 * Commits places. If their hold has expired or was released, they are taken again where they are free.
 * @param keys of what is taken where there is no hold any more; by default all of it
 * @returns why that is not possible; undefined when they are committed
 */
export const commitPlaces = async (
  { aggregates }: Deps,
  context: CommandContext,
  bookingId: string,
  { item, holdId, keys }: Places & { readonly keys?: readonly string[] },
): Promise<Rejected | undefined> => {
  const { unitId, ...places } = inventoryDemand(item);
  const placement = { holdId, bookingId, ...places, ...(keys && { keys }) };
  const commit = { type: 'CommitHold', ...placement, at: context.at } as const;
  try {
    await aggregates.handle(inventory, unitId, commit, followUp(context, `commit ${holdId}`));
    return undefined;
  } catch (error) {
    if (error instanceof Rejected) return error;
    throw error;
  }
};

/** Whether a hold is the booking's, paid for, or that of its proposed change. */
const isOf = (state: OpenBooking, holdId: string): boolean =>
  (hasPaidPlaces(state.status) && state.holdId === holdId) || state.change?.terms.holdId === holdId;

/** Releases places that were committed for a payment or a change, unless the booking has them. */
export const dropPlaces = async (
  deps: Deps,
  context: CommandContext,
  bookingId: string,
  { holdId, item: { unitId } }: { readonly holdId: string; readonly item: { readonly unitId: string } },
): Promise<void> => {
  const { state: stock } = await deps.aggregates.load(inventory, unitId);
  if (stock.holds.get(holdId)?.expiresAt !== null) return;
  if (isOf(await loadBooking(deps, bookingId), holdId)) return;
  const release = { type: 'ReleaseHold', holdId, reason: 'refused' } as const;
  await deps.aggregates.handle(inventory, unitId, release, followUp(context, `drop ${holdId}`));
};

/**
 * Makes sure that a paid booking has its places. Two payments that settle at once can release what the other has
 * committed. Where somebody else has them by now, the booking is cancelled and refunded in full. What is over is not taken
 * again: a no-show that was withdrawn has given it up.
 */
export const securePlaces = (deps: AskingDeps, context: CommandContext, bookingId: string): Promise<void> =>
  endBySystem(deps, context, bookingId, 'Cancel', async (before) => {
    const state = await withZone(deps, before);
    if (state.status !== 'paid' && state.status !== 'confirmed') return false;
    const { item, holdId, timezone = 'UTC' } = state;
    const keys = keysAhead(item, timezone, context.at);
    if (keys.length === 0) return false;
    const refused = await commitPlaces(deps, context, bookingId, { item, holdId, keys });
    // Places of the past are not taken again, and nobody else can have them.
    return refused?.code === 'sold_out';
  });
