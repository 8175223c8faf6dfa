/** The booking funnel, for admins. */
import { type Static, Type } from '@sinclair/typebox';
import { BookingType } from '../../domain/catalog/bookableItem.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Instant, MinorSum } from '../../domain/core/schema.ts';
import {
  type FunnelRow,
  type FunnelStage,
  funnelOf,
  funnelStages,
  paidOutIn,
} from '../../projections/bookings/funnel.ts';
import { paymentItems } from '../../projections/payments/paymentItems.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { route } from '../http/route.ts';

const Stage = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    amount: Type.Number(),
    amount_minor: MinorSum,
  },
  { $id: 'FunnelStage' },
);
const Bookings = Type.Object(
  {
    type: BookingType,
    currency: Currency,
    created: Stage,
    payment_started: Stage,
    captured: Stage,
    released: Stage,
    refunded: Stage,
    commission: Stage,
  },
  { $id: 'BookingFunnel' },
);

const stageOf = (count: number, amount_minor: MinorSum, currency: string): Static<typeof Stage> => ({
  count,
  amount: toMajor(amount_minor, currency),
  amount_minor,
});
const bookingsOf = (row: FunnelRow): Static<typeof Bookings> => {
  const { type, currency } = row;
  const stages = funnelStages.map((stage) => [stage, stageOf(row[`${stage}_count`], row[`${stage}_minor`], currency)]);
  return { type, currency, ...(Object.fromEntries(stages) as Record<FunnelStage, Static<typeof Stage>>) };
};

const DAYS_30_MS = 30 * DAY_MS;

const funnel = route('GET /api/v1/admin/ledger/funnel', {
  id: 'getLedgerFunnel',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'Get the booking funnel of a period',
  description:
    'Counts and amounts of the bookings created in the period (default: the last 30 days), by type and currency, for every stage they have reached since. `paid_out` has the payouts of the period; a payout does not belong to particular bookings.',
  query: Type.Object({
    from: Type.Optional(Instant),
    to: Type.Optional({ ...Instant, description: 'End of the period, not included.' }),
  }),
  reply: Type.Object({
    from: Instant,
    to: Instant,
    bookings: Type.Array(Bookings),
    paid_out: Type.Array(Type.Composite([Type.Object({ currency: Currency }), Stage])),
  }),
  needs: [paymentItems],
  handle: async ({ query, context }, app) => {
    const { to = context.at } = query;
    const { from = addMs(to, -DAYS_30_MS) } = query;
    const [bookings, paidOut] = await Promise.all([funnelOf(app.db, { from, to }), paidOutIn(app.db, { from, to })]);
    return {
      from,
      to,
      bookings: bookings.map(bookingsOf),
      paid_out: paidOut.map(({ currency, count, amount_minor }) => ({
        currency,
        ...stageOf(count, amount_minor, currency),
      })),
    };
  },
});

export const funnelRoutes = [funnel];
