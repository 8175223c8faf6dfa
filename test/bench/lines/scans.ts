/** The line of the gates: scans one by one, and those of gates that had no connection. */
import { randomUUID } from 'node:crypto';
import { createApiKey } from '../../../commands/partners/apiKeys.ts';
import { signCode } from '../../../commands/passes/codes.ts';
import { addDays, todayIn } from '../../../domain/core/dates.ts';
import { pass } from '../../../domain/passes/pass.ts';
import { concurrentEach } from '../../../infra/concurrentEach.ts';
import type { Wiring } from '../../../ops/wiring.ts';
import { withLoad } from '../http.ts';
import type { Goal, Line } from '../line.ts';
import type { Request } from '../load.ts';
import { type Contender, compare } from '../rounds.ts';

/** More scans than are made in a second: so many passes are prepared, because each opens once in five minutes. */
const MOST_A_SECOND = 1_000;
const BATCH = 1_000;
/** As many gates ask at the same time. */
const GATES = 16;

const contextAs = (role: 'admin' | 'tourist') => {
  const commandId = randomUUID();
  const actor = { kind: 'system', id: 'bench', role } as const;
  const of = { correlationId: commandId, causationId: commandId, commandId, actor, ip: null };
  return { ...of, at: new Date().toISOString(), isFirstAttempt: true };
};

/** The printed codes of new passes for the season. */
const issued = async ({ aggregates, passKeys }: Wiring, count: number): Promise<string[]> => {
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
    await aggregates.handle(pass, passId, { type: 'IssuePass', deviceKey: null }, contextAs('tourist'));
    const dates = { from: of.startsAt, until: `${validTo}T00:00:00.000Z` };
    codes.push(signCode(passKeys, { passId, serial: 1, ...dates, ...terms, deviceKey: null }));
  });
  return codes;
};

const batchOf = (codes: readonly string[]): object => {
  const at = new Date().toISOString();
  const scans = codes.map((code) => ({ scan_id: randomUUID(), code, scanned_at: at, passed: true }));
  return { gate_id: 'hut', device_time: at, scans };
};

/** Counts scans instead of requests. */
const ofScans = ({ run, ...contender }: Contender): Contender => ({
  ...contender,
  run: async (seconds) => {
    const work = await run(seconds);
    return { ...work, operations: work.operations * BATCH };
  },
});

export const scans: Line = {
  name: 'scans',
  work: '`POST /pass/scan` of one pass each by 16 gates; `POST /pass/scans` with 1,000 of them by 2 gates',
  peer: null,
  goal: '≥ 300/s, p99 ≤ 50 ms; ≥ 1,000/s in batches',
  run: async ({ size: { plan }, resort }) => {
    const { wiring, system } = await resort();
    const details = { name: 'Gates', scopes: ['passes:scan' as const], allowedDomains: [], expiresAt: null };
    const { key } = await createApiKey(wiring, contextAs('admin'), details);
    const seconds = plan.warmUpSeconds + plan.rounds * plan.seconds;
    const codes = await issued(wiring, seconds * MOST_A_SECOND);
    const headers = { 'x-api-key': key };
    const single = codes.map((code): Request => {
      const body = JSON.stringify({ scan_id: randomUUID(), gate_id: 'valley', code });
      return { line: 'POST /api/v1/pass/scan', headers, body };
    });
    const batches = Array.from({ length: Math.floor(codes.length / BATCH) }, (_, n): Request => {
      const body = JSON.stringify(batchOf(codes.slice(n * BATCH, (n + 1) * BATCH)));
      return { line: 'POST /api/v1/pass/scans', headers, body };
    });
    const { api: url, processes, counts } = system;
    const load = { url, status: 200, once: true };
    const served = [
      { name: 'one by one', processes, counts, load: { ...load, requests: single, connections: GATES } },
      { name: 'in batches', processes, counts, load: { ...load, requests: batches, connections: 2 } },
    ];
    const results = await withLoad(served, ([one, many]) =>
      compare([one as Contender, ofScans(many as Contender)], plan),
    );
    const [one, many] = results;
    const goals: Goal[] = [
      { what: 'scans/s', value: one?.rate.median ?? Number.NaN, limit: 300, is: 'at least' },
      { what: 'ms p99', value: one?.p99 ?? Number.NaN, limit: 50, is: 'at most' },
      { what: 'scans/s in batches', value: many?.rate.median ?? Number.NaN, limit: 1_000, is: 'at least' },
    ];
    return [{ name: 'scans', results, goals }];
  },
};
