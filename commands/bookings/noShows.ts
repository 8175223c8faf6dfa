/**
 * No-shows. The guest did not come: the seller records it, and what is left of the places is for sale again. If the guest
 * comes after all, the places are taken again where they are free. They are held before the booking changes, so that a
 * process that dies in between leaves a hold that expires, or a booking whose hold the policy commits.
 */
import { booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import { keysAhead } from '../../domain/catalog/bookableItem.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CommandContext } from '../core/handle.ts';
import { policy } from '../core/policy.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { freePlacesOfEnded } from './freePlaces.ts';
import { holdAgain } from './holds.ts';
import { type Booked, handled, loadBooking, partyOf, withZone } from './loadBooking.ts';
import { commitPlaces } from './places.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'settings' | 'log'>;

/** The seller records a no-show, from the start of the booking on. Its places are free when this returns. */
export const markNoShow = async (deps: Deps, context: CommandContext, bookingId: string): Promise<Booked> => {
  const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'MarkNoShow');
  return handled(deps, context, bookingId, { type: 'MarkNoShow', by, at: context.at });
};

/**
 * The seller takes a no-show back, within a day: the guest came after all.
 * @throws Rejected `sold_out` when somebody else has the places by now
 */
export const withdrawNoShow = async (deps: Deps, context: CommandContext, bookingId: string): Promise<Booked> => {
  const state = await withZone(deps, await loadBooking(deps, bookingId));
  const { at } = context;
  const { item, timezone = 'UTC' } = state;
  const holdId = derivedId(context.commandId, 'hold', bookingId);
  const by = partyOf(state, context.actor, 'WithdrawNoShow');
  const withdraw = { type: 'WithdrawNoShow', by, at, holdId } as const;
  // What will be refused takes no places before; what was done before has them.
  if (booking.decide(withdraw, state).length === 0) return { bookingId, booking: state };
  const again = { bookingId, holdId, item, keys: keysAhead(item, timezone, at) };
  const expiresAt = addMs(at, deps.settings.holdTtlMs);
  const back = await holdAgain(deps, context, { ...again, expiresAt }, () =>
    handled(deps, context, bookingId, withdraw),
  ).catch(placesAreTaken);
  if (again.keys.length > 0) await commitPlaces(deps, context, bookingId, again);
  return back;
};

const placesAreTaken = (error: unknown): never => {
  if (!(error instanceof Rejected) || error.code !== 'sold_out') throw error;
  throw error.with(
    error.facts,
    'The places of this booking have been sold or taken out of sale since the no-show was recorded. Book another one for the guest, or refund this one.',
  );
};

/** Frees the places again, in case the process died before it could, and those of no-shows of before 0.2.0. */
export const noShowPolicy = policy<PaymentDeps>('no_shows', {
  BookingNoShowRecorded: async ({ streamId }, { deps, context }) => {
    const state: OpenBooking = await loadBooking(deps, streamId);
    if (state.status === 'no_show') await freePlacesOfEnded(deps, context, state);
  },
});
