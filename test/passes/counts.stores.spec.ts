/** What a scan costs in statements and calls of the log. Numbers that grow again fail here. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { badgePolicy } from '../../commands/badges/policy.ts';
import { signCode } from '../../commands/passes/codes.ts';
import { passKeysOf } from '../../commands/passes/keys.ts';
import { recordScans, scanPass } from '../../commands/passes/scans.ts';
import { resortPolicy } from '../../commands/resort/policy.ts';
import { todayIn } from '../../domain/core/dates.ts';
import { DAY_MS, HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { pass } from '../../domain/passes/pass.ts';
import { contextOf } from '../kit/context.ts';
import { countingStore } from '../kit/counts.ts';
import { testDeps } from '../kit/deps.ts';
import { happened } from '../kit/projected.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { scanAt, soldPass } from './passFixtures.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
});

it('a scan is one append, and a pass is read once, however many scans follow', async () => {
  const { store, counted } = countingStore(stores.store);
  const passKeys = passKeysOf('a secret of specs that is long enough');
  const validFrom = todayIn(soldPass.timezone, new Date().toISOString());
  const startsAt = instantOf(Date.now() - HOUR_MS);
  const sellerOf = testDeps(stores).aggregates;
  const codeOf = async (): Promise<string> => {
    const passId = randomUUID();
    const terms = { ...soldPass, startsAt, validFrom, validTo: validFrom, unit: 'season', count: 1 } as const;
    await sellerOf.handle(pass, passId, { type: 'SellPass', ...terms }, contextOf('system'));
    await sellerOf.handle(
      pass,
      passId,
      { type: 'IssuePass', deviceKey: null, at: new Date().toISOString() },
      contextOf('system'),
    );
    const until = instantOf(Date.now() + DAY_MS);
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

it('what follows from scans that are handled together is one statement each', async () => {
  const statements: string[] = [];
  const query = async (text: string) => ({ rows: statements.push(text.trim().slice(0, 30)) && [] });
  const deps = { ...testDeps(stores), pool: { query } } as never;
  const scannedAt = new Date().toISOString();
  const liftId = randomUUID();
  const events = Array.from({ length: 20 }, () => {
    const day = { isOnline: false, day: scannedAt.slice(0, 10), startsDay: true, startsPass: null, conflict: null };
    const scanned = { type: 'PassScanned', data: { userId: randomUUID(), ...scanAt(scannedAt, { liftId }), ...day } };
    return happened('pass', randomUUID(), scanned, scannedAt) as never;
  });
  const context = contextOf('system');
  for (const { handlers } of [badgePolicy, resortPolicy])
    await Promise.all(events.map((event) => handlers.get('PassScanned')?.(event, { deps, context })));
  expect(statements).toEqual([
    expect.stringContaining('insert into ops.badge_facts'),
    expect.stringContaining('insert into ops.lift_passages'),
  ]);
});

it('the badges are read once, however many people begin their day', async () => {
  const callsOf = async (): Promise<string[]> => {
    const { store, counted } = countingStore(stores.store);
    const deps = testDeps({ ...stores, store });
    const scannedAt = new Date().toISOString();
    for (let n = 0; n < 5; n += 1) {
      const day = { isOnline: true, day: scannedAt.slice(0, 10), startsDay: true, startsPass: null, conflict: null };
      const scanned = { type: 'PassScanned', data: { userId: randomUUID(), ...scanAt(scannedAt), ...day } };
      const event = happened('pass', randomUUID(), scanned, scannedAt);
      await badgePolicy.handlers.get('PassScanned')?.(event as never, { deps, context: contextOf('system') });
    }
    return counted.calls;
  };
  // They are kept for a second: a busy machine may take longer once.
  const rounds = [await callsOf(), await callsOf(), await callsOf()];
  expect(rounds.toSorted((a, b) => a.length - b.length)[0]).toEqual(['read badgeCatalogue']);
});
