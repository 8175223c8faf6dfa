/** What follows for places and bookings: holds run out, come free, or stay while a payment is being processed. */
import { booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import { placesOf } from '../../domain/bookings/bookingEvents.ts';
import { type InventoryCommand, inventory } from '../../domain/bookings/inventory.ts';
import { payment } from '../../domain/bookings/payment.ts';
import { type Recorded, Rejected } from '../../domain/decider.ts';
import type { EventOf } from '../../domain/events.ts';
import { loadBooking } from '../bookings.ts';
import { followUp } from '../handle.ts';
import { syncPayment } from '../payments/atProvider.ts';
import { ProviderError } from '../payments/port.ts';
import { policy } from './policy.ts';
import { type Tools, timer } from './timers.ts';

const commandInventory = ({ deps, context }: Tools, itemId: string, command: InventoryCommand) =>
  deps.aggregates.handle(inventory, itemId, command, followUp(context, command.type));

const commandBooking = ({ deps, context }: Tools, bookingId: string, command: Parameters<typeof booking.decide>[0]) =>
  deps.aggregates.handle(booking, bookingId, command, followUp(context, command.type));

/** True while the provider is at work on money for this booking. It is asked; when it is away, what is known counts. */
const isBeingPaid = async ({ deps, context }: Tools, { openPayment }: OpenBooking): Promise<boolean> => {
  if (openPayment === null) return false;
  const { status } = await syncPayment(deps, followUp(context, 'sync'), openPayment).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError || error instanceof Rejected)) throw error;
    deps.log.warn({ err: error, payment: openPayment }, 'nobody can say whether a booking is being paid');
    return (await deps.aggregates.load(payment, openPayment)).state;
  });
  return status === 'processing' || status === 'authorized' || status === 'succeeded';
};

/** Holds the places for as long again. False when somebody else has them. */
const keepHold = async (tools: Tools, itemId: string, bookingId: string, holdId: string): Promise<boolean> => {
  const { at } = tools.context;
  const expiresAt = new Date(Date.parse(at) + tools.deps.settings.holdTtlMs).toISOString();
  try {
    await commandInventory(tools, itemId, { type: 'ExtendHold', holdId, expiresAt, at });
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
  await commandBooking(tools, bookingId, { type: 'ExtendHold', by: 'system', holdExpiresAt: expiresAt });
  return true;
};

/** Ends the booking whose places came free unpaid. The end of another hold of its own changes nothing. */
const expireBooking = async (tools: Tools, bookingId: string, holdId: string): Promise<void> => {
  const { state } = await tools.deps.aggregates.load(booking, bookingId);
  if (state.status !== 'pending_payment' || state.holdId !== holdId) return;
  await commandBooking(tools, bookingId, { type: 'Expire', by: 'system' });
};

/** The id is the hold's. */
export const holdExpiry = timer<{ itemId: string; bookingId: string }>('hold_expiry', async (job, tools) => {
  const { id: holdId, data } = job;
  const { itemId, bookingId } = data;
  const { state } = await tools.deps.aggregates.load(booking, bookingId);
  const kept =
    state.status === 'pending_payment' &&
    state.holdId === holdId &&
    (await isBeingPaid(tools, state)) &&
    (await keepHold(tools, itemId, bookingId, holdId));
  if (kept) return undefined;
  const { state: stock } = await commandInventory(tools, itemId, { type: 'ExpireHold', holdId, at: tools.context.at });
  // It is still there if it was extended or committed since this timer was set.
  if (!stock.holds.get(holdId)) await expireBooking(tools, bookingId, holdId);
  return undefined;
});

/** The id is the booking's. */
export const completion = timer('completion', async ({ id }, tools) => {
  const { status } = await loadBooking(tools.deps, id);
  if (status === 'confirmed') await commandBooking(tools, id, { type: 'Complete', by: 'system' });
  return undefined;
});

const expireLater = (
  { meta, streamId: itemId, data }: Recorded<EventOf<'HoldPlaced' | 'HoldExtended'>>,
  { deps }: Tools,
): Promise<void> => {
  const { holdId, bookingId, expiresAt } = data;
  return holdExpiry.set(deps.pool, meta, { id: holdId, dueAt: expiresAt, data: { itemId, bookingId } });
};

/** The hold may have run out before the booking came to refer to it: then its timer has found nothing to expire. */
const expireWithHold = async (
  { meta, streamId: bookingId }: Recorded<EventOf<'BookingCreated' | 'BookingRescheduled'>>,
  { deps }: Tools,
): Promise<void> => {
  const { subject, holdId: id, holdExpiresAt: dueAt, status } = await loadBooking(deps, bookingId);
  if (status !== 'pending_payment') return;
  await holdExpiry.set(deps.pool, meta, { id, dueAt, data: { itemId: placesOf(subject).itemId, bookingId } });
};

const releaseHold =
  (reason: 'cancelled' | 'rejected') =>
  async ({ streamId: bookingId }: Recorded, tools: Tools): Promise<void> => {
    const { subject, holdId } = await loadBooking(tools.deps, bookingId);
    await commandInventory(tools, placesOf(subject).itemId, { type: 'ReleaseHold', holdId, reason });
  };

export const bookingPolicy = policy('bookings', {
  HoldPlaced: expireLater,
  HoldExtended: expireLater,
  HoldCommitted: ({ data }, { deps }) => holdExpiry.cancel(deps.pool, data.holdId),
  HoldReleased: async ({ data: { holdId, bookingId, reason } }, tools) => {
    await holdExpiry.cancel(tools.deps.pool, holdId);
    if (reason === 'expired') await expireBooking(tools, bookingId, holdId);
  },
  BookingCreated: expireWithHold,
  BookingRescheduled: async (event, tools) => {
    const { subject, holdId, formerHoldId } = event.data;
    await expireWithHold(event, tools);
    if (formerHoldId === holdId) return;
    const { itemId } = placesOf(subject);
    await commandInventory(tools, itemId, { type: 'ReleaseHold', holdId: formerHoldId, reason: 'replaced' });
  },
  BookingCancelled: releaseHold('cancelled'),
  BookingRejected: releaseHold('rejected'),
  BookingConfirmed: async ({ meta, streamId: id }, { deps }) => {
    const { endsAt: dueAt } = await loadBooking(deps, id);
    await completion.set(deps.pool, meta, { id, dueAt, data: {} });
  },
});
