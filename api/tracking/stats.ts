/** What the caller has done by day, week and season, and days that a device has counted itself. */
import { Type } from '@sinclair/typebox';
import { reportDay } from '../../commands/tracking/reportedDays.ts';
import { Count, DateOnly, OneOf } from '../../domain/core/schema.ts';
import { periodKinds } from '../../domain/tracking/periods.ts';
import { MOST_A_DAY } from '../../domain/tracking/plausibility.ts';
import { toCamel, toSnake } from '../../infra/naming.ts';
import { pageFrom } from '../../infra/paging.ts';
import { reportedDays } from '../../projections/tracking/reportedDays.ts';
import { trackingSessions } from '../../projections/tracking/sessions.ts';
import { daysOf, sumsByPeriod, Totals } from '../../projections/tracking/stats.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';

const verified = Type.Boolean({
  description: '`false`: at least one day was counted by a device, without points to check it by.',
});
const Stats = Type.Object(
  { starts_on: DateOnly, ends_on: DateOnly, days: Count, sessions: Count, verified, ...Totals.properties },
  { $id: 'TrackingStats' },
);

const list = route('GET /api/v1/tracking/stats', {
  id: 'getTrackingStats',
  access: 'user',
  summary: 'Get own statistics by day, week or season',
  description:
    'The newest period first; periods without a day are left out. Days are those of the resort, weeks begin on Monday. A day is what its finished sessions come to; what a device reported counts only on days without sessions.',
  query: Type.Object({
    ...pagingQuery,
    period: Type.Optional(OneOf(periodKinds, { default: 'day' })),
    from: Type.Optional({ ...DateOnly, description: 'First day, included.' }),
    to: Type.Optional({ ...DateOnly, description: 'Last day, included.' }),
  }),
  reply: ListOf(Stats),
  reads: [trackingSessions, reportedDays],
  handle: async ({ query, caller }, app) => {
    const paging = pagingOf(query);
    const days = await daysOf(app.db, caller.id, query);
    const all = sumsByPeriod(days, query.period ?? 'day', app.settings.resortSeasonBegins);
    const { rows, total } = pageFrom(all, paging);
    const shown = rows.map(({ startsOn, endsOn, ...sum }) => ({ starts_on: startsOn, ends_on: endsOn, ...sum }));
    return listOf({ rows: shown, total }, paging);
  },
});

const fields = Totals.properties;
const most = toSnake(MOST_A_DAY);
const bounded = <N extends keyof typeof fields>(name: N): (typeof fields)[N] => ({
  ...fields[name],
  maximum: most[name],
});

const report = route('POST /api/v1/tracking/stats', {
  id: 'reportTrackingDay',
  access: 'user',
  summary: 'Report a day that a device has counted itself',
  description:
    'For devices without points. Such a day is not verified and never part of a leaderboard. Again for the same day, it replaces what was reported. A day can be reported for 30 days.',
  body: Type.Object(
    {
      day: { ...DateOnly, description: 'At the resort.' },
      distance_m: bounded('distance_m'),
      vertical_m: bounded('vertical_m'),
      runs: bounded('runs'),
      lifts: Type.Optional(bounded('lifts')),
      ascent_m: Type.Optional(bounded('ascent_m')),
      moving_s: Type.Optional(bounded('moving_s')),
      max_speed_kmh: Type.Optional(bounded('max_speed_kmh')),
    },
    { $id: 'NewTrackingDay' },
  ),
  reply: Type.Object({ day: DateOnly, verified, ...fields }, { $id: 'ReportedTrackingDay' }),
  status: 201,
  errors: ['invalid'],
  projections: [reportedDays],
  handle: async ({ body: { day, ...counted }, caller, context }, app) => {
    const totals = { ascentM: 0, lifts: 0, movingS: 0, maxSpeedKmh: 0, ...toCamel(counted) };
    await reportDay(app, context, caller.id, { day, totals });
    return { day, verified: false, ...toSnake(totals) };
  },
});

export const statsRoutes = [list, report];
