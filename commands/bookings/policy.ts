/** What follows for places and bookings: holds expire, are released, or are kept while a payment is being processed. */

import { answerAwaitedBy, standingOf } from '../../domain/bookings/answer.ts';
import { booking, type OpenBooking, type Outstanding, outstandingOf } from '../../domain/bookings/booking.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { type InventoryCommand, inventory } from '../../domain/catalog/inventory.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { isBefore } from '../../domain/core/instants.ts';
import type { EventOf } from '../../domain/modules.ts';
import { followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { isAccepted } from '../core/refusals.ts';
import { isBeingPaid } from '../payments/askProvider.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { endBySystem } from './endBySystem.ts';
import { makeFreeChange } from './freeChanges.ts';
import { freePlaces } from './freePlaces.ts';
import { extendedUntil } from './holds.ts';
import { loadBooking } from './loadBooking.ts';
import { stopReminding, tellSeller } from './notices.ts';
import { dropPlaces, securePlaces } from './places.ts';
import { settleFree } from './settleFree.ts';
import { writeBookings } from './trips.ts';

type Ctx = PolicyContext<PaymentDeps>;

const commandInventory = ({ deps, context }: Ctx, unitId: string, command: InventoryCommand) =>
  deps.aggregates.handle(inventory, unitId, command, followUp(context, command.type));

const commandBooking = ({ deps, context }: Ctx, bookingId: string, command: Parameters<typeof booking.decide>[0]) =>
  deps.aggregates.handle(booking, bookingId, command, followUp(context, command.type));

/** Extends the hold. False when the places are taken or the time for it is over. */
const keepHold = async (ctx: Ctx, bookingId: string, waiting: Outstanding) => {
  const { holdId, item } = waiting;
  const { unitId } = item;
  const { at } = ctx.context;
  const expiresAt = extendedUntil(waiting, at, ctx.deps.settings);
  if (expiresAt === null) return false;
  const extend = { type: 'ExtendHold', holdId, expiresAt, at } as const;
  if (!(await isAccepted(() => commandInventory(ctx, unitId, extend)))) return false;
  await commandBooking(ctx, bookingId, { type: 'ExtendHold', by: 'system', holdId, holdExpiresAt: expiresAt });
  return true;
};

/** Expires the unpaid booking, or the change, whose hold was released. Other holds of the booking change nothing. */
const expireHolder = async (ctx: Ctx, bookingId: string, holdId: string): Promise<void> => {
  const { state } = await ctx.deps.aggregates.load(booking, bookingId);
  if (state.status === 'none') return;
  if (state.status === 'pending_payment' && state.holdId === holdId)
    await commandBooking(ctx, bookingId, { type: 'Expire', by: 'system', holdId });
  if (state.change?.terms.holdId === holdId)
    await commandBooking(ctx, bookingId, { type: 'WithdrawChange', by: 'system', holdId, reason: 'expired' });
};

/** Expires a hold, unless what it is for is being paid. The job's id is the hold's. */
export const holdExpiry = defineJob<{ unitId: string; bookingId: string }, PaymentDeps>(
  'hold_expiry',
  async (job, ctx) => {
    const { id: holdId, data } = job;
    const { unitId, bookingId } = data;
    const { state } = await ctx.deps.aggregates.load(booking, bookingId);
    if (state.status !== 'none') {
      const waiting = outstandingOf(state);
      const isFor = waiting?.holdId === holdId && (await isBeingPaid(ctx.deps, ctx.context, bookingId, state));
      if (isFor && (await keepHold(ctx, bookingId, waiting))) return undefined;
    }
    const { state: stock } = await commandInventory(ctx, unitId, { type: 'ExpireHold', holdId, at: ctx.context.at });
    const hold = stock.holds.get(holdId);
    if (!hold) await expireHolder(ctx, bookingId, holdId);
    // The hold was extended after this job was set. Handlers of two streams set the job in any order, so it may have
    // been moved back.
    return hold?.expiresAt ? { againAt: hold.expiresAt } : undefined;
  },
);

/** When time next changes a booking: the seller's answer is due, or the booking is over. null: it has ended. */
const nextMoment = (state: OpenBooking): string | null =>
  answerAwaitedBy(state) ?? (standingOf(state) === 'confirmed' ? state.endsAt : null);

/**
 * What happens to a booking with time. If the seller has not answered by the deadline, it is rejected and fully refunded.
 * When it is over, it is completed. Both follow from the state at that time, so that a job which was set for another
 * moment waits on. The job's id is the booking's.
 */
export const bookingDue = defineJob<object, PaymentDeps>('booking_due', async ({ id }, ctx) => {
  const state = await loadBooking(ctx.deps, id);
  const moment = nextMoment(state);
  if (moment === null) return undefined;
  if (isBefore(ctx.context.at, moment)) return { againAt: moment };
  if (answerAwaitedBy(state) === null) await commandBooking(ctx, id, { type: 'Complete', by: 'system' });
  else await endBySystem(ctx.deps, ctx.context, id, 'Reject', async () => true);
  return undefined;
});

const expireLater = (
  { meta, streamId: unitId, data }: Recorded<EventOf<'HoldPlaced' | 'HoldExtended'>>,
  { deps }: Ctx,
): Promise<void> => {
  const { holdId, bookingId, expiresAt } = data;
  return holdExpiry.schedule(deps.jobs, meta, { id: holdId, dueAt: expiresAt, data: { unitId, bookingId } });
};

/** Waits for the next moment of a booking, as it is now. */
const waitOn = async ({ meta, streamId: id }: Recorded, { deps }: Ctx): Promise<void> => {
  const dueAt = nextMoment(await loadBooking(deps, id));
  if (dueAt === null) await bookingDue.cancel(deps.jobs, id);
  else await bookingDue.schedule(deps.jobs, meta, { id, dueAt, data: {} });
};

/**
 * A booking waits for its payment as long as its hold lasts. A booking that is free of charge does not wait. The hold
 * may have expired before the booking referred to it; its job then found nothing to expire. Where the event says all that
 * is needed, nothing is read: a job that is not needed any more finds nothing to do.
 */
const awaitPayment = async (
  { meta, streamId: bookingId, data }: Recorded<EventOf<'BookingCreated' | 'BookingRescheduled'>>,
  ctx: Ctx,
): Promise<void> => {
  if (data.totalMinor > 0 && data.holdExpiresAt !== undefined) {
    const { holdId: id, holdExpiresAt: dueAt, item } = data;
    const { unitId } = inventoryDemand(item);
    return holdExpiry.schedule(ctx.deps.jobs, meta, { id, dueAt, data: { unitId, bookingId } });
  }
  if (await settleFree(ctx.deps, ctx.context, bookingId)) return;
  const { deps } = ctx;
  const { item, holdId: id, holdExpiresAt: dueAt, status } = await loadBooking(deps, bookingId);
  if (status !== 'pending_payment') return;
  await holdExpiry.schedule(deps.jobs, meta, { id, dueAt, data: { unitId: inventoryDemand(item).unitId, bookingId } });
};

/** A paid booking has other terms: it is due at another time, and its seller is told. */
const changed = async (event: Recorded<EventOf<'BookingRescheduled'>>, ctx: Ctx): Promise<void> => {
  await stopReminding(ctx.deps, event.streamId);
  await securePlaces(ctx.deps, ctx.context, event.streamId);
  await waitOn(event, ctx);
  if (event.data.change?.by !== 'provider') await tellSeller(event, ctx, 'changed');
};

/**
 * Places that were committed for a booking that has ended or has other places by now: the process that committed them
 * died before it could release them. An expired booking may be about to be paid.
 */
const dropFormer = async (ctx: Ctx, bookingId: string, places: Parameters<typeof dropPlaces>[3]): Promise<void> => {
  const { state } = await ctx.deps.aggregates.load(booking, bookingId);
  if (state.status === 'none') return;
  const mayBePaid = state.status === 'pending_payment' || state.status === 'expired';
  if (!mayBePaid || state.holdId !== places.holdId) await dropPlaces(ctx.deps, ctx.context, bookingId, places);
};

const ended = async (event: Recorded<EventOf<'BookingCancelled' | 'BookingRejected'>>, ctx: Ctx): Promise<void> => {
  const { streamId: bookingId } = event;
  await bookingDue.cancel(ctx.deps.jobs, bookingId);
  await stopReminding(ctx.deps, bookingId);
  await freePlaces(ctx.deps, ctx.context, [event], await loadBooking(ctx.deps, bookingId));
};

export const bookingPolicy = policy<PaymentDeps>('bookings', {
  HoldPlaced: expireLater,
  HoldExtended: expireLater,
  HoldCommitted: async ({ streamId: unitId, data: { holdId, bookingId } }, ctx) => {
    await holdExpiry.cancel(ctx.deps.jobs, holdId);
    await dropFormer(ctx, bookingId, { holdId, item: { unitId } });
  },
  HoldReleased: async ({ data: { holdId, bookingId, reason } }, ctx) => {
    await holdExpiry.cancel(ctx.deps.jobs, holdId);
    // Refused: the payment was for an earlier state of the booking. Without places it would wait for ever.
    if (reason === 'expired' || reason === 'refused') await expireHolder(ctx, bookingId, holdId);
    const { state } = await ctx.deps.aggregates.load(booking, bookingId);
    if (state.status !== 'none' && state.holdId === holdId) await securePlaces(ctx.deps, ctx.context, bookingId);
  },
  BookingCreated: awaitPayment,
  BookingRescheduled: async (event, ctx) => {
    if (event.data.change === undefined) await awaitPayment(event, ctx);
    else await changed(event, ctx);
    await freePlaces(ctx.deps, ctx.context, [event], event.data);
  },
  BookingChangeProposed: async ({ meta, streamId: bookingId, data }, ctx) => {
    await makeFreeChange(ctx.deps, ctx.context, bookingId, data);
    const { holdId: id, holdExpiresAt: dueAt, item } = data;
    const { change } = await loadBooking(ctx.deps, bookingId);
    // The hold may have expired before the booking named it.
    if (change?.terms.holdId === id)
      await holdExpiry.schedule(ctx.deps.jobs, meta, { id, dueAt, data: { unitId: item.unitId, bookingId } });
  },
  BookingChangeWithdrawn: async (event, ctx) =>
    freePlaces(ctx.deps, ctx.context, [event], await loadBooking(ctx.deps, event.streamId)),
  BookingPaid: async (event, ctx) => {
    await securePlaces(ctx.deps, ctx.context, event.streamId);
    await waitOn(event, ctx);
    await tellSeller(event, ctx, 'paid');
  },
  BookingCancelled: ended,
  BookingRejected: ended,
  // The bookings were made when the trip was, whoever writes them.
  TripBooked: async ({ at, data }, { deps, context }) => {
    await writeBookings(deps, { ...context, at }, data);
  },
  BookingConfirmed: async (event, ctx) => {
    await waitOn(event, ctx);
    await stopReminding(ctx.deps, event.streamId);
  },
  BookingNoShowRecorded: waitOn,
  BookingNoShowWithdrawn: async (event, ctx) => {
    await securePlaces(ctx.deps, ctx.context, event.streamId);
    await freePlaces(ctx.deps, ctx.context, [event], await loadBooking(ctx.deps, event.streamId));
    await waitOn(event, ctx);
  },
});
