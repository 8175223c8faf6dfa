/** What people in need send. Nothing but an unknown person keeps a request from being recorded, whatever its body is. */
import { type TSchema, Type } from '@sinclair/typebox';
import { type Incident, reportSos, requestSos, type ShownIncident } from '../../commands/sos/sos.ts';
import { Instant, Nullable, OneOf } from '../../domain/core/schema.ts';
import { beginningOf } from '../../domain/core/storable.ts';
import {
  Battery,
  MESSAGE_LENGTH,
  SosPosition,
  type SosReport,
  sosStatuses,
  wasThereAt,
} from '../../domain/sos/incident.ts';
import { lastRescuePhone } from '../../projections/platform/config.ts';
import { incidentById, listIncidents, sosIncidents } from '../../projections/sos/sosIncidents.ts';
import type { App } from '../http/app.ts';
import { ById, route, withStatus } from '../http/route.ts';

/** Absent, null or left out because it does not fit: then it is not known. */
const Maybe = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional({ ...Nullable(schema), description });

const measures = SosPosition.properties;
const position = {
  lat: Maybe(measures.lat, 'Degrees.'),
  lon: Maybe(measures.lon, 'Degrees.'),
  accuracy: Type.Optional({ ...measures.accuracy, description: 'Metres.' }),
};
const battery = Maybe(Battery, 'Percent.');

const Receipt = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Of the incident, to which a repeated request adds.' }),
    status: OneOf(sosStatuses),
    rescue_phone: Type.String({ description: 'Call it, too.' }),
    ignored: Type.Array(Type.String(), {
      description:
        'Pointers of what is not used of the body, because it could not be understood, is not known or too long: `/body/lat`; `/body` is all of it. Correct it and send it again.',
    }),
  },
  { $id: 'SosReceipt' },
);

const receipt = ({ incidentId: id, status }: Pick<Incident, 'incidentId' | 'status'>, app: App, ignored: Ignored) => ({
  id,
  status,
  rescue_phone: lastRescuePhone(app),
  ignored: [...new Set(ignored)],
});
type Ignored = readonly string[];
const onProblem = (app: App) => ({ rescue_phone: lastRescuePhone(app) });

type Sent<T> = { readonly [K in keyof T]?: T[K] | null };
type SentPosition = Sent<Omit<SosPosition, 'at'>> & { readonly at?: string };

/** A position, if both of its coordinates are known; with the time of the request where it has none. */
const positionOf = (
  { lat, lon, accuracy, at }: SentPosition,
  { sentAt, now }: { sentAt?: string | undefined; now: string },
): SosPosition[] => {
  if (typeof lat !== 'number' || typeof lon !== 'number') return [];
  return [{ lat, lon, accuracy: accuracy ?? null, at: at === undefined ? now : wasThereAt(at, sentAt, now) }];
};

/** Pointers of what was sent of a position that has only one of its coordinates, or none. */
const unusedOf = ({ lat, lon, accuracy, at }: SentPosition, pointer: string): string[] => {
  if (typeof lat === 'number' && typeof lon === 'number') return [];
  const sent = Object.entries({ lat, lon, accuracy, at }).filter(([, value]) => (value ?? null) !== null);
  return sent.map(([name]) => `${pointer}/${name}`);
};

const messageOf = (text: string | null | undefined): string | null =>
  text?.trim() ? beginningOf(text.trim(), MESSAGE_LENGTH) : null;

/** So long an alarm waits for its body, in milliseconds. */
const ALARM_WITHIN_MS = 3_000;

const newestShown = async (app: App, accountId: string): Promise<ShownIncident> => {
  const { rows } = await listIncidents(app.db, { accountId, page: 1, perPage: 1 });
  return rows[0] ?? null;
};

const request = route('POST /api/v1/sos/request', {
  id: 'requestSos',
  ignoresKey: 'a repeat adds to the incident that is active',
  access: 'emergency',
  openQuery: 'A call for help is never refused for something beside it.',
  summary: 'Ask for help',
  description:
    'Alerts the rescuers. Every field may be missing: positions can follow. A repeated request adds to the incident that is active, and tells the rescuers again unless they were told or have answered minutes ago. It is never limited, and an access token is accepted for a day after it has expired. Whatever is wrong with the body, help is asked for without what cannot be understood, and `ignored` names it. Every problem has a `rescue_phone`. 503 `sos_delayed`: the request is kept and is delivered later; `incident_id` is the incident to which positions can be sent.',
  body: Type.Object(
    {
      ...position,
      battery,
      message: Type.Optional(
        Type.Union([Type.String(), Type.Null()], { description: `The first ${MESSAGE_LENGTH} characters are kept.` }),
      ),
    },
    { $id: 'SosRequest', additionalProperties: true },
  ),
  bodyWithinMs: ALARM_WITHIN_MS,
  reply: Receipt,
  status: 201,
  alternatives: { 200: { description: 'Added to the incident that is active.' } },
  errors: ['sos_delayed', 'sos_failed'],
  projections: [sosIncidents],
  onProblem,
  handle: async ({ body, caller, context, request: { ignored } }, app) => {
    const report: SosReport = {
      positions: positionOf(body, { now: context.at }),
      battery: body.battery ?? null,
      message: messageOf(body.message),
    };
    const { incident, isNew } = await requestSos(app, context, {
      personId: caller.id,
      report,
      shownIncident: () => newestShown(app, caller.id),
      rescuePhone: lastRescuePhone(app),
    });
    const isCut = report.message !== null && report.message !== body.message?.trim();
    const unused = [...unusedOf(body, '/body'), ...(isCut ? ['/body/message'] : [])];
    const reply = receipt(incident, app, [...ignored, ...unused]);
    return isNew ? reply : withStatus(200, reply);
  },
});

const positions = route('POST /api/v1/sos/:id/positions', {
  id: 'sendSosPositions',
  ignoresKey: 'a position that is sent again changes nothing',
  access: 'emergency',
  openQuery: 'A call for help is never refused for something beside it.',
  summary: 'Send positions after an SOS request',
  description:
    'In any order; `at` is when the device was there, now by default. Send `sent_at` too: rescuers are shown the newest position, which a wrong clock would hide. Never limited, and what cannot be understood is left out and named in `ignored`. They are added to the active incident of the person, whichever one the address names. 202: kept, and added as soon as the event store takes it. 409 `invalid_transition`: the incident has ended, so that no more positions are needed.',
  params: ById,
  body: Type.Object(
    {
      positions: Type.Optional(
        Type.Array(Type.Object({ ...position, at: Type.Optional(Instant) }, { additionalProperties: true }), {
          description: 'As many as a body of 16 KiB holds.',
        }),
      ),
      battery,
      sent_at: Type.Optional({
        ...Instant,
        description:
          'When this request was sent, by the clock of the device: a clock that is more than a minute wrong is corrected by it.',
      }),
    },
    { $id: 'SosPositions', additionalProperties: true },
  ),
  reply: Receipt,
  errors: ['not_found', 'invalid_transition'],
  projections: [sosIncidents],
  onProblem,
  alternatives: { 202: { description: 'Kept, and added as soon as the event store takes it.' } },
  handle: async ({ params: { id: incidentId }, body, caller, context, request: { ignored } }, app) => {
    const times = { sentAt: body.sent_at, now: context.at };
    const sent = body.positions ?? [];
    const report = {
      positions: sent.flatMap((one) => positionOf(one, times)),
      battery: body.battery ?? null,
      message: null,
    };
    const unused = sent.flatMap((one, n) => unusedOf(one, `/body/positions/${n}`));
    const incident = await reportSos(app, context, { personId: caller.id, incidentId, report });
    if (incident) return receipt(incident, app, [...ignored, ...unused]);
    const { status = 'new' } = (await incidentById(app.db, incidentId).catch(() => undefined)) ?? {};
    return withStatus(202, receipt({ incidentId, status }, app, [...ignored, ...unused]));
  },
});

export const helpRoutes = [request, positions];
