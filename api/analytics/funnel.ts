/** How far people get: a funnel of events in their order. */
import { Type } from '@sinclair/typebox';
import type { FunnelGroup, FunnelQuery } from '../../commands/analytics/store.ts';
import { DAY_S } from '../../domain/core/instants.ts';
import { rounded, share } from '../../domain/core/numbers.ts';
import { Nullable, OneOf } from '../../domain/core/schema.ts';
import { configRevisions, timezoneNow } from '../../projections/platform/config.ts';
import { refuseQuery } from '../http/errors.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { route } from '../http/route.ts';
import { periodOf, periodQuery, periodReply } from './period.ts';

const MIN_STEPS = 2;
const MAX_STEPS = 8;
const NAME = '[a-z][a-z0-9_.:/-]{0,63}';

const Query = Type.Object({
  ...periodQuery,
  steps: Type.String({
    pattern: `^${NAME}(,${NAME}){${MIN_STEPS - 1},${MAX_STEPS - 1}}$`,
    description: `Names of events, comma-separated, ${MIN_STEPS} to ${MAX_STEPS} different ones.`,
    examples: ['hotel_list,hotel_card,booked,paid'],
  }),
  window: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 30 * DAY_S,
      default: DAY_S,
      description: 'Seconds from the first step in which the others have to follow.',
    }),
  ),
  mode: Type.Optional(
    OneOf(['once', 'any'] as const, {
      default: 'once',
      description: '`once`: each person counts once, by the attempt that got farthest. `any`: all attempts count.',
    }),
  ),
  group_by: Type.Optional(
    Type.String({
      pattern: '^(kind|properties\\.[\\w.-]{1,64})$',
      description: 'Of the first step: its `kind`, or a property (`properties.<name>`).',
      examples: ['properties.source'],
    }),
  ),
});

const Group = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
  description:
    'The value as it was sent: the number 3 and the text "3" are two groups. A text is cut after 100 characters; a list or an object is its JSON text. null: not grouped, or the first step has no such property.',
});
const Step = Type.Object(
  {
    step: Type.String(),
    count: Type.Integer({ minimum: 0 }),
    conversion: Nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Share of the first step.' })),
    median_s: Nullable(Type.Number({ description: 'Seconds from the step before.' })),
  },
  { $id: 'FunnelStep' },
);

const groupByOf = (text: string | undefined): FunnelQuery['groupBy'] => {
  if (text === undefined) return undefined;
  return text === 'kind' ? { by: 'kind' } : { by: 'property', name: text.slice('properties.'.length) };
};

const stepsOf = (text: string): string[] => {
  const steps = text.split(',');
  if (new Set(steps).size < steps.length) refuseQuery('steps', 'uniqueItems', 'must be different names');
  return steps;
};

const shown = (names: readonly string[], { group, steps }: FunnelGroup) => {
  const began = steps[0]?.count ?? 0;
  return {
    group,
    steps: steps.map(({ count, medianS }, n) => ({
      step: names[n] ?? '',
      count,
      conversion: share(count, began),
      median_s: rounded(medianS, 1),
    })),
  };
};

const funnel = route('GET /api/v1/metrics/funnel', {
  id: 'getFunnel',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'Get a funnel of events',
  description:
    'Attempts that began in the period. An attempt is a first step and the others after it in their order, within the window; anything may happen between them. A step belongs to the attempt that began last of those that have reached the step before it. Steps at the same instant are taken in the order of `steps`, whenever they arrived. Only people who have consented to analytics are counted. The largest groups come first, at most 100.',
  query: Query,
  reply: Type.Object(
    {
      ...periodReply,
      groups: Type.Array(
        Type.Object({
          group: Group,
          steps: Type.Array(Step),
        }),
      ),
    },
    { $id: 'Funnel' },
  ),
  errors: ['overloaded', 'invalid'],
  reads: [configRevisions],
  handle: async ({ query, context }, app) => {
    const { dates, instants } = periodOf(query, await timezoneNow(app), context.at);
    const steps = stepsOf(query.steps);
    const { window: windowS = DAY_S, mode = 'once', group_by } = query;
    const { from, to } = instants;
    const groups = await app.analytics.funnel({ steps, windowS, from, to, mode, groupBy: groupByOf(group_by) });
    return { ...dates, groups: groups.map((group) => shown(steps, group)) };
  },
});

export const funnelRoutes = [funnel];
