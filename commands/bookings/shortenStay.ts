/** The seller shortens a stay that has begun, because the guest leaves early. */
import { assertAllowed, type OpenBooking } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import { shortened } from '../../domain/bookings/shorten.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { snakeCase } from '../../infra/naming.ts';
import { sentMinor } from '../core/amounts.ts';
import { assertExpectedTotal } from '../core/expectedTotal.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { receivedFor, receivedMinor } from '../payments/giveBack.ts';
import { makeFreeChange } from './freeChanges.ts';
import { holdAgain } from './holds.ts';
import { type Booked, handled, partyOf, withZone } from './loadBooking.ts';
import type { RequestChange } from './quote.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'settings' | 'log' | 'paymentProviders' | 'pool' | 'now'>;

export interface TermsChange extends RequestChange {
  /** The price that the guest was shown for the whole booking, in major units. */
  readonly expectedTotal?: number;
  /** Of a stay that is shortened after it has begun: what the seller gives back, in major units. */
  readonly refund?: number;
}

/**
 * Shortens a stay that has begun. What is free again, and the refund, follow from the change.
 * @throws Rejected `forbidden`, `invalid`, `invalid_transition`, `refund_too_large`, `price_changed`
 */
export const shortenStay = async (
  deps: Deps,
  context: CommandContext,
  { bookingId, booking: before }: Booked,
  { expectedTotal, ...change }: TermsChange,
): Promise<void> => {
  const state = await withZone(deps, before);
  const by = partyOf(state, context.actor, 'Shorten');
  const holdId = derivedId(context.commandId, 'hold', bookingId);
  if (state.holdId === holdId) return; // done before
  assertAllowed('Shorten', state, by);
  const asked = shorteningOf(state, change);
  if (asked === null) return;
  const received = await receivedFor(deps, followUp(context, 'received'), bookingId, state.paymentIds);
  const terms = { ...shortened(state, { ...asked, receivedMinor: received.minor, at: context.at }), holdId };
  assertExpectedTotal(expectedTotal, terms);
  const { at } = context;
  const { timezone } = state;
  const expiresAt = addMs(at, deps.settings.holdTtlMs);
  const keys = await keysToKeep(deps, state, terms.item);
  const command = { type: 'Shorten', by, at, ...asked, received, holdId, holdExpiresAt: expiresAt, timezone } as const;
  await holdAgain(deps, context, { bookingId, holdId, item: terms.item, keys, expiresAt }, () =>
    handled(deps, context, bookingId, command),
  );
  await makeFreeChange(deps, context, bookingId, terms);
};

/** The terms that a stay would have if its seller shortened it now; null: nothing changes. @throws Rejected as `shortenStay` */
export const shortenedQuote = async (
  deps: Deps,
  context: CommandContext,
  { bookingId, booking: state }: Booked,
  change: TermsChange,
) => {
  assertAllowed('Shorten', state, partyOf(state, context.actor, 'Shorten'));
  const asked = shorteningOf(state, change);
  if (asked === null) return null;
  const minor = await receivedMinor(deps, context, bookingId, state.paymentIds);
  return { ...shortened(state, { ...asked, receivedMinor: minor, at: context.at }), refundMinor: asked.refundMinor };
};

/** What a seller asks for; null: nothing changes. @throws Rejected `invalid` for what cannot change any more */
const shorteningOf = (state: OpenBooking, { checkOut, refund, ...others }: TermsChange) => {
  const [field, ...more] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (field !== undefined || checkOut === undefined)
    throw new Rejected(
      'invalid',
      'A booking that has begun can only be shortened: send check_out, and refund if money goes back. To give money back without that, refund the payment.',
      { fields: field === undefined ? ['check_out'] : [snakeCase(field), ...more.map(snakeCase)] },
    );
  const refundMinor = refund === undefined ? 0 : sentMinor('refund', refund, state.currency);
  if (refundMinor === 0 && 'checkOut' in state.item && checkOut === state.item.checkOut) return null;
  return { checkOut, refundMinor };
};

/** What the booking has of the nights that stay: after a no-show that was withdrawn, not those that were over. */
const keysToKeep = async (
  { aggregates }: Deps,
  { holdId, item }: OpenBooking,
  after: BookingTerms['item'],
): Promise<readonly string[]> => {
  const { state } = await aggregates.load(inventory, item.unitId);
  const { keys } = inventoryDemand(after);
  const has = state.holds.get(holdId)?.keys ?? keys;
  const kept = keys.filter((key) => has.includes(key));
  return kept.length > 0 ? kept : keys;
};
