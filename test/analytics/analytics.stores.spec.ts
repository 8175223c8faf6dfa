/** Events of apps and conversions on a real database: taken once, divided by day, forgotten. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { analytics } from '../../commands/analytics/index.ts';
import { analyticsPolicy } from '../../commands/analytics/policy.ts';
import { type Recorded, recordEvents, type SentEvent } from '../../commands/analytics/record.ts';
import { analyticsMigrations, pruneAnalytics } from '../../commands/analytics/tables.ts';
import { erasePerson } from '../../commands/core/erasure.ts';
import { handleEvents, policyRetry } from '../../commands/core/policy.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { timezoneNow } from '../../commands/platform/timezone.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { addMinutes, DAY_MS } from '../../domain/core/instants.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { createTombstones } from '../../infra/tombstones.ts';
import { keptTables, loadRows, rowLines } from '../../ops/backup/tables.ts';
import { BOOKING, created, creation, PAYMENT } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { statementsOf } from '../kit/counts.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { inTables } from '../kit/personalData.ts';
import { happened } from '../kit/projected.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
let node: Node;
const consented = new Set<string>();
/** As the table knows it, which may be behind. */
const seemsToConsent = new Set<string>();
beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores, {
    mayAnalyse: async (accountId) => consented.has(accountId),
    seemsToConsent: async (accountId) => seemsToConsent.has(accountId),
  });
});
beforeEach(() => stores.pool.query('truncate ops.analytics_events, ops.analytics_conversions, ops.analytics_visits'));

const NOW = '2026-11-22T12:00:00.000Z';
const ago = (minutes: number): string => addMinutes(NOW, -minutes);
const DAY_MIN = 1_440;

const somebody = (): string => {
  const accountId = randomUUID();
  consented.add(accountId);
  seemsToConsent.add(accountId);
  return accountId;
};
const anEvent = (changes: Partial<SentEvent> = {}): SentEvent => ({
  index: 0,
  eventId: randomUUID(),
  sessionId: randomUUID(),
  kind: 'screen_view',
  name: 'home',
  occurredAt: ago(1),
  properties: {},
  ...changes,
});
const send = (accountId: string, events: readonly SentEvent[], sentAt: string | null = null): Promise<Recorded> =>
  recordEvents(node, { accountId, sentAt, receivedAt: NOW }, events);
const select = async (text: string, values: readonly unknown[] = []) =>
  (await stores.pool.query(text, [...values])).rows;
const partitions = async (): Promise<string[]> =>
  (
    await select(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ops.analytics_events'::regclass order by 1`,
    )
  ).map(({ name }) => name);

it('takes one statement for a batch of 500, and three for six that come together', async () => {
  const person = somebody();
  const batch = () => Array.from({ length: 500 }, (_, index) => anEvent({ index }));
  await timezoneNow(node); // connects to the log, and asks the database whether it is the right one
  const inserts = async (work: () => Promise<unknown>) =>
    (await statementsOf('test', async () => void (await work()))).filter((text) => text !== '').length;
  expect(await inserts(() => send(person, batch()))).toBe(1);
  await timezoneNow(node); // it is known for a second: they must not wait for it, one longer than the other
  // Two go at once; those that come meanwhile go together.
  expect(await inserts(() => Promise.all(Array.from({ length: 6 }, () => send(person, batch()))))).toBe(3);
});

describe('events of apps', () => {
  it('are taken once, however they are sent again', async () => {
    const accountId = somebody();
    const [first, second, third] = [anEvent(), anEvent(), anEvent()];
    expect(await send(accountId, [first, second, first])).toEqual({ accepted: 2, duplicates: 1, rejected: [] });
    const shouted = { ...second, eventId: second.eventId.toUpperCase() };
    expect(await send(accountId, [third, shouted])).toEqual({ accepted: 1, duplicates: 1, rejected: [] });
    const again = await Promise.all(Array.from({ length: 20 }, () => send(accountId, [anEvent({ index: 1 }), first])));
    expect(again.every(({ accepted, duplicates }) => accepted === 1 && duplicates === 1)).toBe(true);
    // An id says nothing about the events of others.
    expect(await send(somebody(), [first])).toMatchObject({ accepted: 1 });
  });

  it('that are sent at the same time are taken by one request', async () => {
    const accountId = somebody();
    const same = Array.from({ length: 40 }, () => anEvent());
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send(accountId, n % 2 ? same : same.toReversed())),
    );
    expect(replies.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(40);
    expect(replies.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(360);
  });

  it('are rejected one by one, and all without consent', async () => {
    const accountId = somebody();
    const events = [
      anEvent({ index: 0 }),
      anEvent({ index: 2, occurredAt: ago(40 * DAY_MIN) }),
      anEvent({ index: 5, name: 'paid' }),
      anEvent({ index: 6, properties: { text: 'й'.repeat(5_000) } }),
    ];
    const reply = await send(accountId, events);
    expect(reply).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(reply.rejected.map(({ index }) => index)).toEqual([2, 5, 6]);
    consented.delete(accountId);
    const refused = await send(accountId, events);
    expect(refused).toMatchObject({ accepted: 0, duplicates: 0, rejected: { length: 4 } });
    expect(refused.rejected[0]?.detail).toContain('has not consented');
  });

  it('keep the three times, and are counted by the corrected one', async () => {
    const accountId = somebody();
    const event = anEvent({ occurredAt: '2026-11-22T23:30:00+03:00', properties: { screen: 'home' } });
    const receivedAt = '2026-11-22T21:20:00.000Z';
    await recordEvents(node, { accountId, sentAt: '2026-11-22T20:40:00Z', receivedAt }, [event]);
    expect(
      await select('select occurred_at, sent_at, received_at, at, day, properties from ops.analytics_events'),
    ).toEqual([
      {
        occurred_at: '2026-11-22T20:30:00.000Z',
        sent_at: '2026-11-22T20:40:00.000Z',
        received_at: receivedAt,
        at: '2026-11-22T21:10:00.000Z',
        day: '2026-11-22',
        properties: { screen: 'home' },
      },
    ]);
    // After midnight at the resort, by the corrected clock.
    expect(await node.analytics.activeDays({ from: '2026-11-22', to: '2026-11-23' })).toEqual([
      { day: '2026-11-23', people: 1, visits: 1 },
    ]);
  });
});

describe('people', () => {
  it('are active by day, week and month, and come back by cohort', async () => {
    const [anna, boris] = [somebody(), somebody()];
    const [monday, sameWeek, later] = [20 * DAY_MIN, 18 * DAY_MIN, 6 * DAY_MIN];
    const session = randomUUID();
    await send(
      anna,
      [monday, sameWeek, later].map((minutes) => anEvent({ occurredAt: ago(minutes) })),
    );
    await send(anna, [anEvent({ sessionId: session }), anEvent({ sessionId: session })]);
    await send(boris, [anEvent({ occurredAt: ago(sameWeek) })]);
    expect(await node.analytics.activePeople('2026-11-22')).toEqual({ dau: 1, wau: 1, mau: 2 });
    expect(await node.analytics.visitsOf(anna, { from: '-infinity', to: 'infinity' })).toBe(4);
    expect(await node.analytics.cohorts({ from: '2026-11-01', to: '2026-11-22' })).toEqual([
      { week: '2026-11-02', size: 2, active: [2, 0, 1] },
    ]);
  });
});

describe('conversions', () => {
  const retry = policyRetry<Node>([]);
  const handle = (events: readonly ReturnType<typeof happened>[]) =>
    handleEvents(node, analyticsPolicy, retry, { events: [...events], unreadable: [] });
  const stored = () =>
    select('select name, item_type, amount_minor, currency, account_id from ops.analytics_conversions order by at');

  it('come from the log exactly once, as amounts of everybody, with the person only by consent', async () => {
    const userId = somebody();
    const book = { type: 'CreateBooking', ...creation, userId } as const;
    const context = { ...contextOf(userId), isFirstAttempt: true };
    await node.aggregates.handle(
      booking,
      BOOKING,
      { ...book, guest: { name: null, phone: null, arrivalTime: null } },
      context,
    );
    const booked = happened(
      'booking',
      BOOKING,
      { ...created, data: { ...creation, userId } } as typeof created,
      ago(9),
    );
    const paid = happened(
      'booking',
      BOOKING,
      { type: 'BookingPaid', data: { paymentId: PAYMENT, amountMinor: 20_000 } },
      ago(8),
    );
    await handle([booked, paid]);
    await handle([booked, paid, booked]);
    const about = { item_type: 'hotel', amount_minor: 20_000, currency: 'RUB' };
    expect(await stored()).toEqual([
      { name: 'booked', ...about, account_id: userId },
      { name: 'paid', ...about, account_id: userId },
    ]);
    const withdrawn = {
      userId,
      by: 'guest',
      reason: null,
      penaltyPercent: 50,
      penaltyMinor: 1,
      refundMinor: 10_000,
    } as const;
    const cancelled = happened('booking', BOOKING, { type: 'BookingCancelled', data: withdrawn }, ago(7));
    consented.delete(userId);
    // The table does not know of the withdrawal yet. What is handled again loses the person, too.
    await handle([booked, cancelled]);
    expect((await stored()).map(({ account_id }) => account_id)).toEqual([null, userId, null]);
    seemsToConsent.delete(userId);
    await handle([cancelled]);
    expect((await stored())[2]).toEqual({ name: 'cancelled', ...about, amount_minor: 10_000, account_id: null });
  });

  it('ask the log only about people who seem to consent', async () => {
    const asked: string[] = [];
    const known = new Set<string>();
    const counting = {
      ...node,
      seemsToConsent: async (accountId: string) => known.has(accountId),
      mayAnalyse: async (accountId: string) => asked.push(accountId) > 0,
    };
    const bookedBy = (userId: string) =>
      happened('booking', randomUUID(), { ...created, data: { ...creation, userId } } as typeof created, ago(9));
    const [silent, consenting] = [randomUUID(), randomUUID()];
    known.add(consenting);
    await handleEvents(counting, analyticsPolicy, retry, {
      events: [bookedBy(silent), bookedBy(consenting)],
      unreadable: [],
    });
    expect(asked).toEqual([consenting]);
    expect((await stored()).map(({ account_id }) => account_id).toSorted()).toEqual([consenting, null].toSorted());
  });
});

it('who withdraws their consent is forgotten, unless they have given it again', async () => {
  const accountId = somebody();
  await send(accountId, [anEvent()]);
  const answered = (granted: boolean, purpose: 'analytics' | 'marketing' = 'analytics') =>
    happened(
      'consent',
      accountId,
      { type: 'ConsentAnswered', data: { purpose, granted, policyVersion: '1', userAgent: null } },
      NOW,
    );
  const handle = (event: ReturnType<typeof answered>) =>
    handleEvents(node, analyticsPolicy, policyRetry<Node>([]), { events: [event], unreadable: [] });
  const count = () => node.analytics.visitsOf(accountId, { from: '-infinity', to: 'infinity' });
  await handle(answered(false));
  expect(await count()).toBe(1);
  consented.delete(accountId);
  await handle(answered(false, 'marketing'));
  expect(await count()).toBe(1);
  await handle(answered(false));
  expect(await count()).toBe(0);
  expect(await select('select * from ops.analytics_events')).toEqual([]);
});

describe('the table of events', () => {
  it('gets partitions ahead, moves what came without one, and drops whole days', async () => {
    const accountId = somebody();
    const early = anEvent({ occurredAt: ago(2 * DAY_MIN) });
    await send(accountId, [early, anEvent(), anEvent({ occurredAt: ago(25 * DAY_MIN) })]);
    expect(await partitions()).toEqual(['ops.analytics_events_rest']);
    await Promise.all([1, 2].map(() => pruneAnalytics(stores.pool, { analyticsRetentionDays: 31 }, Date.parse(NOW))));
    expect(await partitions()).toEqual([
      'ops.analytics_events_20261028',
      'ops.analytics_events_20261120',
      ...[22, 23, 24, 25].map((day) => `ops.analytics_events_202611${day}`),
      'ops.analytics_events_rest',
    ]);
    expect(await select('select count(*) from only ops.analytics_events_rest')).toEqual([{ count: 0 }]);
    expect(await send(accountId, [early])).toEqual({ accepted: 0, duplicates: 1, rejected: [] });

    const weekLater = Date.parse(NOW) + 7 * DAY_MS;
    await pruneAnalytics(stores.pool, { analyticsRetentionDays: 31 }, weekLater);
    expect((await partitions())[0]).toBe('ops.analytics_events_20261120');
    expect(await select('select count(*) from ops.analytics_events')).toEqual([{ count: 2 }]);
    expect(await node.analytics.visitsOf(accountId, { from: '-infinity', to: 'infinity' })).toBe(2);
  });

  it('is backed up and restored, whatever partitions there are', async () => {
    const accountId = somebody();
    await send(accountId, [anEvent(), anEvent({ occurredAt: ago(3 * DAY_MIN) })]);
    const other = await freshStores();
    for (const table of await keptTables(stores.pool))
      if (table.name.startsWith('analytics'))
        await inTransaction(stores.pool, async (from) => {
          await inTransaction(other.pool, (to) => loadRows(to, table.name, rowLines(from, table)));
        });
    const rows = 'select * from ops.analytics_events order by event_id';
    expect((await other.pool.query(rows)).rows).toEqual(await select(rows));
    await other.stop();
  });

  it('shows a person their events, and forgets them with the person; amounts stay', async () => {
    const accountId = somebody();
    await send(accountId, [anEvent({ properties: { screen: 'home' } })]);
    const about = { itemType: 'tour', itemId: randomUUID(), amountMinor: 700, currency: 'RUB', at: NOW };
    await node.analytics.addConversion({ id: randomUUID(), name: 'booked', ...about }, accountId);
    const held = await inTables(stores.pool, [analyticsMigrations], accountId);
    expect(Object.keys(held)).toEqual(['ops.analytics_events', 'ops.analytics_visits', 'ops.analytics_conversions']);
    expect(held['ops.analytics_events']).toMatchObject([{ name: 'home', properties: { screen: 'home' } }]);

    const folder = path.join(tmpdir(), `tombstones-${randomUUID()}`);
    const plan = {
      modules: [analytics.erasure],
      tables: [analyticsMigrations],
      tombstones: createTombstones(folder),
    };
    await erasePerson<CommandDeps>(node, plan, accountId);
    expect(await inTables(stores.pool, [analyticsMigrations], accountId)).toEqual({});
    expect(await select('select name, amount_minor, account_id from ops.analytics_conversions')).toEqual([
      { name: 'booked', amount_minor: 700, account_id: null },
    ]);
    await rm(folder, { recursive: true });
  });
});
