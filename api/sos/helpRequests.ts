/** What people in need send. Nothing but an unknown person keeps a request from being recorded, whatever its body is. */
import { type TSchema, Type } from '@sinclair/typebox';
import { type Incident, reportSos, requestSos } from '../../commands/sos/sos.ts';
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
import { sosIncidents } from '../../projections/sos/sosIncidents.ts';
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
  },
  { $id: 'SosReceipt' },
);

const RequestReceipt = Type.Object(
  {
    ...Receipt.properties,
    ignored: Type.Array(Type.String(), {
      description:
        'Pointers of what the request for help does not have, because it could not be understood: `/body/lat`; `/body` is all of it. Send it again.',
    }),
  },
  { $id: 'SosRequestReceipt' },
);

const receipt = ({ incidentId: id, status }: Incident, app: App) => ({
  id,
  status,
  rescue_phone: lastRescuePhone(app),
});
const onProblem = (app: App) => ({ rescue_phone: lastRescuePhone(app) });

type Sent<T> = { readonly [K in keyof T]?: T[K] | null };
/** A position, if both of its coordinates are known; with the time of the request where it has none. */
const positionOf = (
  sent: Sent<Omit<SosPosition, 'at'>> & { at?: string },
  { sentAt, now }: { sentAt?: string | undefined; now: string },
): SosPosition[] => {
  const { lat, lon, accuracy } = sent;
  if (typeof lat !== 'number' || typeof lon !== 'number') return [];
  const at = sent.at === undefined ? now : wasThereAt(sent.at, sentAt, now);
  return [{ lat, lon, accuracy: accuracy ?? null, at }];
};

const messageOf = (text: string | null | undefined): string | null =>
  text?.trim() ? beginningOf(text.trim(), MESSAGE_LENGTH) : null;

const request = route('POST /api/v1/sos/request', {
  id: 'requestSos',
  ignoresKey: 'a repeat adds to the incident that is active',
  access: 'emergency',
  openQuery: 'A call for help is never refused for something beside it.',
  summary: 'Ask for help',
  description:
    'Alerts the rescuers. Every field may be missing: positions can follow. A repeated request adds to the incident that is active, and tells the rescuers again unless they were told or have answered minutes ago. It is never limited, and an access token is accepted for a day after it has expired. Whatever is wrong with the body, help is asked for without what cannot be understood, and `ignored` names it. Every problem has a `rescue_phone`. 503 `sos_delayed`: the request is kept and is delivered later.',
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
  reply: RequestReceipt,
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
    const { incident, isNew } = await requestSos(app, context, caller.id, report, lastRescuePhone(app));
    const reply = { ...receipt(incident, app), ignored: [...ignored] };
    return isNew ? reply : withStatus(200, reply);
  },
});

const positions = route('POST /api/v1/sos/:id/positions', {
  id: 'sendSosPositions',
  ignoresKey: 'a position that is sent again changes nothing',
  access: 'emergency',
  openQuery: 'A call for help is never refused for something beside it.',
  rate: 'position',
  summary: 'Send positions after an SOS request',
  description:
    'In any order; `at` is when the device was there, now by default. Send `sent_at` too: rescuers are shown the newest position, which a wrong clock would hide. 409 `invalid_transition`: the incident has ended, so that no more positions are needed.',
  params: ById,
  body: Type.Object(
    {
      positions: Type.Array(Type.Object({ ...position, at: Type.Optional(Instant) }, { additionalProperties: true }), {
        minItems: 1,
        maxItems: 100,
      }),
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
  handle: async ({ params: { id: incidentId }, body, caller, context }, app) => {
    const times = { sentAt: body.sent_at, now: context.at };
    const sent = body.positions.flatMap((one) => positionOf(one, times));
    const report = { positions: sent, battery: body.battery ?? null, message: null };
    return receipt(await reportSos(app, context, { personId: caller.id, incidentId, report }), app);
  },
});

export const helpRoutes = [request, positions];
