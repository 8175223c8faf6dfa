/** What people in need send. Nothing but an unknown person keeps a request from being recorded, whatever its body is. */
import { Type } from '@sinclair/typebox';
import { type Incident, reportSos, requestSos } from '../../commands/sos/sos.ts';
import { Instant, Nullable, OneOf } from '../../domain/core/schema.ts';
import {
  MESSAGE_LENGTH,
  type SosPosition,
  type SosReport,
  sosStatuses,
  wasThereAt,
} from '../../domain/sos/incident.ts';
import { lastRescuePhone } from '../../projections/platform/config.ts';
import { sosIncidents } from '../../projections/sos/sosIncidents.ts';
import type { App } from '../http/app.ts';
import { ById, route, withStatus } from '../http/route.ts';

/** Absent, null or out of range: then it counts as not known, and the request is not refused for it. */
const MaybeNumber = (description: string) => Type.Optional({ ...Nullable(Type.Number()), description });

const position = {
  lat: MaybeNumber('Degrees.'),
  lon: MaybeNumber('Degrees.'),
  accuracy: MaybeNumber('Metres.'),
};
const battery = MaybeNumber('Percent.');

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
const RANGES = {
  lat: [-90, 90],
  lon: [-180, 180],
  accuracy: [0, Number.MAX_SAFE_INTEGER],
  battery: [0, 100],
} as const;
type Measure = keyof typeof RANGES;
const measured = (name: Measure, value: number | null | undefined): number | null => {
  const [least, most] = RANGES[name];
  return typeof value === 'number' && value >= least && value <= most ? value : null;
};

/** Pointers of the numbers that make no sense. */
const senseless = (sent: { readonly [M in Measure]?: number | null }): string[] =>
  (Object.keys(RANGES) as Measure[])
    .filter((name) => typeof sent[name] === 'number' && measured(name, sent[name]) === null)
    .map((name) => `/body/${name}`);

/** A position that makes sense, with the time of the request where it has none. */
const positionOf = (
  sent: Sent<Omit<SosPosition, 'at'>> & { at?: string },
  { sentAt, now }: { sentAt?: string | undefined; now: string },
): SosPosition[] => {
  const [lat, lon] = [measured('lat', sent.lat), measured('lon', sent.lon)];
  if (lat === null || lon === null) return [];
  const at = sent.at === undefined ? now : wasThereAt(sent.at, sentAt, now);
  return [{ lat, lon, accuracy: measured('accuracy', sent.accuracy), at }];
};

const messageOf = (text: string | null | undefined): string | null =>
  // A cut must not leave half of a character.
  text?.trim() ? text.trim().slice(0, MESSAGE_LENGTH).toWellFormed() : null;

const request = route('POST /api/v1/sos/request', {
  id: 'requestSos',
  access: 'emergency',
  summary: 'Ask for help',
  description:
    'Alerts the rescuers. Every field may be missing: positions can follow. A repeated request adds to the incident that is active. It is never limited, and an access token is accepted for a day after it has expired. Whatever is wrong with the body, help is asked for without what cannot be understood, and `ignored` names it. Every problem has a `rescue_phone`. 503 `sos_delayed`: the request is kept and is delivered later.',
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
      battery: measured('battery', body.battery),
      message: messageOf(body.message),
    };
    const { incident, isNew } = await requestSos(app, context, caller.id, report, lastRescuePhone(app));
    const reply = { ...receipt(incident, app), ignored: [...ignored, ...senseless(body)] };
    return isNew ? reply : withStatus(200, reply);
  },
});

const positions = route('POST /api/v1/sos/:id/positions', {
  id: 'sendSosPositions',
  access: 'emergency',
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
    const report = { positions: sent, battery: measured('battery', body.battery), message: null };
    return receipt(await reportSos(app, context, { personId: caller.id, incidentId, report }), app);
  },
});

export const helpRoutes = [request, positions];
