/** Invented weather in the form of Open-Meteo, the same for the same place and hour: no network is needed. */
import type Router from '@koa/router';
import { HOUR_MS, instantOf } from '../../../domain/core/instants.ts';
import { invalid } from '../core/apiError.ts';

const HOURS_BACK = 48;

/** Between 0 and 1, the same for the same numbers. */
const chance = (...numbers: readonly number[]): number => {
  const x = Math.sin(numbers.reduce((sum, n, i) => sum + n * (12.9898 + i * 65.1), 0)) * 43_758.5453;
  return x - Math.floor(x);
};

const numbersIn = (text: unknown): number[] =>
  String(text ?? '')
    .split(',')
    .map(Number);
const hourText = (hour: number): string => instantOf(hour * HOUR_MS).slice(0, 16);

const snowfallAt = (latitude: number, hour: number): number =>
  chance(latitude, Math.floor(hour / 7)) > 0.7 ? Math.round(chance(latitude, hour) * 14) / 10 : 0;

const weatherAt = (latitude: number, longitude: number, elevation: number, hour: number) => ({
  latitude,
  longitude,
  elevation,
  current: {
    time: hourText(hour),
    temperature_2m: Math.round((8 - elevation * 0.0065 + chance(latitude, hour) * 4) * 10) / 10,
    wind_speed_10m: Math.round((1 + (elevation / 400) * chance(longitude, hour)) * 10) / 10,
    wind_gusts_10m: Math.round((3 + (elevation / 250) * chance(longitude, hour)) * 10) / 10,
    wind_direction_10m: Math.round(chance(latitude, longitude, hour) * 359),
    visibility: snowfallAt(latitude, hour) > 0 ? 1_200 : 24_000,
    weather_code: snowfallAt(latitude, hour) > 0 ? 73 : 1,
  },
  hourly: {
    time: Array.from({ length: HOURS_BACK + 1 }, (_, n) => hourText(hour - HOURS_BACK + n)),
    snowfall: Array.from({ length: HOURS_BACK + 1 }, (_, n) => snowfallAt(latitude, hour - HOURS_BACK + n)),
  },
});

export const mountWeather = (router: Router): void => {
  router.get('/open-meteo/v1/forecast', (ctx) => {
    const [latitudes, longitudes, elevations] = [ctx.query.latitude, ctx.query.longitude, ctx.query.elevation].map(
      numbersIn,
    ) as [number[], number[], number[]];
    const all = [...latitudes, ...longitudes, ...elevations];
    if (all.some(Number.isNaN) || latitudes.length !== longitudes.length || latitudes.length !== elevations.length)
      throw invalid('latitude, longitude and elevation must be as many numbers each');
    const hour = Math.floor(Date.now() / HOUR_MS);
    const places = latitudes.map((latitude, n) => weatherAt(latitude, longitudes[n] ?? 0, elevations[n] ?? 0, hour));
    ctx.body = places.length === 1 ? places[0] : places;
  });
};
