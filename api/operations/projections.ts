/** Operation of the read models: status, rebuild, verification and parked streams. */
import { Type } from '@sinclair/typebox';
import { policyConsumers } from '../../commands/modules.ts';
import { notFound } from '../../domain/core/decider.ts';
import { Count, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { listParked, retryParked } from '../../projections/engine/parked.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { rebuildAll } from '../../projections/engine/rebuild.ts';
import { cancelRun, type Mode, type Run } from '../../projections/engine/rebuildRuns.ts';
import { lag, modelStatus } from '../../projections/engine/status.ts';
import { groups, models } from '../../projections/modules.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';

const SHOWS_STATES = { none: 'shows states and causes, no data' };

const RunLine = Type.Object(
  {
    mode: OneOf(['rebuild', 'verify']),
    status: OneOf(['running', 'cancelling', 'cancelled', 'failed', 'done', 'interrupted']),
    events: Count,
    progress: Type.Number({ minimum: 0, maximum: 1 }),
    started_at: Instant,
    updated_at: Instant,
    detail: Nullable(Type.String()),
  },
  { $id: 'ProjectionRun' },
);
const Model = Type.Object(
  {
    name: Type.String(),
    group: Type.String({
      description: 'The group of read models whose batches go into its table: a consumer of the log.',
      examples: ['read-models:bookings'],
    }),
    version: Count,
    live_version: Type.Integer({ minimum: 0, description: '0 while an outdated read model waits for its rebuild.' }),
    epoch: Count,
    rebuilt_at: Nullable(Instant),
    parked: Count,
    runs: Type.Array(RunLine),
  },
  { $id: 'Projection' },
);
const Lag = Type.Object(
  {
    position: Nullable(
      Type.String({ description: 'What all read models show: the position of the group that is furthest behind.' }),
    ),
    head: Nullable(Type.String()),
    events: Type.Integer({ minimum: 0, description: 'Events that it has not projected, counted up to 1,000.' }),
    seconds: Type.Number({ minimum: 0, description: 'Age of the oldest event that it has not projected, in seconds.' }),
    projector: Nullable(Type.String({ description: 'The process that projects that group.' })),
    consumers: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['read-models:catalog', 'policy:bookings'] }),
        position: Nullable(Type.String()),
        events: Type.Integer({ minimum: 0, description: 'Events that it has not handled, counted up to 1,000.' }),
        seconds: Type.Number({ minimum: 0, description: 'Age of the oldest event that it has not handled.' }),
        holder: Nullable(Type.String({ description: 'The process that runs it.' })),
      }),
      { description: 'Every consumer of the log: each group of read models and each policy.' },
    ),
  },
  { $id: 'ProjectionLag' },
);

const modelOf = (name: string): ReadModel => {
  const found = models.find((model) => model.name === name);
  if (!found) throw notFound('read model');
  return found;
};

const FROM_LOG = { none: 'makes what is read again from the log, which stays as it is' };

const list = route('GET /api/v1/admin/projections', {
  id: 'listProjections',
  access: 'admin',
  harm: SHOWS_STATES,
  summary: 'List read models and their status',
  reply: Type.Object({ lag: Lag, data: Type.Array(Model) }),
  handle: async (_, app) => {
    const { consumers, ...behind } = await lag(app, groups, policyConsumers(app.settings.policyParts));
    return {
      lag: { ...behind, consumers: [...consumers] },
      data: (await modelStatus(app.pool, models)).map(({ runs, ...model }) => ({ ...model, runs: [...runs] })),
    };
  },
});

/**
 * Resolves once the runs have started. They continue in the background, in one pass over the log; the list shows how each
 * ended.
 */
const patient = (app: App): App => ({ ...app, pool: app.patientPool });

const startRuns = (app: App, chosen: readonly ReadModel[], mode: Mode): Promise<readonly Run[]> =>
  new Promise((resolve, reject) => {
    const ended = rebuildAll(patient(app), chosen, { mode, signal: app.stopping, onStart: resolve });
    ended.then((outcomes) => {
      for (const [model, outcome] of outcomes)
        if (outcome instanceof Error) {
          app.log.warn({ err: outcome, model, mode }, 'rebuild ended early');
          reject(outcome); // of no effect unless none could start
        } else app.log.info({ model, mode, ...outcome }, 'rebuild ended');
    }, reject);
  });

/** `all` stands for every read model. */
const modelsOf = (name: string): readonly ReadModel[] => (name === 'all' ? models : [modelOf(name)]);

const Name = Type.Object({ name: Type.String({ maxLength: 100, description: 'A read model, or `all`.' }) });
const Started = Type.Object(
  { name: Type.String(), mode: OneOf(['rebuild', 'verify']), resumed_from: Count },
  { $id: 'StartedProjectionRun' },
);

const starts = (
  key: 'POST /api/v1/admin/projections/:name/rebuild' | 'POST /api/v1/admin/projections/:name/verify',
  mode: Mode,
  summary: string,
  description: string,
) =>
  route(key, {
    id: `${mode}Projection`,
    access: 'admin',
    harm: FROM_LOG,
    summary,
    description,
    params: Name,
    reply: Started,
    status: 202,
    errors: ['not_found', 'conflict'],
    handle: async ({ params }, app) => {
      const runs = await startRuns(app, modelsOf(params.name), mode);
      return { name: params.name, mode, resumed_from: Math.min(...runs.map(({ events }) => events)) };
    },
  });

const startRebuild = starts(
  'POST /api/v1/admin/projections/:name/rebuild',
  'rebuild',
  'Rebuild a read model',
  'Replays the event log into new tables and swaps them in at the end. The live tables serve requests meanwhile. An interrupted rebuild is resumed. `all` rebuilds every read model in one pass over the log; each has a run of its own, and one that fails leaves the others going.',
);
const startVerify = starts(
  'POST /api/v1/admin/projections/:name/verify',
  'verify',
  'Verify a read model',
  'Rebuilds the read model beside the live one and compares them. `detail` of the finished run has the number of different rows. `all` verifies every read model in one pass over the log.',
);

const cancel = route('POST /api/v1/admin/projections/:name/cancel', {
  id: 'cancelProjectionRun',
  access: 'admin',
  harm: FROM_LOG,
  summary: 'Cancel the runs of a read model',
  description: 'The next rebuild resumes where this one stops.',
  params: Name,
  reply: Type.Object({ cancelled: Type.Array(OneOf(['rebuild', 'verify'])) }),
  status: 202,
  errors: ['not_found'],
  handle: async ({ params }, app) => {
    const cancelled = new Set<Mode>();
    for (const { name } of modelsOf(params.name))
      for (const mode of ['rebuild', 'verify'] as const) if (await cancelRun(app.pool, name, mode)) cancelled.add(mode);
    return { cancelled: [...cancelled] };
  },
});

const Parked = Type.Object(
  {
    model: Type.String(),
    stream: Type.String(),
    revision: Type.Integer({
      minimum: 0,
      description: 'Revision of the failed event. Later events of the stream wait.',
    }),
    event_id: Uuid,
    type: Type.String(),
    reason: Type.String(),
    parked_at: Instant,
  },
  { $id: 'ParkedEvent' },
);

const parked = route('GET /api/v1/admin/projections/parked', {
  id: 'listParkedEvents',
  access: 'admin',
  harm: SHOWS_STATES,
  summary: 'List parked events',
  reply: Type.Object({ data: Type.Array(Parked) }),
  handle: async (_, app) => ({ data: await listParked(app.pool) }),
});

const retry = route('POST /api/v1/admin/projections/parked/retry', {
  id: 'retryParkedEvents',
  access: 'admin',
  harm: FROM_LOG,
  summary: 'Retry parked events',
  description: 'Of one read model, of one stream, or all. Events that fail again stay parked with their `reason`.',
  body: Type.Object({
    model: Type.Optional(Type.String({ maxLength: 100 })),
    stream: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  reply: Type.Object({
    data: Type.Array(Type.Object({ model: Type.String(), stream: Type.String(), reason: Nullable(Type.String()) })),
  }),
  errors: ['not_found', 'conflict'],
  handle: async ({ body }, app) => {
    const only = body.model === undefined ? undefined : modelOf(body.model).name;
    const due = (await listParked(app.pool, only)).filter(
      ({ stream }) => body.stream === undefined || stream === body.stream,
    );
    const data = [];
    for (const { model, stream } of due)
      data.push({ model, stream, reason: (await retryParked(patient(app), modelOf(model), stream)) ?? null });
    return { data };
  },
});

export const projectionRoutes = [list, startRebuild, startVerify, cancel, parked, retry];
