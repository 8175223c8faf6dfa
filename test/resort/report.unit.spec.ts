/** Snow, avalanche danger, season and notices; the weather as its service says it; and the status that shows all of it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { afterAll, describe, expect, it } from 'vitest';
import { statusOf } from '../../api/resort/mountainStatus.ts';
import { openMeteo, type Weather } from '../../commands/resort/weatherSource.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { MOST_NOTICES, type ReportEvent, resortReport } from '../../domain/resort/mountainReport.ts';
import { toSnake } from '../../infra/naming.ts';
import { mountWeather } from '../../ops/sandbox/weather/openMeteo.ts';
import { resortReports } from '../../projections/resort/mountainReport.ts';
import { specification } from '../kit/given.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';
import { id } from './resortFixtures.ts';

const NOW = '2027-01-13T07:00:00.000Z';
const LATER = '2027-01-13T08:00:00.000Z';
const peak = { name: 'Peak', longitude: 40.3121, latitude: 43.6274, altitudeM: 2_320 };
const village = { name: 'Village', longitude: 40.2976, latitude: 43.6715, altitudeM: 560 };
const snow = { depthCm: 180, new24hCm: 12, new48hCm: null, measuredAt: NOW };
const danger = { level: 3, text: 'Wind slabs above 2,000 m', validUntil: LATER };
const notice = { severity: 'warning', text: 'Storm from noon', from: null, until: LATER } as const;

const set: ReportEvent = { type: 'ResortStationSet', data: { key: 'peak', ...peak } };
const reported: ReportEvent = { type: 'SnowReported', data: { key: 'peak', ...snow } };
const posted = (n: number, more: object = {}): ReportEvent => ({
  type: 'ResortNoticePosted',
  data: { noticeId: id(n), ...notice, ...more },
});

describe('the report', () => {
  const given = specification(resortReport);

  it('has stations, whose snow is the newest measurement', () => {
    given([]).when({ type: 'SetStation', key: 'peak', station: peak }).thenOnce([set]);
    given([set]).when({ type: 'ReportSnow', key: 'peak', snow, at: NOW }).thenOnce([reported]);
    given([set, reported])
      .when({
        type: 'ReportSnow',
        key: 'peak',
        snow: { ...snow, depthCm: 1, measuredAt: '2027-01-13T06:59:00Z' },
        at: NOW,
      })
      .then([]);
    given([]).when({ type: 'ReportSnow', key: 'peak', snow, at: NOW }).then('not_found');
    // A sensor whose clock is ahead would keep all others out until then.
    given([set])
      .when({ type: 'ReportSnow', key: 'peak', snow: { ...snow, measuredAt: LATER }, at: NOW })
      .then('invalid');
    given([set])
      .when({ type: 'RemoveStation', key: 'peak' })
      .thenOnce([{ type: 'ResortStationRemoved', data: { key: 'peak' } }]);
  });

  it('has an avalanche danger and a season', () => {
    given([])
      .when({ type: 'ReportAvalancheDanger', danger })
      .thenOnce([{ type: 'AvalancheDangerReported', data: { danger } }]);
    const season = { from: '2026-12-01', until: '2027-04-15' };
    given([])
      .when({ type: 'SetSeason', season })
      .thenOnce([{ type: 'ResortSeasonSet', data: { season } }]);
    given([])
      .when({ type: 'SetSeason', season: { from: '2027-04-15', until: '2026-12-01' } })
      .then('invalid');
  });

  it('has notices, of which those that have ended make room', () => {
    const post = (n: number, at = NOW) => ({ type: 'PostNotice', noticeId: id(n), notice, at }) as const;
    given([])
      .when(post(1))
      .thenOnce([posted(1)]);
    given([]).when(post(1, LATER)).then('invalid');
    const full = Array.from({ length: MOST_NOTICES }, (_, n) => posted(n + 10, { until: null }));
    given(full).when(post(1)).then('invalid');
    const ended = posted(9, { until: NOW });
    given([ended, ...full.slice(1)])
      .when(post(1))
      .then([{ type: 'ResortNoticeRemoved', data: { noticeId: id(9) } }, posted(1)]);
    given([posted(1)])
      .when({ type: 'RemoveNotice', noticeId: id(1) })
      .thenOnce([{ type: 'ResortNoticeRemoved', data: { noticeId: id(1) } }]);
  });
});

describe('the status', () => {
  const rows = projection(resortReports);
  const events: ReportEvent[] = [
    set,
    { type: 'ResortStationSet', data: { key: 'village', ...village } },
    reported,
    { type: 'AvalancheDangerReported', data: { danger } },
    { type: 'ResortSeasonSet', data: { season: { from: '2026-12-01', until: '2027-04-15' } } },
    posted(1),
    posted(2, { from: LATER, until: null }),
    posted(3),
    { type: 'ResortNoticeRemoved', data: { noticeId: id(3) } },
    { type: 'ResortStationSet', data: { key: 'old', ...peak } },
    { type: 'ResortStationRemoved', data: { key: 'old' } },
  ];
  const [row] = rows(events.map((event) => happened('resortReport', ONLY_ONE, event, NOW)));
  const report = toSnake((row as { report: object }).report) as Parameters<typeof statusOf>[1];
  const mountain = { timezone: 'Europe/Moscow', lifts: [], slopes: [], from: 0, until: 0 };
  const weather: Weather = {
    temperatureC: -8,
    windMs: 4,
    gustMs: null,
    windDirectionDeg: 90,
    visibilityM: null,
    weatherCode: 73,
    snowfall24hCm: 4,
    snowfall48hCm: 9,
    observedAt: NOW,
  };
  const at = (time: string) => statusOf(mountain, report, new Map([['peak', weather]]), time);

  it('shows what is valid now, and is told on the channel', () => {
    expect(toldOn(resortReports, row ?? {})).toEqual(['resort']);
    const status = at(NOW);
    expect(status).toMatchObject({ avalanche: { level: 3 }, season: { from: '2026-12-01' }, last_groomed_at: null });
    expect(status.stations.map(({ key }) => key)).toEqual(['village', 'peak']);
    expect(status.notices.map(({ notice_id }) => notice_id)).toEqual([id(1)]);
    expect(at(LATER).notices.map(({ notice_id }) => notice_id)).toEqual([id(2)]);
    expect(at(LATER).avalanche).toBeNull();
  });

  it('marks what is old, and shows what is not known as null', () => {
    const [, top] = at('2027-01-13T07:59:00Z').stations;
    expect(top).toMatchObject({
      snow: { depth_cm: 180, is_old: false },
      weather: { temperature_c: -8, is_old: false },
    });
    expect(at('2027-01-15T08:00:00Z').stations[1]).toMatchObject({ snow: { is_old: true }, weather: { is_old: true } });
    expect(at(NOW).stations[0]).toMatchObject({ snow: null, weather: null });
  });
});

describe('the weather service', () => {
  const koa = new Koa();
  const router = new Router();
  mountWeather(router);
  router.get('/broken/v1/forecast', (ctx) => {
    ctx.body = { current: {} };
  });
  koa.use(router.routes());
  const server = createServer(koa.callback()).listen(0, '127.0.0.1');
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterAll(() => server.close());

  it('is asked for one place and for several', async () => {
    const source = openMeteo(`${address()}/open-meteo`);
    const [one] = await source.read([peak]);
    const [, same] = await source.read([village, peak]);
    expect(same).toEqual(one);
    expect(one?.snowfall48hCm).toBeGreaterThanOrEqual(one?.snowfall24hCm as number);
    expect(await source.read([])).toEqual([]);
  });

  it('is not believed when it says something else', async () => {
    await expect(openMeteo(`${address()}/broken`).read([peak])).rejects.toThrow('something else');
    await expect(openMeteo(`${address()}/nothing`).read([peak])).rejects.toThrow('404');
  });
});
