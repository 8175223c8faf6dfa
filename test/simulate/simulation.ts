/** A whole simulation through the real API, and what is compared at its end. */
import { setTimeout as delay } from 'node:timers/promises';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { QUEUE_VALID_MS } from '../../domain/resort/queue.ts';
import { FEWEST_COUNTED } from '../../domain/resort/skierQueue.ts';
import type { CallApi } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { type Day, SEATS, simulateDay, waitingAt } from './day.ts';
import type { SimulatedMountain } from './mountain.ts';
import { type Cast, castOf, expectStatus, leave, patient } from './people.ts';
import { replay } from './replay.ts';

export interface Settings {
  readonly mountain: SimulatedMountain;
  readonly skiers: number;
  /** Share of them who record their tracks. */
  readonly recording: number;
  readonly seed: number;
  /** How much of the day has happened before it is told. */
  readonly pastMs: number;
  /** How long it goes on then; 0: until each queue was compared. */
  readonly liveMs: number;
}

/** What the API said of a queue, and how it was then. */
export interface Sample {
  readonly lift: string;
  readonly source: string;
  readonly people: number;
  readonly truth: number;
  /** Where those who record are counted: how many they stand for, and the share of skiers who record. */
  readonly sampled?: { readonly people: number; readonly recording: number };
}

const LONGEST_LIVE_MS = HOUR_MS;
const TOLERANCE = 0.2;
/** Chairs leave in steps, which a short queue feels. */
const TOLERATED_PEOPLE = SEATS;
/** 99 of 100 samples are within so many standard errors. */
const STANDARD_ERRORS = 2.576;

const isNear = (told: number, truth: number, people: number): boolean =>
  Math.abs(told - truth) <= Math.max(people, truth * TOLERANCE);

/**
 * Of all samples of a lift together. Of n people who wait, each of whom records with the probability p, k record: k / p has
 * the standard error √(n (1 - p) / p), whoever counts. So a count of recorders must be right within the tolerance for how
 * many they stand for, and for all within the tolerance or that error, which is smaller from n = (1 - p) / p × (2.576 / 0.2)²
 * on: 111 people where 60 % record.
 */
export const deviationOf = (samples: readonly Sample[]) => {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((total, sample) => total + of(sample), 0) / samples.length;
  const [told, truth] = [mean(({ people }) => people), mean((sample) => sample.truth)];
  const recording = samples[0]?.sampled?.recording ?? 1;
  const stoodFor = mean((sample) => sample.sampled?.people ?? sample.truth);
  const byChance = STANDARD_ERRORS * Math.sqrt((truth * (1 - recording)) / recording);
  const isCounted = isNear(told, stoodFor, TOLERATED_PEOPLE / recording);
  const isRight = isCounted && isNear(told, truth, Math.max(TOLERATED_PEOPLE, byChance));
  return { told, truth, stoodFor, isRight };
};

/** The newest positions are so old on average, in milliseconds. */
const POSITIONS_AGE_MS = 15_000;
const sampledAt = (day: Day, lift: number, at: number): Sample['sampled'] => {
  const people = waitingAt(day, lift, at - POSITIONS_AGE_MS, 'recorders') / day.recording;
  return { people, recording: day.recording };
};

/** Of a queue of so few, nothing may be told. */
const TOO_FEW = 2 * FEWEST_COUNTED;
/** How often it is asked before that counts. */
const ASKED = 12;

/** The API knows a queue behind gates as it was when the last one came: since when it must have been measured. */
const measuredSince = ({ rides, mountain }: Day, index: number, since: number): number =>
  mountain.lifts[index]?.source === 'scans'
    ? Math.floor(rides.findLast(({ lift, cameAt }) => lift === index && cameAt <= since)?.cameAt ?? 0)
    : since;

/** Asks for the queue at a lift until it was measured after `since`; undefined: it is too short to be told. */
const sampleAt = async (
  call: CallApi,
  day: Day,
  { admin, lifts }: Cast,
  index: number,
  since: number,
): Promise<Sample | undefined> => {
  const { name, source } = day.mountain.lifts[index] as Day['mountain']['lifts'][number];
  const path = `/api/v1/resort/lifts/${lifts[index]}`;
  if (source === 'manual') {
    const people = waitingAt(day, index, Date.now());
    expectStatus(await call(`PATCH ${path}`, { token: admin, body: { queue: { people } } }));
  }
  const from = measuredSince(day, index, since);
  // Any change of a lift has its queue counted at once, not within half a minute.
  const count = (n: number) => call(`PATCH ${path}`, { token: admin, body: { description: `Simulated, ${n}` } });
  for (let n = 0; ; n += 1) {
    if (n % 4 === 0) expectStatus(await count(n));
    const lift = expectStatus(await call(`GET ${path}`)).body;
    const measuredAt = Date.parse(lift.queue_measured_at ?? 0);
    if (lift.queue_source === source && measuredAt >= from) {
      // Times are told in whole milliseconds.
      const truth = waitingAt(day, index, measuredAt + 1);
      const sampled = source === 'skiers' && { sampled: sampledAt(day, index, measuredAt) };
      return { lift: name, source, people: lift.queue_people, truth, ...sampled };
    }
    const counted = waitingAt(day, index, Date.now()) * (source === 'skiers' ? day.recording : 1);
    // A gate that nobody has passed for so long is not believed any more.
    const isSilent = source === 'scans' && Date.now() - from > QUEUE_VALID_MS.scans;
    if (n >= ASKED && (counted < TOO_FEW || isSilent)) return undefined;
    if (Date.now() - since > 120_000)
      throw new Error(`no queue of ${name} from ${source}: ${JSON.stringify({ ...lift, geometry: null })}`);
    await delay(250);
  }
};

const sampleAll = async (call: CallApi, day: Day, cast: Cast, since: number): Promise<Sample[]> => {
  const samples = await Promise.all(day.mountain.lifts.map((_, index) => sampleAt(call, day, cast, index, since)));
  return samples.flatMap((sample) => sample ?? []);
};

const metrics = { vertical: 'vertical_m', distance: 'distance_m', runs: 'runs' } as const;
interface Entry {
  readonly rank: number;
  readonly display_name: string;
  readonly score: number;
}

/** All entries of a board of a day. */
const boardOf = async (call: CallApi, metric: string, date: string): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (let page = 1; ; page += 1) {
    const asked = `GET /api/v1/leaderboard/day?metric=${metric}&date=${date}&page=${page}&per_page=100`;
    const { data, total } = expectStatus(await call(asked)).body;
    entries.push(...data);
    if (data.length === 0 || entries.length >= total) return entries;
  }
};

type Summaries = Awaited<ReturnType<Awaited<ReturnType<typeof replay>>['end']>>['summaries'];

/** What is wrong with the boards, beside a plain count of the summaries; none: nothing. */
const wrongRanks = async (call: CallApi, { recorders }: Cast, summaries: Summaries): Promise<string[]> => {
  const wrong: string[] = [];
  const [{ day: date = '' } = {}] = summaries.values();
  for (const [metric, field] of Object.entries(metrics)) {
    const entries = await boardOf(call, metric, date);
    const byName = new Map(entries.map((entry) => [entry.display_name, entry]));
    for (const { token, name } of recorders) {
      const score = summaries.get(token)?.[field] ?? 0;
      const entry = byName.get(name);
      const rank = 1 + entries.filter((other) => other.score > score).length;
      if (entry?.score !== score || entry.rank !== rank)
        wrong.push(`${metric} of ${name}: ${JSON.stringify(entry)} instead of rank ${rank} with ${score}`);
    }
  }
  return wrong;
};

export interface Outcome {
  readonly samples: readonly Sample[];
  readonly wrongRanks: readonly string[];
  /** From the end of the day until every board showed all of it, in milliseconds. */
  readonly caughtUpMs: number;
  readonly sent: { readonly points: number; readonly scans: number };
  /** Of those who record: runs that they have skied, and that were recorded. */
  readonly runs: { readonly skied: number; readonly recorded: number };
}

/** As an admin. @param say gets a line about each step */
export const runSimulation = async (
  impatient: CallApi,
  { token: admin, password }: { readonly token: string; readonly password: string },
  settings: Settings,
  say: (line: string) => void = () => undefined,
): Promise<Outcome> => {
  const { mountain, skiers, recording, seed, pastMs, liveMs } = settings;
  const call = patient(impatient, password);
  const cast = await castOf(call, admin, mountain, { skiers, recording });
  say(`${skiers} skiers with passes, ${cast.recorders.length} of them record`);
  const from = Date.now() - pastMs;
  const day = simulateDay({ mountain, skiers, recording, seed, from, until: Date.now() + LONGEST_LIVE_MS });
  try {
    const told = await replay(call, day, cast);
    const { sent } = told;
    const since = Date.now();
    say(`told ${sent.points} points and ${sent.scans} scans in ${Math.round((since - from - pastMs) / 1_000)} s`);
    const samples: Sample[] = [];
    do {
      samples.push(...(await sampleAll(call, day, cast, Date.now())));
      if (liveMs > 0) await delay(15_000);
    } while (Date.now() < since + liveMs);
    const { endedAt, summaries } = await told.end();
    const endedMs = performance.now();
    let wrong: string[] = [];
    await until(async () => {
      wrong = await wrongRanks(call, cast, summaries);
      return wrong.length === 0;
    }).catch(() => undefined);
    const skied = day.people
      .filter(({ records }) => records)
      .flatMap(({ runs }) => runs.filter(({ at }) => at <= endedAt)).length;
    const recorded = [...summaries.values()].reduce((sum, { runs }) => sum + runs, 0);
    const caughtUpMs = performance.now() - endedMs;
    return { samples, wrongRanks: wrong, caughtUpMs, sent, runs: { skied, recorded } };
  } finally {
    await leave(call, cast);
  }
};
