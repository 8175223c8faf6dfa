/** Holding places for a booking that is about to be made or moved. */
import type { OpenBooking } from '../../domain/bookings/booking.ts';
import { type Deal, placesOf } from '../../domain/bookings/bookingEvents.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CommandDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { Agreed } from './quote.ts';

type Deps = Pick<CommandDeps, 'aggregates' | 'log'>;

/**
 * When a hold that is extended for a payment runs out: after as long again, but no later than a payment begun first may
 * take. Otherwise a provider that never comes to an end, or somebody who never means to pay, would keep places for ever.
 * null: its time is over.
 */
export const extendedUntil = (
  { keptFrom }: Pick<OpenBooking, 'keptFrom'>,
  at: string,
  { holdTtlMs, paymentTtlMs }: Pick<CommandDeps['settings'], 'holdTtlMs' | 'paymentTtlMs'>,
): string | null => {
  const most = keptFrom === null ? Number.POSITIVE_INFINITY : Date.parse(keptFrom) + paymentTtlMs;
  const until = Math.min(Date.parse(at) + holdTtlMs, most);
  return until > Date.parse(at) ? new Date(until).toISOString() : null;
};

interface Wish {
  readonly bookingId: string;
  /** Any of them will do, the first best. */
  readonly deals: readonly Agreed[];
  readonly expiresAt: string;
}

/**
 * Holds the places of the first deal that has them free, runs `work` with it, and gives them back if the answer was no.
 * @throws Rejected `sold_out` where no deal has its places free, and what `work` throws
 */
export const withHold = async <T>(
  deps: Deps,
  context: CommandContext,
  wish: Wish,
  work: (deal: Deal) => Promise<T>,
): Promise<T> => {
  const deal = await hold(deps, context, wish);
  try {
    return await work(deal);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error; // it may have happened: the hold's timer will see
    await release(deps, context, deal);
    throw error;
  }
};

const hold = async (deps: Deps, context: CommandContext, { deals, bookingId, expiresAt }: Wish): Promise<Deal> => {
  // Named after its last place too: where the owner has changed how long a slot takes, an earlier try holds other places.
  const wanted = deals.map((deal) => {
    const { itemId, keys } = placesOf(deal.subject);
    return { ...deal, holdId: derivedId(context.commandId, 'hold', itemId, keys.at(-1) ?? '') };
  });
  // A request that comes again goes on with the hold it has, even if a better item has come free meanwhile.
  const before = wanted.length > 1 ? await heldBefore(deps, wanted) : undefined;
  let full = new Rejected('sold_out', 'Nothing is left.');
  for (const deal of before ? [before] : wanted) {
    const { itemId, ...places } = placesOf(deal.subject);
    const { holdId } = deal;
    const { at } = context;
    const place = { type: 'PlaceHold', holdId, bookingId, ...places, expiresAt, at } as const;
    try {
      const { state } = await deps.aggregates.handle(inventory, itemId, place, followUp(context, `hold ${holdId}`));
      // The hold of an earlier try ends earlier than the booking will say.
      if (state.holds.get(holdId)?.expiresAt !== expiresAt) {
        const keep = { type: 'ExtendHold', holdId, expiresAt, at } as const;
        await deps.aggregates.handle(inventory, itemId, keep, followUp(context, `keep ${holdId}`));
      }
      return deal;
    } catch (error) {
      if (!(error instanceof Rejected && error.code === 'sold_out')) throw error;
      full = error;
    }
  }
  throw full;
};

const heldBefore = async (deps: Deps, wanted: readonly Deal[]): Promise<Deal | undefined> => {
  const stocks = await Promise.all(wanted.map(({ subject }) => deps.aggregates.load(inventory, subject.itemId)));
  return wanted.find(({ holdId }, n) => stocks[n]?.state.holds.get(holdId) !== undefined);
};

const release = async (deps: Deps, context: CommandContext, { holdId, subject: { itemId } }: Deal): Promise<void> => {
  const command = { type: 'ReleaseHold', holdId, reason: 'refused' } as const;
  await deps.aggregates.handle(inventory, itemId, command, followUp(context, 'release')).catch((err: unknown) => {
    deps.log.warn({ err, holdId }, 'a refused hold is left to its timer');
  });
};
