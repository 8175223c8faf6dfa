/** The funnel in SQL is the funnel as it is written down plainly, on random data. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { createAnalyticsStore } from '../../commands/analytics/postgres.ts';
import type { AnalyticsStore, FunnelGroup, FunnelQuery, RecordedEvent } from '../../commands/analytics/store.ts';
import { conversionNames } from '../../domain/analytics/event.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { createPool, inTransaction } from '../../infra/postgres.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { type Happened, referenceFunnel } from './referenceFunnel.ts';

let stores: Stores;
let store: AnalyticsStore;
beforeAll(async () => {
  stores = await freshStores();
  store = createAnalyticsStore(stores.pool);
});

const RUNS = 10;
const START = Date.parse('2026-11-20T23:55:00Z');
const at = (second: number): string => instantOf(START + second * 1_000);
const person = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

const NAMES = ['home', 'card', 'offer', 'booked', 'paid'] as const;
const isConversion = (name: string): boolean => conversionNames.some((each) => each === name);

interface Step {
  readonly person: number;
  readonly name: (typeof NAMES)[number];
  readonly second: number;
  readonly late: number;
  readonly seq: number;
  readonly property: unknown;
}
const step: fc.Arbitrary<Step> = fc.record({
  person: fc.integer({ min: 1, max: 4 }),
  name: fc.constantFrom(...NAMES),
  second: fc.integer({ min: 0, max: 600 }).map((second) => Math.floor(second / 5) * 5),
  late: fc.integer({ min: 0, max: 2 }),
  seq: fc.integer({ min: 0, max: 499 }),
  property: fc.constantFrom('a', 'b', 7, '7', 7.5, 1e-7, 1e21, true, 'true', null, 'null', undefined, '[1]', '"', ''),
});
const query: fc.Arbitrary<FunnelQuery> = fc.record({
  steps: fc.shuffledSubarray([...NAMES], { minLength: 2 }),
  windowS: fc.integer({ min: 1, max: 500 }),
  from: fc.integer({ min: 0, max: 200 }).map(at),
  to: fc.integer({ min: 200, max: 600 }).map(at),
  mode: fc.constantFrom('any', 'once'),
  groupBy: fc.constantFrom(undefined, { by: 'kind' } as const, { by: 'property', name: 'type' } as const),
});

const toEvent = ({ person: n, name, second, late, seq, property }: Step): RecordedEvent => ({
  accountId: person(n),
  eventId: randomUUID(),
  sessionId: randomUUID(),
  kind: isConversion(name) ? 'conversion' : name === 'card' ? 'click' : 'screen_view',
  name,
  occurredAt: at(second),
  sentAt: null,
  receivedAt: isConversion(name) ? at(second) : at(second + late),
  at: at(second),
  localDate: '2026-11-21',
  seq: isConversion(name) ? 0 : seq,
  properties: JSON.stringify(isConversion(name) ? { type: 'hotel', currency: 'RUB' } : { type: property }),
});

const add = async (events: readonly RecordedEvent[]): Promise<void> => {
  await store.addEvents(events.filter(({ name }) => !isConversion(name)));
  for (const { eventId: id, name, at: when, accountId } of events.filter((event) => isConversion(event.name))) {
    const about = { itemType: 'hotel', itemId: id, amountMinor: 1, currency: 'RUB', at: when };
    await store.addConversion({ id, name: name as 'booked', ...about }, accountId);
  }
};
const clear = () => stores.pool.query('truncate ops.analytics_events, ops.analytics_conversions, ops.analytics_visits');

const sorted = (groups: readonly FunnelGroup[]): FunnelGroup[] =>
  groups.toSorted((a, b) => (JSON.stringify(a.group) < JSON.stringify(b.group) ? -1 : 1));

it('equals the reference on random events and questions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.array(query, { minLength: 4, maxLength: 4 }),
      async (steps, queries) => {
        const events = steps.map(toEvent);
        await clear();
        await add(events);
        for (const asked of queries)
          expect(sorted(await store.funnel(asked)), JSON.stringify(asked)).toEqual(
            sorted(referenceFunnel(events, asked)),
          );
      },
    ),
    { numRuns: RUNS },
  );
});

/** Whether the person has done these steps in this order within the window, tried out by brute force. */
const hasDone = (own: readonly Happened[], steps: readonly string[], from: number, until: number): boolean => {
  const [name, ...others] = steps;
  if (name === undefined) return true;
  return own.some(
    (event, n) =>
      event.name === name &&
      Date.parse(event.at) >= from &&
      Date.parse(event.at) <= until &&
      hasDone(own.slice(n + 1), others, from, until),
  );
};

it('steps at the same instant are in the order of the funnel, whenever and however they were sent', async () => {
  const at0 = { person: 1, second: 0, property: 'a' };
  const [home, card, offer] = (['home', 'card', 'offer'] as const).map((name, n) =>
    toEvent({ ...at0, name, late: 2 - n, seq: 2 - n }),
  ) as [RecordedEvent, RecordedEvent, RecordedEvent];
  const asked = { steps: ['home', 'card', 'offer'], windowS: 1, from: at(0), to: at(1), mode: 'any' } as const;
  for (const order of [
    [home, card, offer],
    [offer, card, home],
    [card, home, offer],
  ]) {
    await clear();
    for (const event of order) await add([event]);
    expect((await store.funnel(asked))[0]?.steps.map(({ count }) => count)).toEqual([1, 1, 1]);
  }
});

it('groups are of values with their type', async () => {
  await clear();
  const values = [
    3,
    3,
    '3',
    3.5,
    true,
    'true',
    false,
    null,
    undefined,
    [3],
    '[3]',
    { a: 1 },
    '',
    1e300,
    -0.1,
    'x'.repeat(200),
  ];
  await add(
    values.map((property, n) => toEvent({ person: n + 1, name: 'home', second: 0, late: 0, seq: 0, property })),
  );
  const of = { windowS: 1, from: at(0), to: at(1), mode: 'any', groupBy: { by: 'property', name: 'type' } } as const;
  const found = await store.funnel({ ...of, steps: ['home', 'card'] });
  expect(found.map(({ group, steps }) => [group, steps[0]?.count])).toEqual([
    [3, 2],
    [null, 2],
    ...[
      ['', 1],
      ['3', 1],
      ['[3]', 1],
      ['true', 1],
      ['x'.repeat(100), 1],
      [-0.1, 1],
      [1e300, 1],
      [3.5, 1],
      ['[3]', 1],
    ],
    ...[
      [false, 1],
      [true, 1],
      ['{"a": 1}', 1],
    ],
  ]);
});

it('the reference finds everybody who did the steps in order within the window, once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), query, (steps, asked) => {
      const once: FunnelQuery = { ...asked, mode: 'once', groupBy: undefined };
      // Different instants: the order of what happens within one is that of the funnel.
      const events = [
        ...new Map(steps.map(toEvent).map((event) => [`${event.accountId} ${event.at}`, event])).values(),
      ];
      const counts = once.steps.map((_, last) => {
        const people = [1, 2, 3, 4].filter((n) => {
          const own = events
            .filter(({ accountId }) => accountId === person(n))
            .toSorted((a, b) => (a.at < b.at ? -1 : 1));
          return own.some((entry, index) => {
            const began = Date.parse(entry.at);
            if (entry.name !== once.steps[0] || began < Date.parse(once.from) || began >= Date.parse(once.to))
              return false;
            return hasDone(own.slice(index + 1), once.steps.slice(1, last + 1), began, began + once.windowS * 1_000);
          });
        });
        return people.length;
      });
      const [found] = referenceFunnel(events, once);
      expect(found?.steps.map(({ count }) => count) ?? counts.map(() => 0)).toEqual(counts);
    }),
    { numRuns: RUNS * 10 },
  );
});

it('counts everybody, over months', async () => {
  await clear();
  const people = 5_000;
  const [early, late] = [-30 * 86_400, 30 * 86_400];
  const did = (n: number, name: Step['name'], second: number) =>
    toEvent({ person: n + 1, name, second, late: 0, seq: 0, property: 'a' });
  const each = Array.from({ length: people }, (_, n) => n);
  // Half of them go on, three days later; the last ones begin two months after the first ones.
  const begin = (n: number): number => (n < people - 10 ? early : late);
  await add(each.map((n) => did(n, 'home', begin(n))));
  await add(each.filter((n) => n % 2 === 1).map((n) => did(n, 'card', begin(n) + 3 * 86_400)));
  const asked = {
    steps: ['home', 'card'],
    windowS: 4 * 86_400,
    from: at(early),
    to: at(late + 1),
    mode: 'once',
  } as const;
  expect(await store.funnel(asked)).toEqual([
    {
      group: null,
      steps: [
        { count: people, medianS: null },
        { count: people / 2, medianS: 3 * 86_400 },
      ],
    },
  ]);
});

it('is refused when it takes too long', async () => {
  const impatient = createPool(stores.databaseUrl, {
    max: 1,
    applicationName: 'test',
    log: stores.log,
    statementTimeoutMs: 1_000,
  });
  const asked = { steps: ['home', 'card'], windowS: 60, from: at(0), to: at(600), mode: 'any' } as const;
  await inTransaction(stores.pool, async (client) => {
    await client.query('lock table ops.analytics_events in access exclusive mode');
    await expect(createAnalyticsStore(impatient).funnel(asked)).rejects.toMatchObject({ code: 'invalid' });
  });
  expect(await createAnalyticsStore(impatient).cohorts({ from: '2026-11-01', to: '2026-11-02' })).toEqual([]);
  await impatient.end();
});

it('counts only people who have consented', async () => {
  await clear();
  await add([toEvent({ person: 1, name: 'home', second: 0, late: 0, seq: 0, property: 'a' })]);
  const about = { itemType: 'hotel', itemId: person(9), amountMinor: 100, currency: 'RUB', at: at(10) };
  await store.addConversion({ id: randomUUID(), name: 'booked', ...about }, null);
  const asked = { steps: ['home', 'booked'], windowS: 600, from: at(0), to: at(600), mode: 'any' } as const;
  expect(await store.funnel(asked)).toEqual([
    {
      group: null,
      steps: [
        { count: 1, medianS: null },
        { count: 0, medianS: null },
      ],
    },
  ]);
});
