/** Sessions on the real stores: points that come twice, late and at once, and what follows from them. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { erasePerson } from '../../commands/core/erasure.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { patchConfig } from '../../commands/platform/config.ts';
import { tracking } from '../../commands/tracking/index.ts';
import { insertPoints, pointMigrations, prunePoints } from '../../commands/tracking/points.ts';
import { trackDiscarded } from '../../commands/tracking/policy.ts';
import { reportDay } from '../../commands/tracking/reportedDays.ts';
import {
  correctSummary,
  discardSession,
  finishAbandoned,
  finishSession,
  ownSession,
} from '../../commands/tracking/sessions.ts';
import { trackSummary } from '../../commands/tracking/summaryJob.ts';
import { addMs, HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import type { Fix, TrackPoint } from '../../domain/tracking/point.ts';
import { trackingSession } from '../../domain/tracking/session.ts';
import { summarise } from '../../domain/tracking/summary.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { createTombstones } from '../../infra/tombstones.ts';
import { keptTables, loadRows, rowLines } from '../../ops/backup/tables.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { readModels } from '../../projections/tracking/index.ts';
import { sessionById } from '../../projections/tracking/sessions.ts';
import { daysOf } from '../../projections/tracking/stats.ts';
import { contextOf } from '../kit/context.ts';
import { testDeps } from '../kit/deps.ts';
import { inTables } from '../kit/personalData.ts';
import { randomFrom } from '../kit/random.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { totals } from './fixtures.ts';
import { createStage, start, upload } from './stage.ts';
import { skier } from './synthetic.ts';

let stores: Stores;
let stage: Awaited<ReturnType<typeof createStage>>;
beforeAll(async () => {
  stores = await freshStores();
  stage = await createStage(stores);
});

/** Two hours ago: what is due at the end of a session is due later. */
const startMs = Math.floor(Date.now() / 1_000) * 1_000 - 2 * HOUR_MS;
const STARTED_AT = instantOf(startMs);
const END = instantOf(startMs + HOUR_MS);
const hoursAfterEnd = (hours: number): string => addMs(END, hours * HOUR_MS);

const toPoint = ({ at, ...fix }: Fix): TrackPoint => ({ ...fix, t: instantOf(at) });
/** A run, a lift and another run: 7 minutes. */
const aTrack = (seed = 1): TrackPoint[] =>
  skier({ seed, startMs }).run(300, 12).stand(30).lift(300).run(300, 14).fixes.map(toPoint);

const countOf = async (accountId: string, of = stores): Promise<number> => {
  const { rows } = await of.pool.query('select count(*) from ops.track_points where account_id = $1', [accountId]);
  return rows[0].count;
};
const aSession = async (points: readonly TrackPoint[] = []) => {
  const accountId = randomUUID();
  const sessionId = await start(stage.node, accountId, STARTED_AT);
  if (points.length > 0) await upload(stage.node, accountId, sessionId, points, END);
  return {
    accountId,
    sessionId,
    finish: () => finishSession(stage.node, contextOf(accountId, 'tourist', END), { accountId, sessionId }, END),
  };
};

describe('points', () => {
  it('that come twice, out of order and at once are each stored once, and come to the same summary', async () => {
    const { accountId, sessionId, finish } = await aSession();
    const points = aTrack();
    const random = randomFrom(11);
    const shuffled = (some: readonly TrackPoint[]) => [...some].sort(() => random() - 0.5);
    const batches = Array.from({ length: 20 }, () => {
      const from = Math.floor(random() * (points.length - 200));
      return shuffled(points.slice(from, from + 200));
    });
    const nodes = [stage.node, testDeps(stores)];
    const sent = await Promise.all(
      [...batches, shuffled(points), shuffled(points)].map((batch, n) =>
        upload(nodes[n % 2] ?? stage.node, accountId, sessionId, batch, END),
      ),
    );
    const sum = (of: (one: (typeof sent)[number]) => number): number => sent.reduce((all, one) => all + of(one), 0);
    expect(sum(({ accepted }) => accepted)).toBe(points.length);
    expect(sum(({ duplicates }) => duplicates)).toBe(20 * 200 + points.length);
    expect(await countOf(accountId)).toBe(points.length);
    // Altitudes are stored in single precision.
    const exact = summarise(
      points.map(({ t, ...fix }) => ({ ...fix, alt: Math.fround(fix.alt ?? 0), at: Date.parse(t) })),
    );
    expect(exact).toMatchObject({ runs: 2, lifts: 1 });
    expect(await finish()).toMatchObject({ status: 'finished', summary: exact });
  });

  it('with values too small for single precision are stored as zero', async () => {
    const { accountId, sessionId } = await aSession();
    const [one] = aTrack() as [TrackPoint];
    const tiny = { ...one, alt: 1e-50, acc: 1e-50, speed: 1e-60 };
    expect(await upload(stage.node, accountId, sessionId, [tiny], END)).toMatchObject({ accepted: 1 });
  });

  it('that cannot be used are rejected one by one, by their index', async () => {
    const { accountId, sessionId } = await aSession();
    const [one, two, three] = aTrack() as [TrackPoint, TrackPoint, TrackPoint];
    const batch = [one, { ...two, lat: 0, lon: 0 }, { ...three, t: hoursAfterEnd(1) }, one];
    expect(await upload(stage.node, accountId, sessionId, batch, END)).toEqual({
      accepted: 1,
      duplicates: 1,
      rejected: [
        { index: 1, detail: expect.stringContaining('no fix') },
        { index: 2, detail: expect.stringContaining('future') },
      ],
    });
  });

  it('for the session of somebody else are refused, and so are points three days after the end', async () => {
    const { accountId, sessionId, finish } = await aSession();
    const points = aTrack().slice(0, 2);
    await expect(upload(stage.node, randomUUID(), sessionId, points, END)).rejects.toThrow('does not exist');
    await finish();
    const late = upload(stage.node, accountId, sessionId, points, hoursAfterEnd(73));
    await expect(late).rejects.toThrow('no more points');
    expect(await countOf(accountId)).toBe(0);
  });

  it('that come after the end correct the summary, by a job that is set with them', async () => {
    const points = aTrack();
    const half = Math.floor(points.length / 2);
    const { accountId, sessionId } = await aSession(points.slice(0, half));
    // Now: the job of a session that was finished an hour ago is due at once, and may be done before it is seen.
    const now = contextOf(accountId, 'tourist', new Date().toISOString());
    await finishSession(stage.node, now, { accountId, sessionId }, END);
    await until(() => stage.dueAt('track_summary', sessionId));
    await stage.projected();
    expect(await sessionById(stage.db, sessionId)).toMatchObject({ status: 'finished', runs: 1, points: half });

    await upload(stage.node, accountId, sessionId, points.slice(half), hoursAfterEnd(1));
    await trackSummary.runNow(stores.pool, sessionId);
    await until(async () => (await sessionById(stage.db, sessionId))?.points === points.length);
    expect(await sessionById(stage.db, sessionId)).toMatchObject({ status: 'finished', runs: 2, lifts: 1 });

    const { revision } = await stage.node.aggregates.load(trackingSession, sessionId);
    await correctSummary(stage.node, contextOf('job'), sessionId);
    expect((await stage.node.aggregates.load(trackingSession, sessionId)).revision).toBe(revision);
  });

  it('that come late and show others to be wrong correct the summary, too', async () => {
    const track = aTrack().slice(0, 30);
    const last = track.at(-1) as TrackPoint;
    /** At a point so many seconds after the last one, as many metres to the north as said. */
    const later = (seconds: number, metres = 0): TrackPoint => ({
      ...last,
      seq: last.seq + seconds,
      t: addMs(last.t, seconds * 1_000),
      lat: last.lat + metres / 111_000,
    });
    const { accountId, sessionId, finish } = await aSession([...track, later(300), later(301)]);
    expect(await finish()).toMatchObject({ summary: { points: 32 } });
    // After the pause it was elsewhere, so that it cannot have been there a moment later.
    await upload(stage.node, accountId, sessionId, [later(299, 10_000)], hoursAfterEnd(1));
    await correctSummary(stage.node, contextOf('job'), sessionId);
    const { state } = await stage.node.aggregates.load(trackingSession, sessionId);
    expect(state).toMatchObject({ summary: { points: 30 } });
  });

  it('that are gone leave the summary as it is: after a restore, the log may be newer than the points', async () => {
    const { sessionId, accountId, finish } = await aSession(aTrack());
    const { summary } = (await finish()) as { summary: object };
    const { revision } = await stage.node.aggregates.load(trackingSession, sessionId);
    await stores.pool.query('delete from ops.track_points where account_id = $1 and seq > 10', [accountId]);
    await correctSummary(stage.node, contextOf('job'), sessionId);
    await stores.pool.query('delete from ops.track_points where account_id = $1', [accountId]);
    await correctSummary(stage.node, contextOf('job'), sessionId);
    expect(await stage.node.aggregates.load(trackingSession, sessionId)).toMatchObject({
      revision,
      state: { summary },
    });
  });

  it('after the end that is given do not count', async () => {
    const points = aTrack();
    const { accountId, sessionId } = await aSession(points);
    const end = points[60]?.t ?? '';
    const context = contextOf(accountId, 'tourist', END);
    const session = await finishSession(stage.node, context, { accountId, sessionId }, end);
    expect(session).toMatchObject({ summary: { points: 121 } }); // up to a minute later
  });

  it('are deleted with their session, which only its owner can discard', async () => {
    const { accountId, sessionId } = await aSession(aTrack().slice(0, 50));
    const discard = (who: string) => discardSession(stage.node, contextOf(who), { accountId: who, sessionId });
    await expect(discard(randomUUID())).rejects.toThrow('does not exist');
    await discard(accountId);
    await until(async () => (await countOf(accountId)) === 0);
    await stage.projected();
    expect(await sessionById(stage.db, sessionId)).toBeUndefined();
  });

  it('that another process was storing while the session was discarded are deleted, too', async () => {
    const points = aTrack().slice(0, 50);
    const { accountId, sessionId } = await aSession(points.slice(0, 20));
    const { day } = await ownSession(stage.node, accountId, sessionId);
    const at = new Date().toISOString();
    await discardSession(stage.node, contextOf(accountId, 'tourist', at), { accountId, sessionId });
    await until(async () => (await countOf(accountId)) === 0);
    await until(async () => (await stage.dueAt('track_discarded', sessionId)) === addMs(at, 120_000));
    await insertPoints(stores.pool, { accountId, sessionId, day }, points);
    await trackDiscarded.runNow(stores.pool, sessionId);
    await until(async () => (await countOf(accountId)) === 0);
  });

  it('are deleted by weeks after their retention, and not before', async () => {
    const accountId = randomUUID();
    for (const startedAt of ['2026-01-10T07:00:00.000Z', '2026-02-10T07:00:00.000Z']) {
      const sessionId = await start(stage.node, accountId, startedAt);
      await upload(stage.node, accountId, sessionId, [{ ...(aTrack()[0] as TrackPoint), t: startedAt }], startedAt);
    }
    const prune = (at: string) => prunePoints(stores.pool, { trackRetentionDays: 30 }, Date.parse(at));
    const counts: number[] = [];
    for (const at of ['2026-02-10T08:00:00Z', '2026-02-20T08:00:00Z', '2026-03-25T08:00:00Z']) {
      await prune(at);
      counts.push(await countOf(accountId));
    }
    expect(counts).toEqual([2, 1, 0]);
  });

  it('are part of a backup, and restored wherever they belong', async () => {
    const { accountId } = await aSession(aTrack());
    const restored = await freshStores();
    const [table] = (await keptTables(stores.pool)).filter(({ name }) => name.startsWith('track_points'));
    expect(table).toMatchObject({ name: 'track_points' });
    const linesIn = (of: Stores) =>
      inTransaction(of.pool, async (client) => {
        const lines: string[] = [];
        for await (const line of rowLines(client, table!)) lines.push(line);
        return lines;
      });
    const lines = await linesIn(stores);
    await inTransaction(restored.pool, (client) =>
      loadRows(
        client,
        'track_points',
        (async function* () {
          yield* lines;
        })(),
      ),
    );
    expect(await linesIn(restored)).toEqual(lines);
    expect(await countOf(accountId, restored)).toBe(aTrack().length);
    await restored.stop();
  });
});

describe('a session without points for hours', () => {
  it('is finished at its last point, and looked at again while points come', async () => {
    const points = aTrack();
    const { sessionId } = await aSession(points);
    const last = points.at(-1)?.t ?? '';
    const silentAt = addMs(last, stage.node.settings.trackAbandonedHours * HOUR_MS);
    const at = (time: string) => contextOf('job', 'system', time);
    await until(() => stage.dueAt('track_abandoned', sessionId));
    expect(await finishAbandoned(stage.node, at(END), sessionId)).toEqual({ againAt: silentAt });
    expect(await finishAbandoned(stage.node, at(silentAt), sessionId)).toBeUndefined();
    await stage.projected();
    const row = await sessionById(stage.db, sessionId);
    expect(row).toMatchObject({ status: 'finished', ending: 'abandoned', finished_at: last, runs: 2 });
    await until(async () => (await stage.dueAt('track_abandoned', sessionId)) === undefined);
  });

  it('has only lost its network: it takes what was recorded since, and its owner can finish it', async () => {
    const points = aTrack();
    const { accountId, sessionId } = await aSession(points.slice(0, 100));
    const late = contextOf('job', 'system', hoursAfterEnd(24));
    await finishAbandoned(stage.node, late, sessionId);
    expect(await upload(testDeps(stores), accountId, sessionId, points, END)).toMatchObject({
      accepted: points.length - 100,
      rejected: [],
    });
    await correctSummary(stage.node, contextOf('job'), sessionId);
    await stage.projected();
    const row = await sessionById(stage.db, sessionId);
    expect(row).toMatchObject({ ending: 'abandoned', finished_at: points.at(-1)?.t, runs: 2, points: points.length });
    const end = points[60]?.t ?? '';
    const context = contextOf(accountId, 'tourist', hoursAfterEnd(25));
    const session = await finishSession(stage.node, context, { accountId, sessionId }, end);
    expect(session).toMatchObject({ ending: 'finished', finishedAt: end, summary: { points: 121 } });
  });
});

describe('days', () => {
  it('are the sum of their sessions in the time zone of the resort, or what a device reported, also after a rebuild', async () => {
    const node = testDeps(stores);
    await patchConfig(node, contextOf(randomUUID(), 'admin'), { timezone: 'Europe/Vienna' }, { reason: null });
    const accountId = randomUUID();
    // Midnight in Vienna is at 23:00 UTC, and at 22:00 UTC once the clocks have changed on 2026-03-29.
    for (const startedAt of ['2026-03-28T22:59:00.000Z', '2026-03-28T23:30:00.000Z', '2026-03-29T22:00:00.000Z']) {
      const sessionId = await start(node, accountId, startedAt);
      const { fixes } = skier({ noise: 0, startMs: Date.parse(startedAt) }).run(100, 10);
      const end = toPoint(fixes.at(-1) as Fix).t;
      await upload(node, accountId, sessionId, fixes.map(toPoint), end);
      await finishSession(node, contextOf(accountId, 'tourist', end), { accountId, sessionId }, end);
    }
    const report = (day: string) =>
      reportDay(node, contextOf(accountId, 'tourist', '2026-03-31T10:00:00.000Z'), accountId, { day, totals });
    await report('2026-03-29');
    await report('2026-03-31');
    await stage.projected();
    const days = await daysOf(stage.db, accountId);
    expect(days.map(({ day, verified, sessions, runs }) => [day, verified, sessions, runs])).toEqual([
      ['2026-03-31', false, 0, totals.runs],
      ['2026-03-30', true, 1, 1],
      ['2026-03-29', true, 1, 1],
      ['2026-03-28', true, 1, 1],
    ]);
    expect(await daysOf(stage.db, accountId, { from: '2026-03-29', to: '2026-03-30' })).toEqual(days.slice(1, 3));
    for (const model of readModels) {
      const { differences } = await rebuild(node, model, { mode: 'verify', signal: stage.signal });
      expect([model.name, differences]).toEqual([model.name, 0]);
    }
  });
});

it('the erasure of a person shows their points before and leaves none, nor a session that had some', async () => {
  const points = aTrack();
  const { accountId, sessionId } = await aSession(points);
  const held = await inTables(stores.pool, [pointMigrations], accountId);
  expect(held['ops.track_points']).toHaveLength(points.length);
  expect(held['ops.track_points']?.[0]).toMatchObject({ session_id: sessionId, lat: points[0]?.lat });
  const folder = path.join(tmpdir(), `resort-tracking-${randomUUID()}`);
  const plan = {
    modules: [tracking.erasure],
    tables: [pointMigrations],
    tombstones: createTombstones(folder),
  };
  await erasePerson<CommandDeps>(stage.node, plan, accountId);
  expect(await countOf(accountId)).toBe(0);
  await stage.projected();
  expect(await sessionById(stage.db, sessionId)).toBeUndefined();
  await expect(upload(testDeps(stores), accountId, sessionId, points, END)).rejects.toThrow('does not exist');
  await rm(folder, { recursive: true });
});
