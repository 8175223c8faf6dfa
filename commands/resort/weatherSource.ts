/** The port to a weather service, and the adapter for those that speak the API of Open-Meteo. */
import { type Static, Type } from '@sinclair/typebox';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { rounded } from '../../domain/core/numbers.ts';
import type { Station } from '../../domain/resort/mountainReport.ts';
import { jsonOf } from '../../infra/outside/answers.ts';
import { exchange } from '../../infra/outside/exchange.ts';
import { explain, validator } from '../../infra/validation.ts';

/** Weather at a station as it is now. */
export const Weather = Type.Object({
  temperatureC: Type.Number(),
  windMs: Type.Number(),
  gustMs: Type.Union([Type.Number(), Type.Null()]),
  windDirectionDeg: Type.Union([Type.Number(), Type.Null()]),
  visibilityM: Type.Union([Type.Number(), Type.Null()]),
  /** WMO code 4677. */
  weatherCode: Type.Union([Type.Integer(), Type.Null()]),
  /** Computed by the service's model; what people have measured is in the snow reports. */
  snowfall24hCm: Type.Number(),
  snowfall48hCm: Type.Number(),
  observedAt: Type.String({ format: 'date-time' }),
});
export type Weather = Static<typeof Weather>;

export interface WeatherSource {
  /** For each station, in their order. @throws Error when the service does not answer, or not as expected */
  read(stations: readonly Station[]): Promise<Weather[]>;
}

const TIMEOUT_MS = 10_000;
const Measured = Type.Union([Type.Number(), Type.Null()]);
const Answer = Type.Object({
  current: Type.Object({
    time: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' }),
    temperature_2m: Type.Number(),
    wind_speed_10m: Type.Number(),
    wind_gusts_10m: Type.Optional(Measured),
    wind_direction_10m: Type.Optional(Measured),
    visibility: Type.Optional(Measured),
    weather_code: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  }),
  hourly: Type.Object({ time: Type.Array(Type.String()), snowfall: Type.Array(Measured) }),
});
type Answer = Static<typeof Answer>;
const fits = validator(Answer);

const CURRENT = 'temperature_2m,wind_speed_10m,wind_gusts_10m,wind_direction_10m,visibility,weather_code';

const weatherOf = ({ current, hourly }: Answer): Weather => {
  const now = Date.parse(`${current.time}Z`);
  const fallen = (hours: number): number => {
    const amounts = hourly.snowfall.filter((_, n) => {
      const ago = now - Date.parse(`${hourly.time[n]}Z`);
      return ago >= 0 && ago < hours * HOUR_MS;
    });
    return rounded(
      amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
      1,
    );
  };
  return {
    temperatureC: current.temperature_2m,
    windMs: current.wind_speed_10m,
    gustMs: current.wind_gusts_10m ?? null,
    windDirectionDeg: current.wind_direction_10m ?? null,
    visibilityM: current.visibility ?? null,
    weatherCode: current.weather_code ?? null,
    snowfall24hCm: fallen(24),
    snowfall48hCm: fallen(48),
    observedAt: instantOf(now),
  };
};

/** @param url of the service, without `/v1/forecast` */
export const openMeteo = (url: string): WeatherSource => ({
  read: async (stations) => {
    if (stations.length === 0) return [];
    const query = new URLSearchParams({
      latitude: stations.map(({ latitude }) => latitude).join(),
      longitude: stations.map(({ longitude }) => longitude).join(),
      // Its own model of the ground has cells of 90 m: a summit would be too low.
      elevation: stations.map(({ altitudeM }) => altitudeM).join(),
      current: CURRENT,
      hourly: 'snowfall',
      past_days: '2',
      forecast_days: '1',
      timezone: 'GMT',
      wind_speed_unit: 'ms',
    });
    const answer = await exchange(`${url}/v1/forecast?${query}`, { timeoutMs: TIMEOUT_MS });
    if (answer.status !== 200) throw new Error(`the weather service answered ${answer.status}`);
    const body = jsonOf(answer);
    // One place is answered as an object, several as a list.
    const answers = Array.isArray(body) ? body : [body];
    if (answers.length !== stations.length)
      throw new Error(`the weather service answered for ${answers.length} places`);
    return answers.map((place) => {
      if (!fits(place)) throw new Error(`the weather service answered something else: ${explain(fits.errors)}`);
      return weatherOf(place);
    });
  },
});
