/**
 * The places that a booking gives up with an event. The command that leads to the event frees them before it answers, so
 * that they can be booked once its reply is there. The policy frees them again, in case the process died in between.
 */
import type { BookingEvent, OpenBooking } from '../../domain/bookings/booking.ts';
import { inventory, type ReleaseReason } from '../../domain/catalog/inventory.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';

type Deps = Pick<PaymentDeps, 'aggregates'>;
type Booked = Pick<OpenBooking, 'holdId' | 'item'>;

interface Freed {
  readonly holdId: string;
  readonly unitId: string;
  readonly reason: ReleaseReason;
}

const allOf = ({ holdId, item: { unitId } }: Booked, reason: ReleaseReason): Freed => ({ holdId, unitId, reason });

/** @param booked as the booking is after the event */
const freedBy = (event: BookingEvent, booked: Booked): Freed | undefined => {
  switch (event.type) {
    case 'BookingCancelled':
      return allOf(booked, 'cancelled');
    case 'BookingRejected':
      return allOf(booked, 'rejected');
    case 'BookingNoShowRecorded':
      return allOf(booked, 'no_show');
    case 'BookingChangeWithdrawn':
      return { ...event.data, reason: 'refused' };
    case 'BookingRescheduled': {
      const { holdId, formerHoldId, formerUnitId: unitId } = event.data;
      return formerHoldId === holdId ? undefined : { holdId: formerHoldId, unitId, reason: 'replaced' };
    }
    case 'BookingNoShowWithdrawn': {
      const { formerHoldId: holdId } = event.data;
      return holdId === undefined ? undefined : { holdId, unitId: booked.item.unitId, reason: 'replaced' };
    }
    default:
      return undefined;
  }
};

const free = async ({ aggregates }: Deps, context: CommandContext, { holdId, unitId, reason }: Freed) => {
  const release = { type: 'ReleaseHold', holdId, reason } as const;
  await aggregates.handle(inventory, unitId, release, followUp(context, `free ${holdId}`));
};

/**
 * Frees what events of a booking give up. Repeated, it changes nothing. Where the store is away, it throws: the booking has
 * changed, and the same request again, or the policy, frees its places.
 */
export const freePlaces = async (
  deps: Deps,
  context: CommandContext,
  events: readonly BookingEvent[],
  booked: Booked,
): Promise<void> => {
  for (const event of events) {
    const freed = freedBy(event, booked);
    if (freed) await free(deps, context, freed);
  }
};

/** Frees the places of a booking that had ended before, for a command that is repeated after its process died. */
export const freePlacesOfEnded = async (
  deps: Deps,
  context: CommandContext,
  booked: Booked & Pick<OpenBooking, 'status'>,
): Promise<void> => {
  const { status } = booked;
  if (status === 'cancelled' || status === 'rejected' || status === 'no_show')
    await free(deps, context, allOf(booked, status));
};
