/** Keeps the weather at the stations as it was read last. A service that is away leaves it old, and breaks nothing. */
import { addMs, MINUTE_MS } from '../../domain/core/instants.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { resortReport } from '../../domain/resort/mountainReport.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { defineJob } from '../core/jobs.ts';
import type { ResortDeps } from './deps.ts';
import type { Weather } from './weatherSource.ts';

const EVERY_MS = 10 * MINUTE_MS;

export const weatherMigrations = migrations('resort', {
  '0001_weather': `
    create table ops.resort_weather (
      station text primary key,
      weather jsonb not null,
      read_at timestamptz not null default now()
    );
  `,
  personalData: { 'ops.resort_weather': { nothing: 'weather at places of the resort' } },
});

/** It ends when there are no stations left; the next one begins it again. */
export const weatherJob = defineJob<object, ResortDeps>('resort_weather', async (_, { deps, context }) => {
  const { state } = await deps.aggregates.load(resortReport, ONLY_ONE);
  if (state.stations.length === 0) return undefined;
  try {
    const read = (await deps.weather?.read(state.stations)) ?? [];
    await deps.pool.query(
      `with kept as (
         insert into ops.resort_weather (station, weather)
         select * from unnest($1::text[], $2::jsonb[])
         on conflict (station) do update set weather = excluded.weather, read_at = now()
       )
       delete from ops.resort_weather where station <> all ($1::text[])`,
      [state.stations.slice(0, read.length).map(({ key }) => key), read.map((weather) => JSON.stringify(weather))],
    );
  } catch (err) {
    deps.log.warn({ err }, 'the weather could not be read: the last one is shown');
  }
  return { againAt: addMs(context.at, EVERY_MS) };
});

/** By key of the station. */
export const readWeather = async (db: Queryable): Promise<ReadonlyMap<string, Weather>> => {
  const { rows } = await db.query<{ station: string; weather: Weather }>(
    'select station, weather from ops.resort_weather',
  );
  return new Map(rows.map(({ station, weather }) => [station, weather]));
};
