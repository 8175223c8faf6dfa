/** What follows for places and bookings: holds run out, come free, or stay while a payment is being processed. */
import { booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import { placesOf } from '../../domain/bookings/bookingEvents.ts';
import { type InventoryCommand, inventory } from '../../domain/catalog/inventory.ts';
import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/core/events.ts';
import { payment } from '../../domain/payments/payment.ts';
import { followUp } from '../core/handle.ts';
import { type Tools, timer } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { syncPayment } from '../payments/atProvider.ts';
import { ProviderError } from '../payments/port.ts';
import { loadBooking, receivedMinor } from './bookings.ts';
import { extendedUntil } from './holds.ts';

const commandInventory = ({ deps, context }: Tools, itemId: string, command: InventoryCommand) =>
  deps.aggregates.handle(inventory, itemId, command, followUp(context, command.type));

const commandBooking = ({ deps, context }: Tools, bookingId: string, command: Parameters<typeof booking.decide>[0]) =>
  deps.aggregates.handle(booking, bookingId, command, followUp(context, command.type));

/** True while the provider is at work on money for this. It is asked; when it is away, what is known counts. */
export const isBeingPaid = async (
  { deps, context }: Tools,
  { openPayment }: Pick<OpenBooking, 'openPayment'>,
): Promise<boolean> => {
  if (openPayment === null) return false;
  const { status } = await syncPayment(deps, followUp(context, 'sync'), openPayment).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError || error instanceof Rejected)) throw error;
    deps.log.warn({ err: error, payment: openPayment }, 'nobody can say whether this is being paid');
    return (await deps.aggregates.load(payment, openPayment)).state;
  });
  return status === 'processing' || status === 'authorized' || status === 'succeeded';
};

/** Holds the places for longer. False when somebody else has them, or when the time for it is over. */
const keepHold = async (tools: Tools, bookingId: string, state: OpenBooking) => {
  const { holdId, subject } = state;
  const { itemId } = subject;
  const { at } = tools.context;
  const expiresAt = extendedUntil(state, at, tools.deps.settings);
  if (expiresAt === null) return false;
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
    (await keepHold(tools, bookingId, state));
  if (kept) return undefined;
  const { state: stock } = await commandInventory(tools, itemId, { type: 'ExpireHold', holdId, at: tools.context.at });
  const hold = stock.holds.get(holdId);
  if (!hold) await expireBooking(tools, bookingId, holdId);
  // Extended since this timer was set: reactions to two streams set it in any order, so it may have been moved back.
  return hold?.expiresAt ? { againAt: hold.expiresAt } : undefined;
});

/** Commits the places of a booking that costs nothing; it is paid then. True when that is so. */
const settleFree = async (tools: Tools, bookingId: string): Promise<boolean> => {
  const { status, totalMinor, holdId, subject } = await loadBooking(tools.deps, bookingId);
  if (status !== 'pending_payment' || totalMinor !== 0) return false;
  const { itemId, ...places } = placesOf(subject);
  try {
    await commandInventory(tools, itemId, { type: 'CommitHold', holdId, bookingId, ...places, at: tools.context.at });
  } catch (error) {
    if (error instanceof Rejected) return false; // its hold ran out before we came to it, and others have its places
    throw error;
  }
  try {
    await commandBooking(tools, bookingId, { type: 'MarkPaid', by: 'system', paymentId: null, amountMinor: 0, holdId });
  } catch (error) {
    // It has moved or ended meanwhile: that event's own reaction comes after this one.
    if (!(error instanceof Rejected)) throw error;
    await commandInventory(tools, itemId, { type: 'ReleaseHold', holdId, reason: 'refused' });
    return false;
  }
  return true;
};

/**
 * What time does to a booking: when it begins and the provider has not answered, it is rejected and all money goes back;
 * when it is over, it is completed. The id is the booking's.
 */
export const bookingDue = timer('booking_due', async ({ id }, tools) => {
  const { context, deps } = tools;
  const state = await loadBooking(deps, id);
  const { status } = state;
  if (status === 'confirmed') await commandBooking(tools, id, { type: 'Complete', by: 'system' });
  if (status === 'paid') {
    const received = await receivedMinor(deps, id, state);
    const end = { by: 'system', reason: null, at: context.at, receivedMinor: received } as const;
    await commandBooking(tools, id, { type: 'Reject', ...end });
  }
  return undefined;
});

const expireLater = (
  { meta, streamId: itemId, data }: Recorded<EventOf<'HoldPlaced' | 'HoldExtended'>>,
  { deps }: Tools,
): Promise<void> => {
  const { holdId, bookingId, expiresAt } = data;
  return holdExpiry.set(deps.pool, meta, { id: holdId, dueAt: expiresAt, data: { itemId, bookingId } });
};

/** Whoever books at the last moment waits for an answer as long as the places were held. */
const answerLater = async (
  { meta, at, streamId: id }: Recorded<EventOf<'BookingPaid'>>,
  { deps }: Tools,
): Promise<void> => {
  const { startsAt } = await loadBooking(deps, id);
  const due = Math.max(Date.parse(startsAt), Date.parse(at) + deps.settings.holdTtlMs);
  await bookingDue.set(deps.pool, meta, { id, dueAt: new Date(due).toISOString(), data: {} });
};

/**
 * A booking waits for its payment as long as its hold lasts, or not at all where it costs nothing. The hold may have run
 * out before the booking came to refer to it: then its own timer has found nothing to expire.
 */
const awaitPayment = async (
  { meta, streamId: bookingId }: Recorded<EventOf<'BookingCreated' | 'BookingRescheduled'>>,
  tools: Tools,
): Promise<void> => {
  if (await settleFree(tools, bookingId)) return;
  const { deps } = tools;
  const { subject, holdId: id, holdExpiresAt: dueAt, status } = await loadBooking(deps, bookingId);
  if (status !== 'pending_payment') return;
  await holdExpiry.set(deps.pool, meta, { id, dueAt, data: { itemId: placesOf(subject).itemId, bookingId } });
};

const releaseHold =
  (reason: 'cancelled' | 'rejected') =>
  async ({ streamId: bookingId }: Recorded, tools: Tools): Promise<void> => {
    const { subject, holdId } = await loadBooking(tools.deps, bookingId);
    await bookingDue.cancel(tools.deps.pool, bookingId);
    await commandInventory(tools, placesOf(subject).itemId, { type: 'ReleaseHold', holdId, reason });
  };

export const bookingPolicy = policy('bookings', {
  HoldPlaced: expireLater,
  HoldExtended: expireLater,
  HoldCommitted: ({ data }, { deps }) => holdExpiry.cancel(deps.pool, data.holdId),
  HoldReleased: async ({ data: { holdId, bookingId, reason } }, tools) => {
    await holdExpiry.cancel(tools.deps.pool, holdId);
    // Refused: money came for it as it was before; without places it would wait for ever.
    if (reason === 'expired' || reason === 'refused') await expireBooking(tools, bookingId, holdId);
  },
  BookingCreated: awaitPayment,
  BookingRescheduled: async (event, tools) => {
    const { holdId, formerHoldId, formerItemId } = event.data;
    await awaitPayment(event, tools);
    if (formerHoldId === holdId) return;
    await commandInventory(tools, formerItemId, { type: 'ReleaseHold', holdId: formerHoldId, reason: 'replaced' });
  },
  BookingPaid: answerLater,
  BookingCancelled: releaseHold('cancelled'),
  BookingRejected: releaseHold('rejected'),
  BookingConfirmed: async ({ meta, streamId: id }, { deps }) => {
    const { endsAt: dueAt } = await loadBooking(deps, id);
    await bookingDue.set(deps.pool, meta, { id, dueAt, data: {} });
  },
});
