/** What a scan costs in statements and calls of the log. Numbers that grow again fail here. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signCode } from '../../commands/passes/codes.ts';
import { passKeysOf } from '../../commands/passes/keys.ts';
import { recordScans, scanPass } from '../../commands/passes/scans.ts';
import { todayIn } from '../../domain/core/dates.ts';
import { pass } from '../../domain/passes/pass.ts';
import { contextOf } from '../kit/context.ts';
import { countingStore } from '../kit/counts.ts';
import { testDeps } from '../kit/deps.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';
import { soldPass } from './passFixtures.ts';

let servers: StoreServers;
let stores: Stores;
beforeAll(async () => {
  servers = await startStoreServers();
  stores = await servers.fresh();
});
afterAll(async () => {
  await stores.stop();
  await servers.stop();
});

it('a scan is one append, and a pass is read once, however many scans follow', async () => {
  const { store, counted } = countingStore(stores.store);
  const passKeys = passKeysOf('a secret of specs that is long enough');
  const validFrom = todayIn(soldPass.timezone, new Date().toISOString());
  const startsAt = new Date(Date.now() - 3_600_000).toISOString();
  const sellerOf = testDeps(stores).aggregates;
  const codeOf = async (): Promise<string> => {
    const passId = randomUUID();
    const terms = { ...soldPass, startsAt, validFrom, validTo: validFrom, unit: 'season', count: 1 } as const;
    await sellerOf.handle(pass, passId, { type: 'SellPass', ...terms }, contextOf('system'));
    await sellerOf.handle(pass, passId, { type: 'IssuePass', deviceKey: null }, contextOf('system'));
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const of = { passId, serial: 1, from: startsAt, until, areas: [], ageGroup: 'adult', deviceKey: null } as const;
    return signCode(passKeys, { ...of, unit: 'season', count: 1 });
  };
  // Without a pool: a statement would fail.
  const deps = { aggregates: testDeps({ ...stores, store }).aggregates, passKeys } as never;
  const gate = { gateId: 'valley', liftId: null, area: null };
  const [code, ...others] = await Promise.all(Array.from({ length: 11 }, codeOf));
  const scan = () => scanPass(deps, contextOf('gate'), { ...gate, scanId: randomUUID(), code: code ?? '' });

  expect((await scan()).opens).toBe(true);
  expect(counted.calls.toSorted()).toEqual(['append pass', 'read pass', 'read passClosures']);
  counted.calls.length = 0;
  expect((await scan()).reason).toBe('passback');
  // The closures are read once a second at most.
  expect(counted.calls.filter((call) => call !== 'read passClosures')).toEqual(['append pass']);

  counted.calls.length = 0;
  const deviceTime = new Date().toISOString();
  const told = others.map((each) => ({ ...gate, scanId: randomUUID(), code: each }));
  const scans = told.map((each) => ({ ...each, scannedAt: deviceTime, passed: true, reason: null }));
  const { kept } = await recordScans(deps, contextOf('gate'), { deviceTime, scans });
  expect(kept.map(({ conflict }) => conflict)).toEqual(Array(10).fill(null));
  const count = (call: string) => counted.calls.filter((each) => each === call).length;
  expect([count('append pass'), count('read pass')]).toEqual([10, 10]);
});
