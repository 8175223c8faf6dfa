/** What the caller wants to reach, and how far it is. */
import { type Static, Type } from '@sinclair/typebox';
import { removeTarget, setTarget } from '../../commands/tracking/reportedDays.ts';
import { todayIn } from '../../domain/core/dates.ts';
import { DateOnly, Uuid } from '../../domain/core/schema.ts';
import { periodOf } from '../../domain/tracking/periods.ts';
import { progressPct, Target } from '../../domain/tracking/target.ts';
import { pageFrom } from '../../infra/paging.ts';
import { configRevisions, timezoneNow } from '../../projections/platform/config.ts';
import { reportedDays } from '../../projections/tracking/reportedDays.ts';
import { trackingSessions } from '../../projections/tracking/sessions.ts';
import { type Day, daysOf, sumOf } from '../../projections/tracking/stats.ts';
import { targetsOf, trackingTargetModel } from '../../projections/tracking/targets.ts';
import type { App } from '../http/app.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';

const TargetWithProgress = Type.Object(
  {
    id: Uuid,
    ...Target.properties,
    starts_on: { ...DateOnly, description: 'First day of the current week or season.' },
    ends_on: DateOnly,
    reached: Type.Integer({ minimum: 0, description: 'In the unit of `value`, in the current period.' }),
    progress_pct: Type.Integer({ minimum: 0, maximum: 100, description: 'Rounded down: 100 is reached.' }),
  },
  { $id: 'TrackingTarget' },
);

const metricOf = {
  vertical: 'vertical_m',
  distance: 'distance_m',
  runs: 'runs',
  days: 'days',
} as const satisfies Record<Target['metric'], keyof ReturnType<typeof sumOf>>;

const withProgress = (
  target: Target & { readonly id: string },
  days: readonly Day[],
  { today, seasonBegins }: { readonly today: string; readonly seasonBegins: string },
): Static<typeof TargetWithProgress> => {
  const { startsOn, endsOn } = periodOf(target.period, today, seasonBegins);
  const reached = sumOf(days.filter(({ day }) => day >= startsOn && day <= endsOn))[metricOf[target.metric]];
  return { ...target, starts_on: startsOn, ends_on: endsOn, reached, progress_pct: progressPct(target, reached) };
};

/** The progress of an account with its targets at a time. Sessions of today that are still open do not count yet. */
const progressAt = async (
  app: App,
  accountId: string,
  at: string,
): Promise<(target: Target & { readonly id: string }) => Static<typeof TargetWithProgress>> => {
  const { resortSeasonBegins: seasonBegins } = app.settings;
  const today = todayIn(await timezoneNow(app), at);
  // The current week may have begun before the season.
  const [from = today] = (['week', 'season'] as const)
    .map((kind) => periodOf(kind, today, seasonBegins).startsOn)
    .toSorted();
  const days = await daysOf(app.db, accountId, { from });
  return (target) => withProgress(target, days, { today, seasonBegins });
};

const set = route('POST /api/v1/tracking/targets', {
  id: 'setTrackingTarget',
  access: 'user',
  summary: 'Set a target for the week or the season',
  description:
    'One for each metric and period: a second one replaces the first. Days that a device reported count, too.',
  body: Type.Object(Target.properties, { $id: 'NewTrackingTarget' }),
  reply: TargetWithProgress,
  status: 201,
  projections: [trackingTargetModel],
  handle: async ({ body, caller, context }, app) => {
    const id = await setTarget(app, context, caller.id, body);
    return (await progressAt(app, caller.id, context.at))({ id, ...body });
  },
});

const list = route('GET /api/v1/tracking/targets', {
  id: 'listTrackingTargets',
  access: 'user',
  summary: 'List own targets with their progress',
  query: Type.Object(pagingQuery),
  reply: ListOf(TargetWithProgress),
  reads: [trackingTargetModel, trackingSessions, reportedDays, configRevisions],
  handle: async ({ query, caller, context }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = pageFrom(await targetsOf(app.db, caller.id), paging);
    const show = await progressAt(app, caller.id, context.at);
    return listOf({ rows: rows.map(({ account_id: _, ...target }) => show(target)), total }, paging);
  },
});

const remove = route('DELETE /api/v1/tracking/targets/:id', {
  id: 'removeTrackingTarget',
  access: 'user',
  summary: 'Remove your target',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: [trackingTargetModel],
  handle: async ({ params, caller, context }, app) => {
    await removeTarget(app, context, caller.id, params.id);
    return null;
  },
});

export const targetRoutes = [set, list, remove];
