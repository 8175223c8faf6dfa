/** The line of the gates: scans one by one, and those of gates that had no connection. */
import { randomUUID } from 'node:crypto';
import { createApiKey } from '../../../commands/partners/apiKeys.ts';
import { signCode } from '../../../commands/passes/codes.ts';
import { addDays, todayIn } from '../../../domain/core/dates.ts';
import { pass } from '../../../domain/passes/pass.ts';
import { concurrentEach } from '../../../infra/concurrentEach.ts';
import type { Wiring } from '../../../ops/wiring.ts';
import { contextAs } from '../context.ts';
import { answerTo, counting, withLoad } from '../http.ts';
import { type Goal, type Line, warmedUp } from '../line.ts';
import type { Request } from '../load.ts';
import { untilQuiet } from '../resort.ts';
import { type Contender, compare } from '../rounds.ts';

/** More scans than are made in a second: so many passes are prepared, because each opens once in five minutes. */
const MOST_A_SECOND = 700;
const MOST_A_SECOND_IN_BATCHES = 1_500;
const BATCH = 1_000;
/** Passes that have passed a gate of this system before; each is told of again and again. */
const KNOWN = 2_000;
/** Between two passages of a pass. */
const APART_MS = 360_000;
const LIFT = randomUUID();
/** As many gates ask at the same time. */
const GATES = 16;
/** Scans a second at which answers are timed: as fast as they can, 16 gates only measure how long they wait for each other. */
const STEADY = 300;

/** The printed codes of new passes for the season. @param isRidden whether they passed a gate on the day before */
const issued = async ({ aggregates, passKeys }: Wiring, count: number, isRidden = false): Promise<string[]> => {
  const today = todayIn('UTC', new Date().toISOString());
  const [validFrom, validTo] = [addDays(today, -1), addDays(today, 60)];
  const of = { startsAt: `${validFrom}T00:00:00.000Z`, timezone: 'UTC', soldAt: new Date().toISOString() };
  const terms = { ageGroup: 'adult', unit: 'season', count: 1, areas: [] as number[], refundsUnused: false } as const;
  const codes: string[] = [];
  await concurrentEach(Array.from({ length: count }).keys(), 64, async () => {
    const passId = randomUUID();
    const bought = { purchaseId: randomUUID(), userId: randomUUID(), number: 1, tariffId: randomUUID() };
    const price = { currency: 'RUB', priceMinor: 100, depositMinor: 0, tariffName: 'Season', validFrom, validTo };
    await aggregates.handle(
      pass,
      passId,
      { type: 'SellPass', ...bought, ...of, ...terms, ...price },
      contextAs('tourist'),
    );
    await aggregates.handle(
      pass,
      passId,
      { type: 'IssuePass', deviceKey: null, at: new Date().toISOString() },
      contextAs('tourist'),
    );
    const passed = { scanId: randomUUID(), gateId: 'hut', liftId: null, area: null, scannedAt: of.startsAt, skewMs: 0 };
    const told = { scan: passed, serial: 1, closed: [], passed: true, reason: null, clockIsWrong: false };
    if (isRidden) await aggregates.handle(pass, passId, { type: 'RecordScan', ...told }, contextAs('tourist'));
    const dates = { from: of.startsAt, until: `${validTo}T00:00:00.000Z` };
    codes.push(signCode(passKeys, { passId, serial: 1, ...dates, ...terms, deviceKey: null }));
  });
  return codes;
};

/** A passage of each, so many turns ago. */
const batchOf = (codes: readonly string[], turn: number): string => {
  const scanned_at = new Date(Date.now() - turn * APART_MS).toISOString();
  const scans = codes.map((code) => ({ scan_id: randomUUID(), code, lift_id: LIFT, scanned_at, passed: true }));
  return JSON.stringify({ gate_id: 'hut', device_time: new Date().toISOString(), scans });
};

const batchesOf = (codes: readonly string[], count: number, headers: Request['headers'] = {}): Request[] => {
  const each = codes.length / BATCH;
  return Array.from({ length: count }, (_, n) => {
    const first = (n % each) * BATCH;
    const body = batchOf(codes.slice(first, first + BATCH), Math.floor(n / each));
    return { line: 'POST /api/v1/pass/scans', headers, body };
  });
};

export const scans: Line = {
  name: 'scans',
  work: '`POST /pass/scan` of new passes, one each, by 16 gates as fast as they are answered, and 300 a second whatever they take; `POST /pass/scans` with 1,000 of them by 2 gates, of passes that the process knows, and of others that were ridden the day before',
  peer: null,
  goal: '≥ 300/s, p99 ≤ 50 ms at 300/s; ≥ 1,000/s in batches',
  run: async ({ size, resort }) => {
    const plan = warmedUp(size.plan);
    const { wiring, system } = await resort();
    const details = { name: 'Gates', scopes: ['passes:scan' as const], allowedDomains: [], expiresAt: null };
    const { key } = await createApiKey(wiring, contextAs('admin'), details);
    const seconds = plan.warmUpSeconds + plan.rounds * plan.seconds;
    const most = seconds * MOST_A_SECOND_IN_BATCHES;
    const headers = { 'x-api-key': key };
    const scanOf = (code: string): Request => {
      const body = JSON.stringify({ scan_id: randomUUID(), gate_id: 'valley', lift_id: LIFT, code });
      return { line: 'POST /api/v1/pass/scan', headers, body };
    };
    // First, so that the process has no room for them any more when those that come last are sold.
    const others = batchesOf(await issued(wiring, most, true), most / BATCH, headers);
    const repeated = batchesOf(await issued(wiring, KNOWN), (2 * most) / BATCH, headers);
    const single = (await issued(wiring, seconds * MOST_A_SECOND)).map(scanOf);
    const steady = (await issued(wiring, seconds * STEADY)).map(scanOf);
    const known = repeated.slice(KNOWN / BATCH);
    for (const first of repeated.slice(0, KNOWN / BATCH)) await answerTo(system.api, first);

    const { api: url, processes, counts } = system;
    const ready = () => untilQuiet(wiring);
    const servedBy = (name: string, requests: readonly Request[], connections: number, perSecond?: number) => ({
      ...{ name, processes, counts, ready },
      load: { url, status: 200, once: true, requests, connections, ...(perSecond && { perSecond }) },
    });
    const served = [
      servedBy('one by one', single, GATES),
      servedBy('300 a second', steady, GATES, STEADY),
      servedBy('in batches', known, 2),
      servedBy('in batches, others', others, 2),
    ];
    const results = await withLoad(served, async ([one, at, ...many]) => {
      const [ofKnown, ofOthers] = many.map((each) => counting(BATCH, each)) as [Contender, Contender];
      // The others come last: the process would forget passes for them that are not scanned yet.
      return [
        ...(await compare([one as Contender, at as Contender, ofKnown], plan)),
        ...(await compare([ofOthers], plan)),
      ];
    });
    const [one, at, ofKnown, ofOthers] = results;
    const goals: Goal[] = [
      { what: 'scans/s', value: one?.rate.median ?? Number.NaN, limit: 300, is: 'at least' },
      { what: 'ms p99 at 300/s', value: at?.p99 ?? Number.NaN, limit: 50, is: 'at most' },
      { what: 'scans/s in batches', value: ofKnown?.rate.median ?? Number.NaN, limit: 1_000, is: 'at least' },
      { what: 'scans/s in batches, others', value: ofOthers?.rate.median ?? Number.NaN, limit: 1_000, is: 'at least' },
    ];
    return [{ name: 'scans', results, goals }];
  },
};
