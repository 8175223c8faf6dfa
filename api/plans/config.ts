/** The configuration of the planner. */
import { type Static, Type } from '@sinclair/typebox';
import { patchPlanConfig, tryPlanConfig } from '../../commands/plans/config.ts';
import { addDays, instantIn, todayIn } from '../../domain/core/dates.ts';
import { Revision } from '../../domain/core/revision.ts';
import { DateOnly, Nullable, OneOf } from '../../domain/core/schema.ts';
import { ChangeReason } from '../../domain/flags/flagRules.ts';
import { PlanConfig } from '../../domain/plans/config.ts';
import { planDay } from '../../domain/plans/plan.ts';
import type { PlanConfigState } from '../../domain/plans/planConfig.ts';
import { patchOf } from '../../domain/platform/mergePatch.ts';
import { difficulties } from '../../domain/resort/slope.ts';
import { listPlanConfigRevisions, planConfigNow, planConfigRevisions } from '../../projections/plans/config.ts';
import type { App } from '../http/app.ts';
import { askedRevisions, tellRevision } from '../http/conditional.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { type Asked, groundFor, planOf } from './request.ts';
import { DayPlan, dayPlan } from './wire.ts';

const WEIGHTS = { none: 'weights of suggestions, which can be changed back' };

const Config = Type.Object(
  { revision: { ...Revision, description: 'Rises with every change.' }, ...PlanConfig.properties },
  { $id: 'PlanConfig' },
);
const shown = ({ revision, config }: PlanConfigState): Static<typeof Config> => ({ revision, ...config });

const CONFIGURATION = { what: 'the configuration' };

const get = route('GET /api/v1/recommendations/config', {
  id: 'getPlanConfig',
  access: 'admin',
  harm: WEIGHTS,
  summary: 'Get the configuration of the planner',
  reply: Config,
  reads: [planConfigRevisions],
  cache: { maxAge: 0, revisionOf: ({ revision }) => revision },
  handle: async (_, app) => shown(await planConfigNow(app)),
});

const { steps: _, depends_on: __, ...summary } = DayPlan.properties;
const Summary = Type.Object({
  ...summary,
  slopes: Type.Array(Type.String(), { description: 'Their names, in order.' }),
});
const Sample = Type.Object(
  {
    date: DateOnly,
    level: OneOf(difficulties),
    has_changed: Type.Boolean({ description: 'Whether the lifts, slopes or times are others.' }),
    before: Nullable(Summary),
    after: Nullable(Summary),
  },
  { $id: 'PlanSample' },
);

const sampledLevels = ['easy', 'intermediate', 'advanced'] as const;
const SEARCHED_DAYS = 7;

/** The next day on which a lift runs, from its first minute; null: none in a week. */
const sampledDay = async (app: App, at: string) => {
  const { timezone } = await groundFor(app, Date.parse(at), at);
  for (let ahead = 1; ahead <= SEARCHED_DAYS; ahead += 1) {
    const date = addDays(todayIn(timezone, at), ahead);
    const start = Date.parse(instantIn(timezone, date, '00:00'));
    const ground = await groundFor(app, start, at);
    if (ground.mountain.lifts.some(({ open }) => open.length > 0)) return { date, start, ground };
  }
  return null;
};

/** Whole days from the lowest lift, without lunch, as they are planned before and after a change. */
const samplesOf = async (
  app: App,
  { before, after }: { before: PlanConfigState; after: PlanConfigState },
  at: string,
): Promise<Static<typeof Sample>[]> => {
  const day = await sampledDay(app, at);
  if (!day) return [];
  const { date, start, ground } = day;
  return sampledLevels.map((level) => {
    const asked: Asked = { start, end: null, level, wishes: [], from: undefined, to: undefined, guests: 1 };
    const planned = ({ config }: PlanConfigState): DayPlan | null => {
      const plan = planOf(ground, asked, config, [], 0);
      const best = plan && planDay(plan.request).best;
      return best && dayPlan(best, { tables: [], guests: 1 });
    };
    const [old, changed] = [planned(before), planned(after)];
    const has_changed = JSON.stringify(old?.steps) !== JSON.stringify(changed?.steps);
    return { date, level, has_changed, before: summaryOf(old), after: summaryOf(changed) };
  });
};
const summaryOf = (plan: DayPlan | null): Static<typeof Summary> | null => {
  if (!plan) return null;
  const { steps, depends_on: _dependsOn, ...rest } = plan;
  return { ...rest, slopes: steps.flatMap((step) => (step.type === 'slope' ? [step.name] : [])) };
};

const patch = route('PATCH /api/v1/recommendations/config', {
  id: 'updatePlanConfig',
  previews: 'PATCH /api/v1/recommendations/config',
  access: 'admin',
  harm: WEIGHTS,
  summary: 'Change the configuration of the planner',
  description:
    'A JSON Merge Patch (RFC 7396): what is left out stays, null goes back to the default. `reason` is no member: it is kept in the history. With `dry_run=true` nothing is changed, and `samples` shows whole days of the next day on which lifts run, as they are planned now and as they would be.',
  ifMatch: CONFIGURATION,
  query: Type.Object({ dry_run: Type.Optional(Type.Boolean({ default: false })) }),
  body: Type.Object(
    { ...patchOf(PlanConfig).properties, reason: Type.Optional(ChangeReason) },
    { $id: 'PlanConfigPatch' },
  ),
  bodyTypes: ['application/merge-patch+json'],
  reply: Type.Object({
    ...Config.properties,
    samples: Nullable(Type.Array(Sample, { description: 'Of a dry run; otherwise null.' })),
  }),
  errors: ['invalid'],
  projections: [planConfigRevisions],
  handle: async ({ query: { dry_run = false }, body: { reason = null, ...merge }, context, request }, app) => {
    const change = { patch: merge, reason, ifRevision: askedRevisions(request) };
    if (dry_run) {
      const tried = await tryPlanConfig(app, change);
      return { ...shown(tried.after), samples: await samplesOf(app, tried, context.at) };
    }
    const state = await patchPlanConfig(app, context, change);
    tellRevision(request, state.revision);
    return { ...shown(state), samples: null };
  },
});

const history = route('GET /api/v1/admin/recommendations/config/revisions', {
  id: 'listPlanConfigRevisions',
  access: 'admin',
  harm: WEIGHTS,
  summary: 'List the revisions of the configuration of the planner',
  description: 'Newest first, each as a whole, with who changed it and why.',
  query: Type.Object(pagingQuery),
  reply: ListOf(Type.Object(planConfigRevisions.row.properties, { $id: 'PlanConfigRevision' })),
  reads: [planConfigRevisions],
  handle: ({ query }, { db }) => paged(query, (paging) => listPlanConfigRevisions(db, paging)),
});

export const configRoutes = [get, patch, history];
