/** Numbers: of everybody for admins, of what they sold for sellers, of themselves for everybody. */
import { Type } from '@sinclair/typebox';
import { share } from '../../domain/core/numbers.ts';
import { Count, Nullable } from '../../domain/core/schema.ts';
import {
  Answers,
  answersOf,
  BookingsOfDay,
  bookingMilestones,
  bookingsByDay,
  bookingsOf,
  paidOfBooked,
} from '../../projections/analytics/milestones.ts';
import { revenueByDay, spentBy } from '../../projections/analytics/revenue.ts';
import { revenueLines } from '../../projections/analytics/revenueLines.ts';
import { awardsOf, badgeAwards } from '../../projections/badges/awards.ts';
import { ledgerEntries } from '../../projections/ledger/entries.ts';
import { payments } from '../../projections/payments/payments.ts';
import { configRevisions, timezoneNow } from '../../projections/platform/config.ts';
import { reportedDays } from '../../projections/tracking/reportedDays.ts';
import { trackingSessions } from '../../projections/tracking/sessions.ts';
import { daysOf } from '../../projections/tracking/stats.ts';
import type { App } from '../http/app.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { route } from '../http/route.ts';
import { Revenue, revenueOf, Spending, spendingOf } from './money.ts';
import { type AskedPeriod, periodOf, periodQuery, periodReply } from './period.ts';

const Conversion = Type.Object(
  {
    booked: { ...Count, description: 'Bookings that were made in the period.' },
    paid: { ...Count, description: 'Those of them that have been paid since.' },
    rate: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  },
  { $id: 'BookingConversion' },
);

/** What was sold in a period. */
const sales = {
  bookings: Type.Array(BookingsOfDay),
  conversion: Conversion,
  money: Type.Array(Revenue),
  answers: Answers,
};
/** @param sellerId undefined: of all sellers */
const salesIn = async ({ db }: App, instants: AskedPeriod['instants'], sellerId?: string) => {
  const [bookings, { booked, paid }, money, answers] = await Promise.all([
    bookingsByDay(db, instants, sellerId),
    paidOfBooked(db, instants, sellerId),
    revenueByDay(db, instants, sellerId),
    answersOf(db, instants, sellerId),
  ]);
  return { bookings, conversion: { booked, paid, rate: share(paid, booked) }, money: money.map(revenueOf), answers };
};

const ALL_TIME = { from: '-infinity', to: 'infinity' };

const own = route('GET /api/v1/metrics/me', {
  id: 'getOwnMetrics',
  access: 'user',
  summary: 'Get own metrics',
  description: 'Since the account exists; visits are forgotten after the time for which events are kept.',
  reply: Type.Object(
    {
      visits: Nullable(
        Type.Integer({ minimum: 0, description: 'Sessions of apps; null without consent to analytics.' }),
      ),
      bookings: { ...Count, description: 'Bookings that were paid.' },
      cancelled: { ...Count, description: 'Those of them that were cancelled or rejected.' },
      spent: Type.Array(Spending, { description: 'Paid, less what came back, by currency.' }),
      ski_days: { ...Count, description: 'Days with tracked or reported runs.' },
      badges: { ...Count, description: 'Badges that the caller has.' },
    },
    { $id: 'OwnMetrics' },
  ),
  reads: [bookingMilestones, payments, ledgerEntries, trackingSessions, reportedDays, badgeAwards],
  handle: async ({ caller: { id } }, app) => {
    const [mayAnalyse, booked, spent, days, awards] = await Promise.all([
      app.mayAnalyse(id),
      bookingsOf(app.db, id),
      spentBy(app.db, id),
      daysOf(app.db, id),
      awardsOf(app.db, id),
    ]);
    const visits = mayAnalyse ? await app.analytics.visitsOf(id, ALL_TIME) : null;
    return { visits, ...booked, spent: spent.map(spendingOf), ski_days: days.length, badges: awards.size };
  },
});

const provider = route('GET /api/v1/metrics/provider', {
  id: 'getProviderMetrics',
  access: 'provider',
  harm: SHOWS_FIGURES,
  summary: 'Get the metrics of a seller',
  description: 'Of what the caller has sold. Days are those of the resort.',
  query: Type.Object(periodQuery),
  reply: Type.Object({ ...periodReply, ...sales }, { $id: 'ProviderMetrics' }),
  reads: [bookingMilestones, revenueLines, configRevisions],
  needs: [revenueLines],
  handle: async ({ query, caller, context }, app) => {
    const { dates, instants } = periodOf(query, await timezoneNow(app), context.at);
    return { ...dates, ...(await salesIn(app, instants, caller.id)) };
  },
});

const ActiveDay = Type.Object({ day: periodReply.from, people: Count, visits: Count }, { $id: 'ActiveDay' });
const Cohort = Type.Object(
  {
    week: { ...periodReply.from, description: 'Monday of the week in which they were first seen.' },
    size: Count,
    active: Type.Array(Count, { description: 'How many of them were active in that week, the next one, and so on.' }),
  },
  { $id: 'Cohort' },
);

const global = route('GET /api/v1/metrics/global', {
  id: 'getGlobalMetrics',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'Get the metrics of the platform',
  description:
    'Days are those of the resort. Bookings and money are exact and of everybody. Active people and cohorts are those of people who have consented to analytics, as far back as events are kept.',
  query: Type.Object(periodQuery),
  reply: Type.Object(
    {
      ...periodReply,
      ...sales,
      active: Type.Object(
        { dau: Count, wau: Count, mau: Count },
        { description: 'People who were active on the last day, and in the 7 and 30 days that end with it.' },
      ),
      days: Type.Array(ActiveDay),
      cohorts: Type.Array(Cohort),
    },
    { $id: 'GlobalMetrics' },
  ),
  errors: ['overloaded', 'invalid'],
  reads: [bookingMilestones, revenueLines, configRevisions],
  needs: [revenueLines],
  handle: async ({ query, context }, app) => {
    const { dates, instants } = periodOf(query, await timezoneNow(app), context.at);
    const sold = await salesIn(app, instants);
    const [active, days, cohorts] = await Promise.all([
      app.analytics.activePeople(dates.to),
      app.analytics.activeDays(dates),
      app.analytics.cohorts(dates),
    ]);
    return { ...dates, ...sold, active, days, cohorts };
  },
});

export const metricRoutes = [own, provider, global];
