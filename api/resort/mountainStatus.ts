/** The mountain at a glance. */
import { type Static, Type } from '@sinclair/typebox';
import { readWeather } from '../../commands/resort/weather.ts';
import { Weather } from '../../commands/resort/weatherSource.ts';
import { HOUR_MS, hasCome, MINUTE_MS, msBetween } from '../../domain/core/instants.ts';
import { Instant, Nullable } from '../../domain/core/schema.ts';
import { operatingStatuses } from '../../domain/resort/operation.ts';
import { JsonText } from '../../infra/jsonText.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { configRevisions } from '../../projections/platform/config.ts';
import { resortLifts, resortSlopes } from '../../projections/resort/facilities.ts';
import { type Mountain, mountainNow } from '../../projections/resort/mountain.ts';
import { Report, reportNow, resortReports } from '../../projections/resort/mountainReport.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';
import { PUBLIC_CACHE } from './publicCache.ts';

const Counts = {
  total: Type.Integer(),
  ...Object.fromEntries(operatingStatuses.map((status) => [status, Type.Integer()])),
} as Record<'total' | (typeof operatingStatuses)[number], ReturnType<typeof Type.Integer>>;
const Kilometres = Type.Number({ minimum: 0 });
const IsOld = Type.Boolean({ description: 'It is older than it should be: do not show it as the present.' });

const { snow: Snow, ...station } = Report.properties.stations.items.properties;
export const ResortStatus = Type.Object(
  {
    timezone: Type.String(),
    lifts: Type.Object(Counts),
    slopes: Type.Object({ ...Counts, open_km: Kilometres, total_km: Kilometres }),
    stations: Type.Array(
      Type.Object({
        ...station,
        snow: Nullable(Type.Object({ ...Snow.anyOf[0].properties, is_old: IsOld })),
        weather: Nullable(Type.Object({ ...snakeSchema(Weather).properties, is_old: IsOld })),
      }),
      { description: 'From the lowest to the highest.' },
    ),
    avalanche: Report.properties.avalanche,
    season: Report.properties.season,
    notices: Report.properties.notices,
    last_groomed_at: Nullable(Instant),
  },
  { $id: 'ResortStatus' },
);
type ResortStatus = Static<typeof ResortStatus>;
type WeatherAt = Awaited<ReturnType<typeof readWeather>>;

const WEATHER_OLD_MS = HOUR_MS;
const SNOW_OLD_MS = 36 * HOUR_MS;

const inUse = <T extends { readonly retired_at: string | null }>(all: readonly T[]): T[] =>
  all.filter(({ retired_at }) => retired_at === null);

const countsOf = (all: readonly { readonly status: (typeof operatingStatuses)[number] }[]) => {
  const of = (status: string) => all.filter((each) => each.status === status).length;
  return { total: all.length, open: of('open'), hold: of('hold'), scheduled: of('scheduled'), closed: of('closed') };
};

const kilometres = (slopes: readonly { readonly length_m: number | null }[]): number =>
  Math.round(slopes.reduce((sum, { length_m }) => sum + (length_m ?? 0), 0) / 100) / 10;

/** Pure. @param at RFC 3339 */
export const statusOf = (mountain: Mountain, report: Report, weather: WeatherAt, at: string): ResortStatus => {
  const isOld = (since: string, ms: number): boolean => msBetween(since, at) > ms;
  const hasEnded = (until: string | null): boolean => until !== null && hasCome(until, at);
  const slopes = inUse(mountain.slopes);
  const { avalanche } = report;
  return {
    timezone: mountain.timezone,
    lifts: countsOf(inUse(mountain.lifts)),
    slopes: {
      ...countsOf(slopes),
      open_km: kilometres(slopes.filter(({ status }) => status === 'open')),
      total_km: kilometres(slopes),
    },
    stations: report.stations
      .toSorted((a, b) => a.altitude_m - b.altitude_m)
      .map(({ snow, ...shown }) => {
        const known = weather.get(shown.key);
        return {
          ...shown,
          snow: snow && { ...snow, is_old: isOld(snow.measured_at, SNOW_OLD_MS) },
          weather: known ? { ...toSnake(known), is_old: isOld(known.observedAt, WEATHER_OLD_MS) } : null,
        };
      }),
    avalanche: avalanche && hasEnded(avalanche.valid_until) ? null : avalanche,
    season: report.season,
    notices: report.notices.filter(({ from, until }) => !hasEnded(until) && (from === null || hasEnded(from))),
    last_groomed_at:
      slopes
        .flatMap(({ groomed_at }) => groomed_at ?? [])
        .toSorted()
        .at(-1) ?? null,
  };
};

const WEATHER_KEPT_MS = MINUTE_MS;
/** After a first start there is none yet. */
const NONE_KEPT_MS = 1_000;
interface Kept {
  readonly weather: WeatherAt;
  readonly readAt: number;
}
/** Of each process of the API. */
const weathers = new WeakMap<object, Kept>();

/** As it was read last, also while the database does not answer. */
const weatherNow = async ({ pool, log }: App, at: string): Promise<WeatherAt> => {
  const known = weathers.get(pool);
  const readAt = Date.parse(at);
  const keptMs = known && known.weather.size > 0 ? WEATHER_KEPT_MS : NONE_KEPT_MS;
  if (known && readAt - known.readAt < keptMs) return known.weather;
  const weather = await readWeather(pool).catch((err: unknown) => {
    log.warn({ err }, 'the stored weather could not be read');
    return known?.weather ?? new Map();
  });
  weathers.set(pool, { weather, readAt });
  return weather;
};

const SHOWN_MS = 10_000;
interface Shown {
  readonly mountain: Mountain;
  readonly report: Report;
  readonly weather: WeatherAt;
  readonly at: number;
  readonly text: JsonText<ResortStatus>;
}
const shown = new WeakMap<object, Shown>();

/** The text is made again when a part of it has changed, and after some seconds, because parts of it grow old. */
const statusText = async (app: App, at: string): Promise<JsonText<ResortStatus>> => {
  const [mountain, report, weather] = await Promise.all([mountainNow(app, at), reportNow(app), weatherNow(app, at)]);
  const before = shown.get(app.positions);
  const now = Date.parse(at);
  if (
    before?.mountain === mountain &&
    before.report === report &&
    before.weather === weather &&
    now - before.at < SHOWN_MS
  )
    return before.text;
  const text = new JsonText<ResortStatus>(JSON.stringify(statusOf(mountain, report, weather, at)));
  shown.set(app.positions, { mountain, report, weather, at: now, text });
  return text;
};

const status = route('GET /api/v1/resort/status', {
  id: 'getResortStatus',
  access: 'public',
  rate: 'status',
  summary: 'Get the state of the mountain',
  description:
    'Open lifts and kilometres, snow and weather by station, avalanche danger, season and notices. What is older than it should be says so (`is_old`); what is not known is null.',
  reply: ResortStatus,
  reads: [resortLifts, resortSlopes, resortReports, configRevisions],
  cache: PUBLIC_CACHE,
  handle: ({ context: { at } }, app) => statusText(app, at),
});

export const statusRoutes = [status];
