/**
 * Tells the real API what happens on a simulated day: what lies in the past as fast as it is taken, then everything when it
 * happens. So the day ends now, whatever the time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { instantOf } from '../../domain/core/instants.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CallApi } from '../kit/http.ts';
import { type Day, placeAt, speedAt } from './day.ts';
import { type Cast, expectStatus } from './people.ts';

const POINT_EVERY_MS = 30_000;
const MOST_POINTS = 1_000;
const MOST_SCANS = 1_000;
const AT_ONCE = 16;
const TICK_MS = 500;

interface Sent {
  points: number;
  scans: number;
}

interface Recording {
  readonly token: string;
  readonly session: string;
  readonly skier: number;
  /** Points that were told. */
  told: number;
}

export const replay = async (call: CallApi, day: Day, cast: Cast) => {
  const sent: Sent = { points: 0, scans: 0 };
  const gated = day.rides.filter(({ lift }) => day.mountain.lifts[lift]?.source !== 'skiers');
  const recordings: Recording[] = [];
  await concurrentEach(cast.recorders.entries(), AT_ONCE, async ([skier, { token }]) => {
    const body = { started_at: instantOf(day.from) };
    const started = expectStatus(await call('POST /api/v1/tracking/sessions', { token, body }), 201);
    recordings.push({ token, skier, session: started.body.id, told: 0 });
  });

  /** Phones do not all record in the same second. */
  const timeOf = ({ skier }: Recording, n: number): number =>
    day.from + ((skier * 7_919) % POINT_EVERY_MS) + n * POINT_EVERY_MS;
  const sendPoints = async (recording: Recording, now: number): Promise<void> => {
    while (timeOf(recording, recording.told) <= now) {
      const points = [];
      for (let seq = recording.told; points.length < MOST_POINTS && timeOf(recording, seq) <= now; seq += 1) {
        const at = timeOf(recording, seq);
        const [lon, lat, alt] = placeAt(day, recording.skier, at);
        const speed = speedAt(day, recording.skier, at);
        points.push({ seq, t: instantOf(at), lat, lon, alt, acc: 8, speed });
      }
      const { token, session } = recording;
      const upload = await call(`POST /api/v1/tracking/sessions/${session}/points`, { token, body: { points } });
      sent.points += expectStatus(upload).body.accepted;
      recording.told += points.length;
    }
  };
  const sendScans = async (now: number): Promise<void> => {
    for (;;) {
      const due = gated.slice(sent.scans, sent.scans + MOST_SCANS).filter(({ cameAt }) => cameAt <= now);
      if (due.length === 0) return;
      const scans = due.map(({ skier, lift, cameAt }) => ({
        scan_id: derivedId('simulated scan', cast.codes[skier] as string, cameAt),
        code: cast.codes[skier],
        lift_id: cast.lifts[lift],
        scanned_at: instantOf(cameAt),
        passed: true,
      }));
      const body = { gate_id: 'simulation', device_time: new Date().toISOString(), scans };
      const { kept, rejected } = expectStatus(await call('POST /api/v1/pass/scans', { apiKey: cast.gate, body })).body;
      const lost = kept.find(({ problem }: { problem: string | null }) => problem !== null) ?? rejected[0];
      if (lost) throw new Error(`a scan was not kept: ${JSON.stringify(lost)}`);
      sent.scans += due.length;
    }
  };
  const tellAll = async (now: number): Promise<void> => {
    await Promise.all([sendScans(now), concurrentEach(recordings, AT_ONCE, (recording) => sendPoints(recording, now))]);
  };
  // The first pass takes some time, in which more happens.
  await tellAll(Date.now());
  await tellAll(Date.now());

  let isEnding = false;
  const live = (async () => {
    while (!isEnding) {
      await tellAll(Math.min(Date.now(), day.until));
      await delay(TICK_MS);
    }
  })();
  // Seen at `end`, not as an unhandled rejection before.
  live.catch(() => undefined);
  return {
    sent,
    /** Ends the day and all sessions. @returns the summary of each recorder, in the order of the cast */
    end: async () => {
      isEnding = true;
      await live;
      const summaries = new Map<string, { day: string; vertical_m: number; distance_m: number; runs: number }>();
      const endedAt = Date.now();
      await concurrentEach(recordings, AT_ONCE, async ({ token, session }) => {
        const finished = await call(`POST /api/v1/tracking/sessions/${session}/finish`, { token, body: {} });
        const { day: date, summary } = expectStatus(finished).body;
        summaries.set(token, { day: date, ...summary });
      });
      return { endedAt, summaries };
    },
  };
};
