/** Holds places for a booking that is being created or rescheduled. */
import type { Outstanding } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import { isTooLateFor } from '../../domain/bookings/outstandingPayment.ts';
import { holdEnd } from '../../domain/bookings/payingTime.ts';
import { type BookableItem, inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { Outdated, Rejected } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { derivedId } from '../../infra/ids.ts';
import { finishEdit } from '../catalog/stock.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { keptUntil } from '../payments/keptUntil.ts';
import type { QuotedTerms } from './offer.ts';
import { unpaidLimits } from './unpaid.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'settings' | 'log'>;

/** The new end of a hold that is extended for a payment; null: its time is over. */
export const extendedUntil = (
  waiting: Pick<Outstanding, 'keptFrom' | 'payableUntil'>,
  at: string,
  settings: Pick<PaymentDeps['settings'], 'holdTtlMs' | 'paymentTtlMs'>,
): string | null => {
  const until = keptUntil(waiting.keptFrom, at, settings);
  if (until === null || isTooLateFor(waiting, at)) return null;
  return Date.parse(until) <= Date.parse(waiting.payableUntil) ? until : waiting.payableUntil;
};

interface HoldRequest {
  readonly bookingId: string;
  /** The guest. */
  readonly userId: string;
  /** The options in order of preference; any of them fits. */
  readonly options: readonly QuotedTerms[];
  /** Holds end earlier where they would last beyond the time to pay. */
  readonly until: string;
}

/**
 * Holds the places of the first option that is available, runs `work`, and releases them if `work` was refused.
 * @throws Rejected `sold_out` where no terms has its places free, `too_many_holds`, and what `work` throws
 */
export const withHold = async <T>(
  deps: Deps,
  context: CommandContext,
  request: HoldRequest,
  work: (terms: BookingTerms) => Promise<T>,
): Promise<T> => {
  const terms = await hold(deps, context, request);
  return releasingIfRefused(deps, context, terms, () => work(terms));
};

const releasingIfRefused = async <T>(
  deps: Deps,
  context: CommandContext,
  held: Pick<BookingTerms, 'holdId' | 'item'>,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error; // it may have happened: the hold's job will find out
    await release(deps, context, held);
    throw error;
  }
};

/** Places that a booking has or had, to be held with a second hold. */
interface HeldAgain {
  readonly bookingId: string;
  readonly holdId: string;
  readonly item: BookableItem;
  /** What it takes of them; nothing: there is nothing to hold. */
  readonly keys: readonly string[];
  readonly expiresAt: string;
}

/**
 * Holds places of a booking as it was sold, whatever is offered now, runs `work`, and releases them if `work` was refused.
 * @throws Rejected `sold_out`, and what `work` throws
 */
export const holdAgain = async <T>(
  deps: Deps,
  context: CommandContext,
  { bookingId, holdId, item, keys, expiresAt }: HeldAgain,
  work: () => Promise<T>,
): Promise<T> => {
  const { unitId, quantity } = inventoryDemand(item);
  const { at } = context;
  const place = { type: 'PlaceHold', holdId, bookingId, keys, quantity, expiresAt, again: true, at } as const;
  if (keys.length > 0) await deps.aggregates.handle(inventory, unitId, place, followUp(context, `hold ${holdId}`));
  return releasingIfRefused(deps, context, { holdId, item }, work);
};

/** What was quoted is not what the inventory sells now. */
class OfferOutdated extends Outdated {
  readonly item: BookableItem;
  constructor(item: BookableItem) {
    super();
    this.item = item;
  }
}

/**
 * For `onFreshFacts`, whose work holds places: an editor that died in the middle of a change has left an inventory ahead
 * of its listing, and nothing could be booked until the job of the change.
 */
export const finishingEdits =
  (deps: Pick<Deps, 'aggregates'>, context: CommandContext) =>
  async (error: Outdated): Promise<void> => {
    if (error instanceof OfferOutdated) await finishEdit(deps, context, error.item);
  };

const hold = async (
  deps: Deps,
  context: CommandContext,
  { options, bookingId, userId, until }: HoldRequest,
): Promise<BookingTerms> => {
  // The id includes the last key: if the owner changed the length of a slot, an earlier attempt holds other places.
  const request = options.map((terms) => {
    const { unitId, keys } = inventoryDemand(terms.item);
    return { ...terms, holdId: derivedId(context.commandId, 'hold', unitId, keys.at(-1) ?? '') };
  });
  // A repeated request continues with the hold that it has, even if a better option is available meanwhile.
  const before = request.length > 1 ? await heldBefore(deps, request) : undefined;
  let full: Rejected | undefined;
  const limits = unpaidLimits(deps.settings);
  const limit = limits && { mostPercent: limits.percentOfItem };
  for (const terms of before ? [before] : request) {
    const { unitId, ...places } = inventoryDemand(terms.item);
    const { holdId } = terms;
    const { at } = context;
    const expiresAt = holdEnd(terms, until);
    const place = { type: 'PlaceHold', holdId, bookingId, userId, ...places, expiresAt, at, ...limit } as const;
    try {
      const { state } = await deps.aggregates.handle(inventory, unitId, place, followUp(context, `hold ${holdId}`));
      // The hold of an earlier attempt may expire before the booking's expiry.
      if (state.holds.get(holdId)?.expiresAt !== expiresAt) {
        const keep = { type: 'ExtendHold', holdId, expiresAt, at } as const;
        await deps.aggregates.handle(inventory, unitId, keep, followUp(context, `keep ${holdId}`));
      }
      return terms;
    } catch (error) {
      if (error instanceof Outdated) throw new OfferOutdated(terms.item);
      if (!(error instanceof Rejected && error.code === 'sold_out')) throw error;
      full = error;
    }
  }
  throw full ?? new Rejected('sold_out', 'Nothing suitable is free at this time. Choose another time or fewer guests.');
};

const heldBefore = async (deps: Deps, request: readonly BookingTerms[]): Promise<BookingTerms | undefined> => {
  const stocks = await Promise.all(request.map(({ item }) => deps.aggregates.load(inventory, item.unitId)));
  return request.find(({ holdId }, n) => stocks[n]?.state.holds.get(holdId) !== undefined);
};

const release = async (
  deps: Deps,
  context: CommandContext,
  { holdId, item: { unitId } }: Pick<BookingTerms, 'holdId' | 'item'>,
): Promise<void> => {
  const command = { type: 'ReleaseHold', holdId, reason: 'refused' } as const;
  await deps.aggregates.handle(inventory, unitId, command, followUp(context, 'release')).catch((err: unknown) => {
    deps.log.warn({ err, holdId }, 'a hold could not be released, its expiry job will do it');
  });
};
