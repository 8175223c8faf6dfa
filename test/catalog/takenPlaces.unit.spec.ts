/** How many places are taken, as the state of an inventory and the read models of nights and slots count them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Inventory,
  type InventoryCommand,
  type InventoryEvent,
  inventory,
} from '../../domain/catalog/inventory.ts';
import { MOST_HOLDS } from '../../domain/catalog/inventoryPlaces.ts';
import { type Hold, withHolds } from '../../domain/catalog/inventoryState.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { roomNights } from '../../projections/catalog/roomNights.ts';
import { slotHolds } from '../../projections/catalog/slotHolds.ts';
import { at, id } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';
import { withoutOrder } from '../kit/withoutOrder.ts';

const UNIT = id(900);

/** What the world does to one item, by four bookings that move between two holds. */
const step = fc.record({
  act: fc.constantFrom('place', 'place', 'extend', 'commit', 'release', 'expire', 'wait'),
  hold: fc.integer({ min: 1, max: 8 }),
  from: fc.integer({ min: 8, max: 11 }),
  length: fc.integer({ min: 1, max: 3 }),
  quantity: fc.integer({ min: 1, max: 3 }),
  minutes: fc.integer({ min: 0, max: 40 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const kinds = {
  nights: (n: number) => `2026-03-${String(n).padStart(2, '0')}`,
  slots: (n: number) => `2026-03-09T10:${String((n - 8) * 15).padStart(2, '0')}:00.000Z`,
};

const commandOf = ({ act, hold, from, length, quantity, minutes }: Step, now: number, key: (n: number) => string) => {
  const keys = Array.from({ length: Math.min(length, 12 - from) }, (_, n) => key(from + n));
  const placement = { holdId: id(hold), bookingId: id(100 + (hold % 4)), userId: id(200 + (hold % 2)), keys, quantity };
  const times = { at: at(now), expiresAt: at(now + minutes) };
  return {
    place: { type: 'PlaceHold', ...placement, ...times } as const,
    extend: { type: 'ExtendHold', holdId: id(hold), ...times } as const,
    commit: { type: 'CommitHold', ...placement, at: at(now) } as const,
    release: { type: 'ReleaseHold', holdId: id(hold), reason: 'cancelled' } as const,
    expire: { type: 'ExpireHold', holdId: id(hold), at: at(now) } as const,
    wait: undefined,
  }[act];
};

const eventsOf = (command: InventoryCommand, state: Inventory): InventoryEvent[] => {
  try {
    return inventory.decide(command, state);
  } catch (error) {
    if (error instanceof Rejected) return [];
    throw error;
  }
};

/** For each booking the most that one of its holds takes, counted from the holds alone. */
const counted = (state: Inventory): Record<string, number> => {
  const most = new Map<string, number>();
  for (const [, { bookingId, keys, quantity }] of state.holds)
    for (const key of keys) most.set(`${key} ${bookingId}`, Math.max(quantity, most.get(`${key} ${bookingId}`) ?? 0));
  const sums: Record<string, number> = {};
  for (const [name, quantity] of most) {
    const [key = ''] = name.split(' ');
    sums[key] = (sums[key] ?? 0) + quantity;
  }
  return sums;
};

const rowsOf = {
  nights: (events: readonly InventoryEvent[]) =>
    projection(roomNights)(events.map((event) => happened('inventory', UNIT, event, at(0)))).map(
      ({ night, taken }) => [night, Number(taken)] as const,
    ),
  slots: (events: readonly InventoryEvent[]) =>
    projection(slotHolds)(events.map((event) => happened('inventory', UNIT, event, at(0)))).map(
      ({ slot, taken }) => [slot, Number(taken)] as const,
    ),
};
const shown = (kind: keyof typeof kinds, events: readonly InventoryEvent[]): Record<string, number> =>
  Object.fromEntries(rowsOf[kind](events).filter(([, taken]) => taken > 0));

/** As a release before 0.2.0 has written them. */
const ofBefore = (event: InventoryEvent): InventoryEvent => {
  if (!('taken' in event.data)) return event;
  const { taken: _, ...data } = event.data;
  return { ...event, data } as InventoryEvent;
};

it.each(['nights', 'slots'] as const)('state and rows of %s have what the holds take, each booking once', (kind) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(40), (steps, upgradedAfter) => {
      let state = inventory.evolve(inventory.initial, { type: 'CapacitySet', data: { capacity: 9 } });
      let now = 0;
      const log: InventoryEvent[] = [];
      /** The same log where a release of before has written the first part. */
      const upgraded: InventoryEvent[] = [];
      steps.forEach((step, n) => {
        if (step.act === 'wait') now += step.minutes;
        const command = commandOf(step, now, kinds[kind]);
        if (!command) return;
        const events = eventsOf(command, state);
        state = events.reduce(inventory.evolve, state);
        log.push(...events);
        upgraded.push(...(n < upgradedAfter ? events.map(ofBefore) : events));
        expect(Object.fromEntries(state.taken)).toEqual(counted(state));
        expect(withoutOrder(withHolds(state, [...state.holds]))).toEqual(withoutOrder(state));
      });
      expect(shown(kind, log)).toEqual(counted(state));
      // What a booking of before had twice is right again when it has one hold.
      const holds = new Map<string, number>();
      for (const [, { bookingId }] of state.holds) holds.set(bookingId, (holds.get(bookingId) ?? 0) + 1);
      const second = [...state.holds].filter(([, { bookingId }]) => (holds.get(bookingId) ?? 0) > 1);
      for (const [holdId, { bookingId }] of second) {
        if ((holds.get(bookingId) ?? 0) < 2) continue;
        holds.set(bookingId, (holds.get(bookingId) ?? 0) - 1);
        const events = eventsOf({ type: 'ReleaseHold', holdId, reason: 'replaced' }, state);
        state = events.reduce(inventory.evolve, state);
        upgraded.push(...events);
      }
      expect(shown(kind, upgraded)).toEqual(counted(state));
    }),
    { numRuns: 300 },
  );
});

const many = (count: number): [string, Hold][] =>
  Array.from({ length: count }, (_, n) => [
    id(n),
    { bookingId: id(200_000 + n), keys: ['2026-03-08'], quantity: 1, expiresAt: at(30), userId: id(400_000 + n) },
  ]);

it('what a hold costs does not depend on how many others have the same night', () => {
  /** Processor time of 2,000 holds and releases, in milliseconds. */
  const costBeside = (count: number): number => {
    let state = withHolds({ ...inventory.initial, capacity: 200_000 }, many(count));
    const started = process.cpuUsage();
    for (let n = 0; n < 2_000; n += 1) {
      const [holdId, bookingId, userId] = [id(600_000 + n), id(700_000 + n), id(800_000 + n)];
      const hold = { holdId, bookingId, userId, keys: ['2026-03-08'], quantity: 1, mostPercent: 10 };
      const place = { type: 'PlaceHold', ...hold, at: at(0), expiresAt: at(30) } as const;
      for (const command of [place, { type: 'ReleaseHold', holdId, reason: 'cancelled' } as const])
        state = inventory.decide(command, state).reduce(inventory.evolve, state);
    }
    return process.cpuUsage(started).user / 1_000;
  };
  costBeside(10);
  const [few, tenThousand] = [costBeside(100), costBeside(10_000)];
  expect(tenThousand).toBeLessThan(10 * few + 300); // with all of them looked at it takes a hundred times as long
});

it('no item has more bookings ahead than its snapshot can hold', () => {
  const full = withHolds({ ...inventory.initial, capacity: 2 * MOST_HOLDS }, many(MOST_HOLDS));
  const place = (expiresAt: string): InventoryCommand => ({
    ...{ type: 'PlaceHold', holdId: id(600_000), bookingId: id(700_000), keys: ['2026-03-20'], quantity: 1 },
    ...{ at: at(0), expiresAt },
  });
  expect(() => inventory.decide(place(at(30)), full)).toThrow('as many as one item can have');
  // What is past is forgotten first.
  expect(inventory.decide(place('2026-03-14T00:00:00.000Z'), full)).toHaveLength(1);
  const text = JSON.stringify(inventory.snapshot?.pack(full));
  expect(text.length / MOST_HOLDS).toBeLessThan(180);
});
