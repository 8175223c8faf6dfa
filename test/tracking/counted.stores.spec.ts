/** What of a track counts: by the clock of the device, once for all devices of a person, and at the resort. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { correctSummary, discardSession, finishSession, startSession } from '../../commands/tracking/sessions.ts';
import { uploadPoints } from '../../commands/tracking/upload.ts';
import { addMs, HOUR_MS, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import type { ResortMap } from '../../domain/tracking/area.ts';
import type { Fix, TrackPoint } from '../../domain/tracking/point.ts';
import { trackReview } from '../../domain/tracking/review.ts';
import { trackingSession } from '../../domain/tracking/session.ts';
import { summarise } from '../../domain/tracking/summary.ts';
import { daysOf } from '../../projections/tracking/stats.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { createStage, start, upload } from './stage.ts';
import { recorded, skier } from './synthetic.ts';

let stores: Stores;
let stage: Awaited<ReturnType<typeof createStage>>;
/** Replaced by the specs. */
let map: ResortMap = { lifts: [], grounds: [] };
beforeAll(async () => {
  stores = await freshStores();
  stage = await createStage(stores, { resortMap: async () => map });
});

const startMs = Math.floor(Date.now() / 1_000) * 1_000 - 2 * HOUR_MS;
const STARTED_AT = instantOf(startMs);
const END = instantOf(startMs + HOUR_MS);

const toPoint = ({ at, ...fix }: Fix): TrackPoint => ({ ...fix, t: instantOf(at) });
let seed = 0;
/** Two runs and two lifts; another track each time, so that none is a copy of another one. */
const aDay = () =>
  skier({ seed: ++seed, startMs })
    .stand(60)
    .lift(300)
    .stand(30)
    .run(300, 12)
    .stand(60)
    .lift(300)
    .stand(30)
    .run(300, 14)
    .stand(60);
const finish = async (accountId: string, sessionId: string, points: readonly TrackPoint[]) => {
  await upload(stage.node, accountId, sessionId, points, END);
  return finishSession(stage.node, contextOf(accountId, 'tourist', END), { accountId, sessionId }, END);
};
const stateOf = async (sessionId: string) => (await stage.node.aggregates.load(trackingSession, sessionId)).state;

describe('a device whose clock is wrong', () => {
  it.each([10 * MINUTE_MS, -10 * MINUTE_MS])('by %i ms has the same track as another one', async (wrong) => {
    const accountId = randomUUID();
    const context = (at: string) => contextOf(accountId, 'tourist', at);
    const by = (at: string) => addMs(at, wrong);
    const fixes = aDay().fixes;
    const { id: sessionId, session } = await startSession(
      stage.node,
      context(addMs(STARTED_AT, 2_000)),
      accountId,
      by(STARTED_AT),
      by(addMs(STARTED_AT, 500)),
    );
    expect(Math.abs(Date.parse(session.startedAt) - startMs)).toBeLessThan(5_000);
    for (let from = 0, took = 300; from < fixes.length; from += 200, took += 1_700) {
      const points = fixes.slice(from, from + 200).map((fix) => toPoint({ ...fix, at: fix.at + wrong }));
      const last = instantOf((fixes[Math.min(from + 199, fixes.length - 1)] as Fix).at + 1_000);
      const sent = await uploadPoints(
        stage.node,
        context(addMs(last, took)),
        { accountId, sessionId },
        points,
        by(last),
      );
      expect(sent).toMatchObject({ accepted: points.length, rejected: [] });
    }
    const finished = await finishSession(stage.node, context(END), { accountId, sessionId }, by(END), by(END));
    expect(finished).toMatchObject({ summary: { runs: 2, lifts: 2, points: fixes.length } });
    const exact = summarise(fixes);
    expect(Math.abs((finished as { summary: typeof exact }).summary.verticalM - exact.verticalM)).toBeLessThan(5);
  });
});

describe('a phone and a watch of one person', () => {
  it('count once, whichever comes first, and the other one counts when it is removed', async () => {
    const accountId = randomUUID();
    const { moments, fixes } = aDay();
    const phone = await start(stage.node, accountId, STARTED_AT);
    const watch = await start(stage.node, accountId, STARTED_AT, addMs(STARTED_AT, 1_000));
    const first = await finish(accountId, phone, fixes.map(toPoint));
    expect(first).toMatchObject({ compared: { runs: 2 } });
    const second = await finish(accountId, watch, recorded(moments, { seed: 5, every: 5, rides: 'none' }).map(toPoint));
    expect(second).toMatchObject({
      summary: { runs: 2, lifts: 2 },
      adds: { runs: 0, verticalM: 0 },
      compared: { runs: 0 },
    });
    expect((await stage.node.aggregates.load(trackReview, watch)).state.status).toBe('none');
    await stage.projected();
    const summary = (first as { summary: { verticalM: number } }).summary;
    expect(await daysOf(stage.db, accountId)).toMatchObject([{ runs: 2, lifts: 2, vertical_m: summary.verticalM }]);
    await discardSession(stage.node, contextOf(accountId, 'tourist', END), { accountId, sessionId: phone });
    await until(async () => {
      await correctSummary(stage.node, contextOf(accountId, 'system', END), watch);
      return !('adds' in (await stateOf(watch)));
    });
    await stage.projected();
    expect(await daysOf(stage.db, accountId)).toMatchObject([{ runs: 2, lifts: 2 }]);
  });

  it('that record one after the other count together', async () => {
    const accountId = randomUUID();
    const fixes = aDay().fixes;
    const half = fixes.findIndex(({ at }) => at >= startMs + 420_000);
    const [phone, watch] = [
      await start(stage.node, accountId, STARTED_AT),
      await start(stage.node, accountId, STARTED_AT, addMs(STARTED_AT, 1_000)),
    ];
    await finish(accountId, phone, fixes.slice(0, half).map(toPoint));
    await finish(accountId, watch, fixes.slice(half).map(toPoint));
    await stage.projected();
    const all = summarise(fixes);
    const [day] = await daysOf(stage.db, accountId);
    expect(day).toMatchObject({ runs: all.runs, lifts: all.lifts });
  });
});

describe('the ground of the resort', () => {
  it('is where tracks are compared with others; their own statistics are whole', async () => {
    const accountId = randomUUID();
    const sessionId = await start(stage.node, accountId, STARTED_AT);
    const rider = aDay();
    const place = rider.place();
    map = { lifts: [], grounds: [{ southWest: place, northEast: place }] };
    expect(await finish(accountId, sessionId, rider.fixes.map(toPoint))).toMatchObject({ compared: { runs: 2 } });
    const antarctica = { lat: -75, lon: 0 };
    map = { lifts: [], grounds: [{ southWest: antarctica, northEast: antarctica }] };
    await correctSummary(stage.node, contextOf(accountId, 'system', END), sessionId);
    expect(await stateOf(sessionId)).toMatchObject({ summary: { runs: 2 }, compared: { runs: 0, verticalM: 0 } });
    map = { lifts: [], grounds: [] };
  });
});
