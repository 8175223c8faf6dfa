/**
 * That nothing is sold twice, for each way of selling: nights, seats, quarters of an hour. Who is where when is counted
 * from what was booked, not from the inventory's keys.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BookableItem, inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import {
  type Inventory,
  type InventoryCommand,
  type InventoryEvent,
  inventory,
} from '../../domain/catalog/inventory.ts';
import { addDays } from '../../domain/core/dates.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMinutes } from '../../domain/core/instants.ts';
import { at, id } from '../bookings/bookingFixtures.ts';

const ITEM = id(3);
const item = { listingId: id(9), unitId: ITEM };
const OPENS = '2026-03-08T09:00:00.000Z';
const quarter = (n: number): string => addMinutes(OPENS, n * 15);

const slot = fc
  .tuple(fc.nat(8), fc.integer({ min: 1, max: 6 }))
  .map(([from, length]) => ({ slotStart: quarter(from), slotEnd: quarter(from + length) }));

interface Mechanism {
  readonly subjects: fc.Arbitrary<BookableItem>;
  /** Places at once; one for a person. */
  readonly capacities: fc.Arbitrary<number>;
  /** Every moment at which a item may take something. */
  readonly moments: readonly string[];
  /** How many places a item takes at a moment. */
  readonly taken: (item: BookableItem, moment: string) => number;
}

const quarters = Array.from({ length: 24 }, (_, n) => quarter(n));
const between = (from: string, moment: string, to: string): number => Number(from <= moment && moment < to);
const few = fc.nat(3);

const mechanisms: Readonly<Record<BookableItem['type'], Mechanism>> = {
  hotel: {
    subjects: fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 3 })).map(([from, nights]) => {
      const checkIn = addDays('2026-03-08', from);
      return { type: 'hotel', ...item, checkIn, checkOut: addDays(checkIn, nights) };
    }),
    capacities: few,
    moments: Array.from({ length: 8 }, (_, n) => addDays('2026-03-08', n)),
    taken: (item, night) => (item.type === 'hotel' ? between(item.checkIn, night, item.checkOut) : 0),
  },
  tour: {
    subjects: fc
      .tuple(fc.nat(2), fc.integer({ min: 1, max: 4 }))
      .map(([n, seats]) => ({ type: 'tour', ...item, slotStart: quarter(4 * n), slotEnd: quarter(4 * n + 4), seats })),
    capacities: fc.nat(8),
    moments: [0, 1, 2].map((n) => quarter(4 * n)),
    taken: (item, departure) => (item.type === 'tour' && item.slotStart === departure ? item.seats : 0),
  },
  restaurant: {
    subjects: slot.map((sitting) => ({ type: 'restaurant', ...item, ...sitting })),
    capacities: few,
    moments: quarters,
    taken: (item, moment) => (item.type === 'restaurant' ? between(item.slotStart, moment, item.slotEnd) : 0),
  },
  transfer: {
    subjects: fc
      .tuple(slot, fc.nat(4))
      .map(([ride, back]) => ({ type: 'transfer', ...item, ...ride, busyUntil: addMinutes(ride.slotEnd, back * 15) })),
    capacities: few,
    moments: quarters,
    taken: (item, moment) => (item.type === 'transfer' ? between(item.slotStart, moment, item.busyUntil) : 0),
  },
  instructor: {
    subjects: slot.map((lesson) => ({ type: 'instructor', ...item, ...lesson })),
    capacities: fc.constant(1),
    moments: quarters,
    taken: (item, moment) => (item.type === 'instructor' ? between(item.slotStart, moment, item.slotEnd) : 0),
  },
};

/** What the world does to an item, in any order, by bookings that have one or two holds. */
const stepsOf = ({ subjects, capacities }: Mechanism) =>
  fc.array(
    fc.record({
      act: fc.constantFrom('place', 'place', 'extend', 'commit', 'release', 'expire', 'wait', 'capacity'),
      hold: fc.integer({ min: 1, max: 8 }),
      item: subjects,
      minutes: fc.nat(40),
      capacity: capacities,
    }),
    { maxLength: 50 },
  );
type Step = ReturnType<typeof stepsOf> extends fc.Arbitrary<(infer S)[]> ? S : never;

const commandOf = (
  { act, hold, minutes, capacity }: Step,
  item: BookableItem,
  now: number,
): InventoryCommand | undefined => {
  const holdId = id(hold);
  const { unitId: _, ...places } = inventoryDemand(item);
  const placement = { holdId, bookingId: id(100 + (hold % 5)), ...places };
  const time = { at: at(now), expiresAt: at(now + minutes) };
  return {
    place: { type: 'PlaceHold', ...placement, ...time } as const,
    extend: { type: 'ExtendHold', holdId, ...time } as const,
    commit: { type: 'CommitHold', ...placement, at: at(now) } as const,
    release: { type: 'ReleaseHold', holdId, reason: 'cancelled' } as const,
    expire: { type: 'ExpireHold', holdId, at: at(now) } as const,
    capacity: { type: 'SetCapacity', capacity } as const,
    wait: undefined,
  }[act];
};

/** Nothing where it is refused. */
const events = (command: InventoryCommand, state: Inventory): InventoryEvent[] => {
  try {
    return inventory.decide(command, state);
  } catch (error) {
    if (error instanceof Rejected) return [];
    throw error;
  }
};
const decided = (command: InventoryCommand, state: Inventory): Inventory =>
  events(command, state).reduce(inventory.evolve, state);

describe.each(Object.entries(mechanisms))('%s', (_, mechanism) => {
  it('never sells more than there is, in any order of commands', () => {
    fc.assert(
      fc.property(mechanism.capacities, stepsOf(mechanism), (first, steps) => {
        /** What each hold stands for: its booking moves to other places by another hold. */
        const heldFor = new Map<string, BookableItem>();
        /** Places taken at each moment. */
        const occupied = (state: Inventory, now: string): number[] => {
          const active = [...state.holds].flatMap(([holdId, { bookingId, expiresAt }]) => {
            const item = heldFor.get(holdId);
            return item && (expiresAt === null || expiresAt > now) ? [{ bookingId, item }] : [];
          });
          return mechanism.moments.map((moment) => {
            const most = new Map<string, number>();
            for (const { bookingId, item } of active)
              most.set(bookingId, Math.max(most.get(bookingId) ?? 0, mechanism.taken(item, moment)));
            return [...most.values()].reduce((sum, taken) => sum + taken, 0);
          });
        };

        let state = decided({ type: 'SetCapacity', capacity: first }, inventory.initial);
        let now = 0;
        for (const step of steps) {
          if (step.act === 'wait') now += step.minutes;
          const known = state.holds.get(id(step.hold)) && heldFor.get(id(step.hold));
          const item = known ?? step.item;
          const command = commandOf(step, item, now);
          if (!command) continue;
          const before = occupied(state, at(now));
          heldFor.set(id(step.hold), item);
          state = decided(command, state);
          expect(events(command, state)).toEqual([]); // a retry changes nothing
          // Nothing is taken beyond the capacity in force; what was sold before it was lowered stands.
          const beyond = occupied(state, at(now)).filter(
            (taken, n) => taken > Math.max(before[n] ?? 0, state.capacity),
          );
          expect(beyond).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

it('sells everything: the last seat, the last night, the last quarter of an hour', () => {
  const tour: BookableItem = { type: 'tour', ...item, slotStart: quarter(0), slotEnd: quarter(4), seats: 3 };
  const lesson = (from: number, to: number): BookableItem => ({
    type: 'instructor',
    ...item,
    slotStart: quarter(from),
    slotEnd: quarter(to),
  });
  const holdAll = (capacity: number, subjects: readonly BookableItem[]): number => {
    const set = decided({ type: 'SetCapacity', capacity }, inventory.initial);
    const all = subjects.reduce((state, item, n) => {
      const { unitId: _, ...places } = inventoryDemand(item);
      const times = { expiresAt: at(30), at: at(0) };
      return decided({ type: 'PlaceHold', holdId: id(n + 1), bookingId: id(100 + n), ...places, ...times }, state);
    }, set);
    return all.holds.size;
  };
  expect(holdAll(9, [tour, tour, tour])).toBe(3);
  expect(holdAll(8, [tour, tour, tour])).toBe(2);
  expect(holdAll(1, [lesson(0, 4), lesson(4, 8), lesson(8, 9)])).toBe(3); // one begins when another ends
  expect(holdAll(1, [lesson(0, 4), lesson(3, 8), lesson(2, 3)])).toBe(1);
});

it('forgets slots that are past in every time zone, and keeps those of today', () => {
  const past = inventoryDemand({ type: 'instructor', ...item, slotStart: quarter(0), slotEnd: quarter(4) });
  const hold = (n: number, keys: string[], expiresAt: string): InventoryCommand => ({
    type: 'PlaceHold',
    holdId: id(n),
    bookingId: id(100 + n),
    keys,
    quantity: 1,
    expiresAt,
    at: expiresAt,
  });
  const start = decided({ type: 'SetCapacity', capacity: 5 }, inventory.initial);
  const both = decided(hold(2, ['2026-03-11T00:00:00.000Z'], at(0)), decided(hold(1, past.keys, at(0)), start));
  const later = decided(hold(3, ['2026-03-20T00:00:00.000Z'], '2026-03-14T00:00:00.000Z'), both);
  expect(Object.keys(later.holds.toJSON())).toEqual([id(2), id(3)]);
  expect([...later.taken].map(([key]) => key).toSorted()).toEqual([
    '2026-03-11T00:00:00.000Z',
    '2026-03-20T00:00:00.000Z',
  ]);
});
