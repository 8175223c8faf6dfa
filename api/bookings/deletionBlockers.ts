/** Bookings that are still to come stand in the way of the end of an account, on both sides. */
import { cancelBooking } from '../../commands/bookings/bookings.ts';
import { loadBooking } from '../../commands/bookings/loadBooking.ts';
import { followUp } from '../../commands/core/handle.ts';
import { transitions } from '../../domain/bookings/transitions.ts';
import { bookingsAhead, type Side } from '../../projections/bookings/upcomingBookings.ts';
import {
  type BlockerDeps,
  type BlockingReason,
  type DeletionBlocker,
  endAll,
  standing,
} from '../http/deletionBlocker.ts';

const words: Readonly<Record<Side, Omit<BlockingReason, 'ids'>>> = {
  user_id: {
    reason: 'bookings_ahead',
    detail: 'You have bookings that are still to come. Cancel them, or delete the account with `settle=cancel`.',
  },
  provider_id: {
    reason: 'sales_ahead',
    detail:
      'Guests have booked with you. Cancel these bookings, or delete the account with `settle=cancel`: all is refunded.',
  },
};
const sides = Object.keys(words) as Side[];

const isAhead = async (app: BlockerDeps, id: string): Promise<boolean> =>
  transitions.Cancel.from.includes((await loadBooking(app, id)).status);

const aheadOnBothSides = async function* ({ db }: BlockerDeps, person: string, at: string) {
  for (const side of sides) yield* bookingsAhead(db, side, person, at);
};

export const bookingBlockers: DeletionBlocker = {
  find: async (app, person, at) => {
    const found = await Promise.all(
      sides.map(async (side) => {
        const ids = await standing(bookingsAhead(app.db, side, person, at), (id) => isAhead(app, id));
        return { ...words[side], ids };
      }),
    );
    return found.filter(({ ids }) => ids.length > 0);
  },
  resolve: async (app, context, person, until) => {
    const cancel = async (id: string) => {
      if (await isAhead(app, id)) await cancelBooking(app, followUp(context, id), id, 'The account is deleted');
    };
    return endAll(app, aheadOnBothSides(app, person, context.at), cancel, until);
  },
};
