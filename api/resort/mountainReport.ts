/** What admins, and for snow also sensors, report of the mountain. */
import { Type } from '@sinclair/typebox';
import { report } from '../../commands/resort/mountainReport.ts';
import { correctedBy } from '../../domain/core/deviceClock.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { Avalanche, Notice, Season, Snow, Station, StationKey } from '../../domain/resort/mountainReport.ts';
import { derivedId } from '../../infra/ids.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { Report, resortReports } from '../../projections/resort/mountainReport.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';

const WORKING_DAY = { none: 'the working day on the mountain, which must not wait; corrected as quickly' };

const SENT_AT =
  'When the sensor sent the request, by the clock of `measured_at`: one that is a minute or more wrong is corrected by it.';

const params = Type.Object({ station: StationKey });
const Reply = Type.Object(Report.properties, { $id: 'ResortReport' });

const setStation = route('PUT /api/v1/resort/stations/:station', {
  id: 'setResortStation',
  access: 'admin',
  harm: WORKING_DAY,
  summary: 'Set a station',
  description: 'A place where snow is measured and the weather is asked for. At most 20.',
  params,
  body: snakeSchema(Station),
  reply: Reply,
  errors: ['invalid'],
  projections: [resortReports],
  handle: async ({ params: { station: key }, body, context }, app) =>
    toSnake(await report(app, context, { type: 'SetStation', key, station: toCamel(body) })),
});

const removeStation = route('DELETE /api/v1/resort/stations/:station', {
  id: 'removeResortStation',
  access: 'admin',
  harm: WORKING_DAY,
  summary: 'Remove a station',
  params,
  ...NO_CONTENT,
  projections: [resortReports],
  handle: async ({ params: { station: key }, context }, app) => {
    await report(app, context, { type: 'RemoveStation', key });
    return null;
  },
});

const { depth_cm, new24h_cm, new48h_cm } = snakeSchema(Snow).properties;
const reportSnow = route('PUT /api/v1/resort/stations/:station/snow', {
  id: 'reportSnow',
  access: 'sensor',
  harm: WORKING_DAY,
  summary: 'Report the snow at a station',
  description:
    'By an admin, or by a sensor with an API key of the scope `snow:report`. An older measurement than the last one changes nothing, so it is safe to repeat with its `measured_at` and `sent_at`.',
  params,
  body: Type.Object({
    depth_cm,
    new24h_cm: Type.Optional(new24h_cm),
    new48h_cm: Type.Optional(new48h_cm),
    measured_at: Type.Optional({ ...Instant, description: 'Now by default.' }),
    sent_at: Type.Optional({ ...Instant, description: SENT_AT }),
  }),
  reply: Reply,
  errors: ['not_found', 'invalid'],
  projections: [resortReports],
  handle: async ({ params: { station: key }, body, context }, app) => {
    const { depth_cm: depthCm, new24h_cm: new24hCm = null, new48h_cm: new48hCm = null } = body;
    const measuredAt =
      body.measured_at === undefined ? context.at : correctedBy(body.measured_at, body.sent_at, context.at);
    const snow = { depthCm, new24hCm, new48hCm, measuredAt };
    return toSnake(await report(app, context, { type: 'ReportSnow', key, snow, at: context.at }));
  },
});

const reportAvalanche = route('PUT /api/v1/resort/avalanche', {
  id: 'reportAvalancheDanger',
  access: 'admin',
  harm: 'safety',
  summary: 'Report the avalanche danger',
  body: Type.Object({ danger: Nullable(Type.Object({ ...snakeSchema(Avalanche).properties })) }),
  reply: Reply,
  projections: [resortReports],
  handle: async ({ body: { danger }, context }, app) =>
    toSnake(await report(app, context, { type: 'ReportAvalancheDanger', danger: danger && toCamel(danger) })),
});

const setSeason = route('PUT /api/v1/resort/season', {
  id: 'setResortSeason',
  access: 'admin',
  harm: { none: 'dates that everybody sees, which can be changed back' },
  summary: 'Set the dates of the season',
  body: Type.Object({ season: Nullable(Season) }),
  reply: Reply,
  errors: ['invalid'],
  projections: [resortReports],
  handle: async ({ body: { season }, context }, app) =>
    toSnake(await report(app, context, { type: 'SetSeason', season })),
});

const postNotice = route('POST /api/v1/resort/notices', {
  id: 'postResortNotice',
  access: 'admin',
  harm: WORKING_DAY,
  summary: 'Post a notice for everybody',
  description: 'It is shown from `from` until `until`. At most 50.',
  body: Type.Object({
    ...Type.Partial(Notice).properties,
    severity: Notice.properties.severity,
    text: Notice.properties.text,
  }),
  status: 201,
  reply: Type.Object({ notice_id: Uuid }),
  errors: ['invalid'],
  projections: [resortReports],
  handle: async ({ body: { from = null, until = null, ...body }, context }, app) => {
    const noticeId = derivedId(context.commandId, 'notice');
    await report(app, context, { type: 'PostNotice', noticeId, notice: { ...body, from, until }, at: context.at });
    return { notice_id: noticeId };
  },
});

const removeNotice = route('DELETE /api/v1/resort/notices/:id', {
  id: 'removeResortNotice',
  access: 'admin',
  harm: WORKING_DAY,
  summary: 'Remove a notice',
  params: ById,
  ...NO_CONTENT,
  projections: [resortReports],
  handle: async ({ params: { id: noticeId }, context }, app) => {
    await report(app, context, { type: 'RemoveNotice', noticeId });
    return null;
  },
});

export const reportRoutes = [
  setStation,
  removeStation,
  reportSnow,
  reportAvalanche,
  setSeason,
  postNotice,
  removeNotice,
];
