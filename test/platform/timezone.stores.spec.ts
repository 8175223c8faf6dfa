/** The time zone of the resort: whatever counts days takes it from the configuration, where a setting can have put it once. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recordEvents } from '../../commands/analytics/record.ts';
import { factsOf } from '../../commands/badges/badgeFacts.ts';
import { badgePolicy } from '../../commands/badges/policy.ts';
import { handleEvents, policyRetry } from '../../commands/core/policy.ts';
import { accept, invite, pairId } from '../../commands/friends/friends.ts';
import { calendarNow } from '../../commands/leaderboards/deps.ts';
import { monthAt } from '../../commands/ledger/statements.ts';
import { patchConfig } from '../../commands/platform/config.ts';
import { adoptTimezone, timezoneNow } from '../../commands/platform/timezone.ts';
import { reportDay } from '../../commands/tracking/reportedDays.ts';
import { finishSession, startSession } from '../../commands/tracking/sessions.ts';
import { localTime, todayIn } from '../../domain/core/dates.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { platformConfig } from '../../domain/platform/platformConfig.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { randomFrom } from '../kit/random.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { totals } from '../tracking/fixtures.ts';

let stores: Stores | undefined;
let node: Node;
beforeEach(async () => {
  await stores?.stop();
  stores = await freshStores();
  node = testDeps(stores, { mayAnalyse: async () => true });
});

/** 15:00 in Moscow; the next day has begun in Auckland. */
const NOON = '2027-01-13T12:00:00.000Z';
const patch = (patched: object, at = NOON, by = node) =>
  patchConfig(by, contextOf(randomUUID(), 'admin', at), patched, { reason: null });
const changes = () => node.store.read(`platformConfig-${ONLY_ONE}`);

/** The day at noon of each that counts days. */
const days: Readonly<Record<string, (at: string) => Promise<string>>> = {
  'a tracking session': async (at) => {
    const accountId = randomUUID();
    return (await startSession(node, contextOf(accountId, 'tourist', at), accountId, at)).session.day;
  },
  'a reported day': async (at) => {
    const report = (day: string) => {
      const accountId = randomUUID();
      return reportDay(node, contextOf(accountId, 'tourist', at), accountId, { day, totals });
    };
    // Days ahead are refused.
    return report('2027-01-14').then(
      () => '2027-01-14',
      () => report('2027-01-13').then(() => '2027-01-13'),
    );
  },
  'an event of an app': async (at) => {
    const accountId = randomUUID();
    const ids = { eventId: randomUUID(), sessionId: randomUUID() };
    const event = { ...ids, index: 0, kind: 'click', name: 'home', occurredAt: at, properties: {} } as const;
    await recordEvents(node, { accountId, sentAt: null, receivedAt: at }, [event]);
    const found = 'select day::text from ops.analytics_visits where account_id = $1';
    return (await node.pool.query<{ day: string }>(found, [accountId])).rows[0]?.day ?? '';
  },
  'a new friend, for badges': async (at) => {
    const [anna, boris] = [randomUUID(), randomUUID()];
    const by = (person: string) => contextOf(person, 'tourist', at);
    await invite(node, by(anna), { by: anna, other: boris }, 'id');
    await accept(node, by(boris), { by: boris, other: anna });
    const events = await node.codec.decode<Recorded>(await node.store.read(`friendship-${pairId(anna, boris)}`));
    await handleEvents(node, badgePolicy, policyRetry([badgePolicy]), { events, unreadable: [] });
    return (await factsOf(node.pool, anna))[0]?.day ?? '';
  },
  'a board': async (at) => todayIn((await calendarNow(node)).timezone, at),
};

it('one change of the configuration moves all that count days', async () => {
  const all = async () =>
    Object.fromEntries(await Promise.all(Object.entries(days).map(async ([name, day]) => [name, await day(NOON)])));
  const on = (day: string) => Object.fromEntries(Object.keys(days).map((name) => [name, day]));
  expect(await all()).toEqual(on('2027-01-13'));
  await patch({ timezone: 'Pacific/Auckland' });
  expect(await all()).toEqual(on('2027-01-14'));
});

it('a change of the time zone moves no day that was counted', async () => {
  const accountId = randomUUID();
  const { id } = await startSession(node, contextOf(accountId, 'tourist', NOON), accountId, NOON);
  await patch({ timezone: 'Pacific/Auckland' });
  const end = addMs(NOON, HOUR_MS);
  const session = await finishSession(node, contextOf(accountId, 'tourist', end), { accountId, sessionId: id }, end);
  expect(session).toMatchObject({ status: 'finished', day: '2027-01-13' });
});

describe('statements', () => {
  it('follow each other without a gap or an overlap, whenever the time zone is changed', async () => {
    const random = randomFrom();
    const zones = ['Pacific/Auckland', 'Europe/Moscow', 'America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'];
    let at = Date.parse('2027-01-20T00:00:00Z');
    for (let change = 0; change < 12; change += 1) {
      // Often within the hours in which a month begins somewhere.
      const zone = zones[Math.floor(random() * zones.length)];
      await patch({ timezone: zone }, new Date(at).toISOString());
      at += Math.floor(random() * 20 * DAY_MS);
    }
    await patch({ timezone: 'Pacific/Auckland' }, '2027-11-30T23:30:00.000Z');
    const months = Array.from(
      { length: 14 },
      (_, month) => `${month < 12 ? 2027 : 2028}-${String((month % 12) + 1).padStart(2, '0')}`,
    );
    const periods = [];
    for (const month of months) {
      const { period, timezone } = await monthAt(node, month);
      expect(localTime(timezone, period.from)).toBe(`${month}-01 00:00`);
      periods.push(period);
    }
    for (const [index, { to }] of periods.slice(0, -1).entries()) expect(to).toBe(periods[index + 1]?.from);
  });

  it('before the time zone of the setting was taken over are in it', async () => {
    await adopt('Pacific/Auckland');
    const now = new Date().toISOString().slice(0, 7);
    expect((await monthAt(node, '2026-01')).timezone).toBe('Pacific/Auckland');
    await patch({ timezone: 'UTC' }, new Date().toISOString());
    expect((await monthAt(node, now)).timezone).toBe('Pacific/Auckland');
    expect((await monthAt(node, '2099-01')).timezone).toBe('UTC');
  });
});

/** What a worker does at its start. */
const adopt = async (resortTimezone: string | undefined, log = node.log): Promise<void> => {
  const worker = changed(node, { settings: { resortTimezone }, log });
  await adoptTimezone(worker, new AbortController().signal);
};

describe('the setting', () => {
  it('is taken over once, by however many workers, and named in the history', async () => {
    await Promise.all([adopt('Europe/Vienna'), adopt('Europe/Vienna'), adopt('Europe/Vienna')]);
    expect(await timezoneNow(node)).toBe('Europe/Vienna');
    const [event, ...more] = await node.codec.decode<Recorded>(await changes());
    expect(more).toEqual([]);
    expect(event?.meta.actor.id).toBe('setting:RESORT_TIMEZONE');
    await adopt('Asia/Tokyo');
    expect(await timezoneNow(node)).toBe('Europe/Vienna');
  });

  it('is taken over after others have changed anything else', async () => {
    await patch({ rescue_phone: '103' });
    await adopt('Europe/Vienna');
    expect((await node.aggregates.load(platformConfig, ONLY_ONE)).state.config).toMatchObject({
      rescue_phone: '103',
      timezone: 'Europe/Vienna',
    });
  });

  it('changes nothing once somebody has chosen a time zone, also the former one again, and says so', async () => {
    await patch({ timezone: 'Europe/Vienna' });
    await patch({ timezone: null });
    const warn = vi.fn();
    await adopt('Asia/Tokyo', { ...node.log, warn } as never);
    expect(await timezoneNow(node)).toBe('Europe/Moscow');
    expect(warn).toHaveBeenCalledWith(
      { setting: 'Asia/Tokyo', timezone: 'Europe/Moscow' },
      'RESORT_TIMEZONE is not used: the time zone was changed in the configuration',
    );
  });

  it('changes nothing where it is not set, or is the default', async () => {
    await adopt(undefined);
    await adopt('Europe/Moscow');
    expect(await changes()).toEqual([]);
  });

  it('is tried again while the log is away', async () => {
    let failures = 2;
    const aggregates = {
      ...node.aggregates,
      handle: (async (...given: Parameters<Node['aggregates']['handle']>) => {
        failures -= 1;
        if (failures >= 0) throw new Error('away');
        return node.aggregates.handle(...given);
      }) as Node['aggregates']['handle'],
    };
    const worker = changed(node, { settings: { resortTimezone: 'Europe/Vienna' }, aggregates });
    await adoptTimezone(worker, new AbortController().signal);
    expect(await timezoneNow(node)).toBe('Europe/Vienna');
  });
});
