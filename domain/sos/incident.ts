/**
 * A person in need. All requests of one account are one stream, `sos-<account>`, so that there is one active incident: who
 * asks again, on any device, adds to it.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Outdated, Rejected } from '../core/decider.ts';
import { clockSkew } from '../core/deviceClock.ts';
import { addMs, instantOf, MINUTE_MS, msBetween } from '../core/instants.ts';
import { Instant, Nullable, Personal, PersonalValue, Uuid } from '../core/schema.ts';

/** Where somebody was. */
export const SosPosition = Type.Object({
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lon: Type.Number({ minimum: -180, maximum: 180 }),
  /** In metres. */
  accuracy: Nullable(Type.Number({ minimum: 0 })),
  at: Instant,
});
export type SosPosition = Static<typeof SosPosition>;

/** In percent. */
export const Battery = Type.Number({ minimum: 0, maximum: 100 });
export const MESSAGE_LENGTH = 1_000;

/**
 * When a device was there by our clock, RFC 3339: not later than now.
 * @param at by the clock of the device
 * @param sentAt by the same clock, when the request was sent; undefined: that clock is taken to be right
 * @param now by our clock, when the request came
 */
export const wasThereAt = (at: string, sentAt: string | undefined, now: string): string => {
  const corrected = Date.parse(at) + clockSkew(sentAt === undefined ? null : Date.parse(sentAt), Date.parse(now));
  return instantOf(Math.max(0, Math.min(corrected, Date.parse(now))));
};

const incidentId = Uuid;
/** Until then, whoever asks again with nothing new only repeats what rescuers have just been told. Older events have none. */
const quietUntil = Type.Optional(Instant);
const personal = {
  battery: PersonalValue(Battery),
  message: Nullable(Personal(Type.String({ maxLength: MESSAGE_LENGTH }))),
};

export const sosStatuses = ['new', 'acknowledged', 'dispatched', 'resolved', 'false_alarm'] as const;
export type SosStatus = (typeof sosStatuses)[number];

const sosEvents = {
  SosRequested: {
    data: Type.Object({ incidentId, position: PersonalValue(SosPosition), ...personal, quietUntil }),
    person: 'stream',
  },
  /** What came after the request: positions, or another request. */
  SosReported: {
    data: Type.Object({ incidentId, positions: PersonalValue(Type.Array(SosPosition)), ...personal }),
    person: 'stream',
  },
  /** The person still waits for help: rescuers are told again. What was new in the request is in `SosReported`. */
  SosRequestedAgain: { data: Type.Object({ incidentId, quietUntil: Instant }) },
  /** These accounts were told, because nobody had answered. `level` 1: the first time. */
  SosEscalated: { data: Type.Object({ incidentId, level: Type.Integer({ minimum: 1 }), notified: Type.Array(Uuid) }) },
  SosAcknowledged: { data: Type.Object({ incidentId, quietUntil }) },
  SosDispatched: { data: Type.Object({ incidentId, quietUntil }) },
  SosResolved: { data: Type.Object({ incidentId }) },
  SosFalseAlarmFound: { data: Type.Object({ incidentId }) },
} as const satisfies EventDeclarations;
export type SosEvent = EventsOf<typeof sosEvents>;

/** What a device says of itself. */
export interface SosReport {
  readonly positions: readonly SosPosition[];
  readonly battery: number | null;
  readonly message: string | null;
}

export type SosCommand =
  | ({ readonly type: 'RequestSos'; readonly incidentId: string; readonly at: string } & SosReport)
  | ({ readonly type: 'ReportSos'; readonly incidentId: string } & SosReport)
  | {
      readonly type: 'EscalateSos';
      readonly incidentId: string;
      readonly level: number;
      readonly notified: readonly string[];
    }
  | { readonly type: SosStep; readonly incidentId: string; readonly at: string };

export type SosStep = 'AcknowledgeSos' | 'DispatchSos' | 'ResolveSos' | 'FindFalseAlarm';

/** The newest incident of a person; null before the first. */
export type Sos = {
  readonly incidentId: string;
  readonly status: SosStatus;
  /** How often others were told because nobody answered. */
  readonly level: number;
  /** How often something was added to it. */
  readonly reports: number;
  /** When the device was at the newest position, RFC 3339; null: there is none. */
  readonly positionAt: string | null;
  /** The last that the device said: it repeats itself. */
  readonly battery: number | null;
  readonly message: string | null;
  /** Until when it tells nobody to ask again; null: it is not known. */
  readonly quietUntil: string | null;
} | null;
type Incident = NonNullable<Sos>;

/**
 * After this many, which are hours of positions or a device that has gone wild, only one position a minute is recorded.
 */
export const MOST_REPORTS = 2_000;
const RARELY_MS = MINUTE_MS;

/** After each of them, asking again tells nobody for so long, in milliseconds. */
const QUIET_MS = { requested: MINUTE_MS, requestedAgain: 5 * MINUTE_MS, answered: 10 * MINUTE_MS };

export const isActive = ({ status }: Pick<Incident, 'status'>): boolean =>
  status !== 'resolved' && status !== 'false_alarm';

const newestAt = (positions: readonly Pick<SosPosition, 'at'>[]): string | null =>
  positions.reduce<string | null>((newest, { at }) => (newest === null || newest < at ? at : newest), null);

/** Whether somebody could lose the trace of the person without this report. */
const counts = ({ reports, positionAt }: Incident, positions: readonly SosPosition[]): boolean => {
  if (reports < MOST_REPORTS) return true;
  const at = newestAt(positions);
  return at !== null && (positionAt === null || msBetween(positionAt, at) >= RARELY_MS);
};

const reported = (incident: Incident, { positions: sent, ...said }: SosReport): SosEvent[] => {
  const positions = sent.filter(({ at }) => at !== incident.positionAt);
  const battery = said.battery === incident.battery ? null : said.battery;
  const message = said.message === incident.message ? null : said.message;
  const isNothing = positions.length === 0 && battery === null && message === null;
  if (isNothing || !counts(incident, positions)) return [];
  const data = {
    incidentId: incident.incidentId,
    positions: positions.length > 0 ? positions : null,
    battery,
    message,
  };
  return [{ type: 'SosReported', data }];
};

/** Who asks again still waits for help, whatever rescuers did long ago: nothing ends an incident by itself. */
const again = ({ incidentId, quietUntil }: Incident, at: string): SosEvent[] => {
  if (quietUntil !== null && msBetween(at, quietUntil) > 0) return [];
  return [{ type: 'SosRequestedAgain', data: { incidentId, quietUntil: addMs(at, QUIET_MS.requestedAgain) } }];
};

const request = (command: Extract<SosCommand, { type: 'RequestSos' }>, state: Sos): SosEvent[] => {
  const { incidentId, positions, battery, message, at } = command;
  if (state && isActive(state)) return [...reported(state, command), ...again(state, at)];
  if (state?.incidentId === incidentId) throw new Outdated();
  const quietUntil = addMs(at, QUIET_MS.requested);
  return [
    { type: 'SosRequested', data: { incidentId, position: positions.at(-1) ?? null, battery, message, quietUntil } },
  ];
};

/**
 * What a device adds goes to the active incident of its person, whichever one it names: it may have been told of one that
 * another device had begun by then.
 * @throws Rejected `not_found`, `invalid_transition`
 */
const reportedTo = (state: Sos, id: string): Incident => {
  if (state && isActive(state)) return state;
  throw ended(named(state, id));
};

/** @throws Rejected `not_found` */
const named = (state: Sos, id: string): Incident => {
  if (state?.incidentId !== id)
    throw new Rejected('not_found', 'This SOS request does not exist, or a newer one has taken its place.');
  return state;
};

/** What each step leads to, and from which states. A step that is no longer needed has no effect. */
const steps: Readonly<Record<SosStep, { to: SosStatus; from: readonly SosStatus[]; event: SosEvent['type'] }>> = {
  AcknowledgeSos: { to: 'acknowledged', from: ['new'], event: 'SosAcknowledged' },
  DispatchSos: { to: 'dispatched', from: ['new', 'acknowledged'], event: 'SosDispatched' },
  ResolveSos: { to: 'resolved', from: ['new', 'acknowledged', 'dispatched'], event: 'SosResolved' },
  FindFalseAlarm: { to: 'false_alarm', from: ['new', 'acknowledged', 'dispatched'], event: 'SosFalseAlarmFound' },
};

const ended = ({ status }: Incident) =>
  new Rejected('invalid_transition', `This SOS request has ended: it has the status ${status}.`, { status });

const step = ({ type, incidentId, at }: Extract<SosCommand, { type: SosStep }>, state: Sos): SosEvent[] => {
  const incident = named(state, incidentId);
  const { to, from, event } = steps[type];
  if (incident.status === to) return [];
  if (from.includes(incident.status)) {
    const quiet = isActive({ status: to }) && { quietUntil: addMs(at, QUIET_MS.answered) };
    return [{ type: event, data: { incidentId, ...quiet } } as SosEvent];
  }
  if (isActive(incident)) return []; // further than that already
  throw ended(incident);
};

const decide = (command: SosCommand, state: Sos): SosEvent[] => {
  switch (command.type) {
    case 'RequestSos':
      return request(command, state);
    case 'ReportSos':
      return reported(reportedTo(state, command.incidentId), command);
    case 'EscalateSos': {
      const { incidentId, level, notified } = command;
      if (state?.incidentId !== incidentId || state.status !== 'new' || state.level >= level) return [];
      return [{ type: 'SosEscalated', data: { incidentId, level, notified: [...notified] } }];
    }
    case 'AcknowledgeSos':
    case 'DispatchSos':
    case 'ResolveSos':
    case 'FindFalseAlarm':
      return step(command, state);
  }
};

const evolve = (state: Sos, event: SosEvent): Sos => {
  if (event.type === 'SosRequested') {
    const { incidentId, position, battery, message, quietUntil = null } = event.data;
    const positionAt = position?.at ?? null;
    return { incidentId, status: 'new', level: 0, reports: 0, positionAt, battery, message, quietUntil };
  }
  if (state === null) return state;
  switch (event.type) {
    case 'SosReported':
      return {
        ...state,
        reports: state.reports + 1,
        positionAt: newestAt([
          ...(event.data.positions ?? []),
          ...(state.positionAt ? [{ at: state.positionAt }] : []),
        ]),
        battery: event.data.battery ?? state.battery,
        message: event.data.message ?? state.message,
      };
    case 'SosRequestedAgain':
      return { ...state, quietUntil: event.data.quietUntil };
    case 'SosEscalated':
      return { ...state, level: event.data.level };
    case 'SosAcknowledged':
      return { ...state, status: 'acknowledged', quietUntil: event.data.quietUntil ?? null };
    case 'SosDispatched':
      return { ...state, status: 'dispatched', quietUntil: event.data.quietUntil ?? null };
    case 'SosResolved':
      return { ...state, status: 'resolved' };
    case 'SosFalseAlarmFound':
      return { ...state, status: 'false_alarm' };
  }
};

export const sos: Decider<Sos, SosCommand, SosEvent> = {
  category: 'sos',
  short: 'a person is in need a few times in a life',
  events: sosEvents,
  initial: null,
  decide,
  evolve,
};
