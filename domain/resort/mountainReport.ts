/** What is reported of the mountain as a whole: snow by station, avalanche danger, season, notices. It exists once. */
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected, snapshot } from '../core/decider.ts';
import { hasCome, isBefore, MINUTE_MS, msBetween } from '../core/instants.ts';
import { DateOnly, Instant, Nullable, OneOf, Uuid } from '../core/schema.ts';

export const StationKey = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$', examples: ['peak'] });
const Centimetres = Nullable(Type.Integer({ minimum: 0, maximum: 3_000 }));

/** A place where snow is measured and weather is asked for. */
export const Station = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 80 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  altitudeM: Type.Integer({ minimum: -500, maximum: 9_000 }),
});
export type Station = Static<typeof Station>;
const Keyed = { key: StationKey };

export const Snow = Type.Object({
  depthCm: Type.Integer({ minimum: 0, maximum: 3_000 }),
  new24hCm: Centimetres,
  new48hCm: Centimetres,
  measuredAt: Instant,
});
export type Snow = Static<typeof Snow>;

const Text = Type.String({ minLength: 1, maxLength: 1_000 });
/** On the European scale, from 1 (low) to 5 (very high). */
export const Avalanche = Type.Object({
  level: Type.Integer({ minimum: 1, maximum: 5, description: 'From 1 (low) to 5 (very high).' }),
  text: Nullable(Text),
  validUntil: Nullable(Instant),
});
export type Avalanche = Static<typeof Avalanche>;

export const Season = Type.Object({ from: DateOnly, until: { ...DateOnly, description: 'The last day.' } });
export type Season = Static<typeof Season>;

export const Notice = Type.Object({
  severity: OneOf(['info', 'warning', 'danger']),
  text: Text,
  from: Nullable(Instant),
  until: Nullable(Instant),
});
export type Notice = Static<typeof Notice>;
const noticeId = Uuid;

const MOST_STATIONS = 20;
export const MOST_NOTICES = 50;

const reportEvents = {
  ResortStationSet: { data: Type.Object({ ...Keyed, ...Station.properties }) },
  ResortStationRemoved: { data: Type.Object(Keyed) },
  SnowReported: { data: Type.Object({ ...Keyed, ...Snow.properties }) },
  AvalancheDangerReported: { data: Type.Object({ danger: Nullable(Avalanche) }) },
  ResortSeasonSet: { data: Type.Object({ season: Nullable(Season) }) },
  ResortNoticePosted: { data: Type.Object({ noticeId, ...Notice.properties }) },
  ResortNoticeRemoved: { data: Type.Object({ noticeId }) },
} as const satisfies EventDeclarations;
export type ReportEvent = EventsOf<typeof reportEvents>;

export const ResortReport = Type.Object({
  stations: Type.Array(Type.Object({ ...Keyed, ...Station.properties, snow: Nullable(Snow) })),
  avalanche: Nullable(Type.Object({ ...Avalanche.properties })),
  season: Nullable(Season),
  notices: Type.Array(Type.Object({ noticeId, ...Notice.properties })),
});
export type ResortReport = Static<typeof ResortReport>;
export const NO_REPORT: ResortReport = { stations: [], avalanche: null, season: null, notices: [] };

export type ReportCommand =
  | { readonly type: 'SetStation'; readonly key: string; readonly station: Station }
  | { readonly type: 'RemoveStation'; readonly key: string }
  | { readonly type: 'ReportSnow'; readonly key: string; readonly snow: Snow; readonly at: string }
  | { readonly type: 'ReportAvalancheDanger'; readonly danger: Avalanche | null }
  | { readonly type: 'SetSeason'; readonly season: Season | null }
  | { readonly type: 'PostNotice'; readonly noticeId: string; readonly notice: Notice; readonly at: string }
  | { readonly type: 'RemoveNotice'; readonly noticeId: string };

const invalid = (field: string, detail: string) => new Rejected('invalid', detail, { fields: [field] });

const setStation = (key: string, station: Station, { stations }: ResortReport): ReportEvent[] => {
  const known = stations.find((each) => each.key === key);
  if (!known && stations.length >= MOST_STATIONS)
    throw invalid('station', `There can be at most ${MOST_STATIONS} stations.`);
  const { key: _, snow: __, ...before } = known ?? { key, snow: null };
  return isDeepStrictEqual(before, station) ? [] : [{ type: 'ResortStationSet', data: { key, ...station } }];
};

/** Clocks of sensors may be ahead by this much. */
const AHEAD_MS = 5 * MINUTE_MS;

const reportSnow = (
  { key, snow, at }: Extract<ReportCommand, { type: 'ReportSnow' }>,
  { stations }: ResortReport,
): ReportEvent[] => {
  // Nothing could replace it until then.
  if (msBetween(at, snow.measuredAt) > AHEAD_MS)
    throw invalid('measured_at', '`measured_at` lies in the future: set the clock of the sensor.');
  if (snow.new24hCm !== null && snow.new48hCm !== null && snow.new24hCm > snow.new48hCm)
    throw invalid(
      'new_48h_cm',
      `${snow.new24hCm} cm of new snow in 24 hours are more than ${snow.new48hCm} cm in 48 hours, which include them.`,
    );
  const station = stations.find((each) => each.key === key);
  if (!station) throw notFound('station');
  const isOlder = station.snow !== null && isBefore(snow.measuredAt, station.snow.measuredAt);
  if (isOlder || isDeepStrictEqual(snow, station.snow)) return [];
  return [{ type: 'SnowReported', data: { key, ...snow } }];
};

const hasEnded = ({ until }: Notice, at: string): boolean => until !== null && hasCome(until, at);

const postNotice = (
  command: Extract<ReportCommand, { type: 'PostNotice' }>,
  { notices }: ResortReport,
): ReportEvent[] => {
  const { noticeId: id, notice, at } = command;
  if (notices.some((each) => each.noticeId === id)) return [];
  if (hasEnded(notice, notice.from ?? at))
    throw invalid('until', '`until` must be later than `from`, and in the future.');
  const ended = notices.filter((each) => hasEnded(each, at));
  if (notices.length - ended.length >= MOST_NOTICES)
    throw invalid('', `There can be at most ${MOST_NOTICES} notices. Remove one that is no longer needed.`);
  return [
    ...ended.map((each) => ({ type: 'ResortNoticeRemoved' as const, data: { noticeId: each.noticeId } })),
    { type: 'ResortNoticePosted', data: { noticeId: id, ...notice } },
  ];
};

const decide = (command: ReportCommand, state: ResortReport): ReportEvent[] => {
  switch (command.type) {
    case 'SetStation':
      return setStation(command.key, command.station, state);
    case 'RemoveStation': {
      const { key } = command;
      return state.stations.some((each) => each.key === key) ? [{ type: 'ResortStationRemoved', data: { key } }] : [];
    }
    case 'ReportSnow':
      return reportSnow(command, state);
    case 'ReportAvalancheDanger': {
      const { danger } = command;
      return isDeepStrictEqual(danger, state.avalanche) ? [] : [{ type: 'AvalancheDangerReported', data: { danger } }];
    }
    case 'SetSeason': {
      const { season } = command;
      if (season && season.until < season.from) throw invalid('season/until', '`until` must not be before `from`.');
      return isDeepStrictEqual(season, state.season) ? [] : [{ type: 'ResortSeasonSet', data: { season } }];
    }
    case 'PostNotice':
      return postNotice(command, state);
    case 'RemoveNotice': {
      const { noticeId: id } = command;
      const isThere = state.notices.some((each) => each.noticeId === id);
      return isThere ? [{ type: 'ResortNoticeRemoved', data: { noticeId: id } }] : [];
    }
  }
};

/** The report after an event. */
export const reportAfter = (state: ResortReport, event: ReportEvent): ResortReport => {
  const { stations, notices } = state;
  switch (event.type) {
    case 'ResortStationSet': {
      const { key } = event.data;
      const snow = stations.find((each) => each.key === key)?.snow ?? null;
      return { ...state, stations: [...stations.filter((each) => each.key !== key), { ...event.data, snow }] };
    }
    case 'ResortStationRemoved':
      return { ...state, stations: stations.filter(({ key }) => key !== event.data.key) };
    case 'SnowReported': {
      const { key, ...snow } = event.data;
      return { ...state, stations: stations.map((each) => (each.key === key ? { ...each, snow } : each)) };
    }
    case 'AvalancheDangerReported':
      return { ...state, avalanche: event.data.danger };
    case 'ResortSeasonSet':
      return { ...state, season: event.data.season };
    case 'ResortNoticePosted':
      return { ...state, notices: [...notices, event.data] };
    case 'ResortNoticeRemoved':
      return { ...state, notices: notices.filter((each) => each.noticeId !== event.data.noticeId) };
  }
};

export const resortReport: Decider<ResortReport, ReportCommand, ReportEvent> = {
  category: 'resortReport',
  events: reportEvents,
  initial: NO_REPORT,
  decide,
  evolve: reportAfter,
  snapshot: snapshot({ version: 1, packed: ResortReport, pack: (state) => state, unpack: (packed) => packed }),
};
