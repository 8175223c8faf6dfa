import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  freeAt,
  type Inventory,
  type InventoryCommand,
  type InventoryEvent,
  inventory,
} from '../../domain/catalog/inventory.ts';
import { addDays } from '../../domain/core/dates.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { at, id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';

const given = specification(inventory);
const NIGHTS = ['2026-03-08', '2026-03-09'];

const capacity = (rooms: number): InventoryEvent => ({ type: 'CapacitySet', data: { capacity: rooms } });
const places = (hold: number, booking: number, keys = NIGHTS) => ({
  holdId: id(hold),
  bookingId: id(booking),
  keys,
  quantity: 1,
});
const placed = (hold: number, booking: number, until = 30, keys = NIGHTS): InventoryEvent => ({
  type: 'HoldPlaced',
  data: { ...places(hold, booking, keys), expiresAt: at(until) },
});
const place = (hold: number, booking: number, now: number, keys = NIGHTS): InventoryCommand => ({
  type: 'PlaceHold',
  ...places(hold, booking, keys),
  expiresAt: at(now + 30),
  at: at(now),
});
const committed = (hold: number, booking: number): InventoryEvent => ({
  type: 'HoldCommitted',
  data: places(hold, booking),
});

describe('the unpaid holds of one account', () => {
  const [GUEST, OTHER] = [id(71), id(72)];
  const mine = (hold: number, booking: number, more: object = {}): InventoryEvent =>
    ({ type: 'HoldPlaced', data: { ...places(hold, booking), expiresAt: at(30), userId: GUEST, ...more } }) as never;
  const hold = (hold: number, booking: number, more: object = {}): InventoryCommand =>
    ({ ...place(hold, booking, 0), userId: GUEST, mostPercent: 10, ...more }) as never;

  it('take a tenth of the places at most', () => {
    given([capacity(20), mine(1, 1)])
      .when(hold(2, 2))
      .thenOnce([mine(2, 2)]);
    given([capacity(20), mine(1, 1), mine(2, 2)])
      .when(hold(3, 3))
      .then('too_many_holds');
    given([capacity(20), mine(1, 1)])
      .when(hold(2, 2, { quantity: 2 }))
      .then('too_many_holds');
    given([capacity(20), mine(1, 1), mine(2, 2)])
      .when(hold(3, 3, { mostPercent: 20 }))
      .then([mine(3, 3)]);
  });
  it('may always be one booking, of any size', () => {
    given([capacity(2)])
      .when(hold(1, 1))
      .then([mine(1, 1)]);
    given([capacity(9)])
      .when(hold(1, 1, { quantity: 6 }))
      .then([mine(1, 1, { quantity: 6 })]);
    given([capacity(2), mine(1, 1)])
      .when(hold(2, 2))
      .then('too_many_holds');
  });
  it('do not count with those of others, other nights, what is paid or expired, or the same booking', () => {
    const free: InventoryEvent[][] = [
      [mine(1, 1, { userId: OTHER })],
      [placed(1, 1)],
      [mine(1, 1, { keys: ['2026-03-20'] })],
      [mine(1, 1), committed(1, 1)],
      [mine(1, 1, { expiresAt: at(-1) })],
    ];
    for (const before of free)
      given([capacity(9), ...before])
        .when(hold(2, 2))
        .then([mine(2, 2)]);
    given([capacity(9), mine(1, 2)])
      .when(hold(2, 2))
      .then([mine(2, 2, { taken: { '2026-03-08': 1, '2026-03-09': 1 } })]);
  });
  it('are not limited where no share is given', () =>
    given([capacity(2), mine(1, 1)])
      .when(hold(2, 2, { mostPercent: undefined }))
      .then([mine(2, 2)]));
});

describe('capacity', () => {
  it('is set once', () =>
    given([])
      .when({ type: 'SetCapacity', capacity: 3 })
      .thenOnce([capacity(3)]));
  it('follows the newest revision of its listing, in any order', () => {
    const set = (capacity: number, listingRevision: number) => ({ capacity, listingRevision });
    const known: InventoryEvent[] = [{ type: 'CapacitySet', data: set(8, 4) }];
    for (const old of [set(5, 3), set(5, 4)])
      given(known)
        .when({ type: 'SetCapacity', ...old })
        .then([]);
    // Lowered at 5 and raised again at 6, which comes first.
    const newest: InventoryEvent = { type: 'CapacitySet', data: set(8, 6) };
    given(known)
      .when({ type: 'SetCapacity', ...set(8, 6) })
      .thenOnce([newest]);
    given([...known, newest])
      .when({ type: 'SetCapacity', ...set(5, 5) })
      .then([]);
  });
  it('may be lowered below what is sold, and then nothing more is', () => {
    given([capacity(2), placed(1, 11), placed(2, 12), capacity(1)])
      .when(place(3, 13, 1))
      .then('sold_out');
  });
});

describe('a withdrawal', () => {
  const withdraw = (listingRevision: number, left = 0, goes = (_: readonly string[]) => true): InventoryCommand => ({
    ...{ type: 'Withdraw', capacity: left, listingRevision, goes, at: at(0) },
  });
  const known: InventoryEvent = { type: 'CapacitySet', data: { capacity: 2, listingRevision: 4 } };
  const withdrawn = (left: number): InventoryEvent => ({
    ...{ type: 'CapacitySet', data: { capacity: left, listingRevision: 4, soldFrom: 5 } },
  });
  const quoted = (listingRevision: number, more: object = {}): InventoryCommand =>
    ({ ...place(1, 11, 0), listingRevision, ...more }) as InventoryCommand;

  it('of all of it takes the capacity, once', () =>
    given([known])
      .when(withdraw(4))
      .thenOnce([withdrawn(0)]));
  it('of some times leaves the capacity', () =>
    given([known])
      .when(withdraw(4, 2))
      .thenOnce([withdrawn(2)]));
  it('is refused while what goes has a hold, also one that has expired: it can be extended', () => {
    given([known, placed(1, 11, -1)])
      .when(withdraw(4))
      .then('bookings_ahead');
    given([known, placed(1, 11)])
      .when(withdraw(4, 2, ([key]) => key !== NIGHTS[0]))
      .then([withdrawn(2)]);
  });
  it('from an outdated listing is made again', () => given([known]).when(withdraw(3)).then('unavailable'));
  it('makes quotes of before outdated, and so does any other change of the stock', () => {
    for (const before of [[known, withdrawn(2)], [{ type: 'CapacitySet', data: { capacity: 3, listingRevision: 5 } }]])
      given(before as InventoryEvent[])
        .when(quoted(4))
        .then('unavailable');
    given([known, withdrawn(2)])
      .when(quoted(5))
      .then([placed(1, 11)]);
  });
  it('is the end of places that were released, but not of those whose capacity alone has changed', () => {
    const commit = { type: 'CommitHold', ...places(1, 11), listingRevision: 4, at: at(0) } as const;
    given([known, withdrawn(2)])
      .when(commit)
      .then('sold_out');
    given([known, withdrawn(2)])
      .when(quoted(4, { again: true }))
      .then('sold_out');
    const more: InventoryEvent = { type: 'CapacitySet', data: { capacity: 3, listingRevision: 9 } };
    given([known, more])
      .when(quoted(4, { again: true }))
      .then([placed(1, 11)]);
  });
});

describe('a hold', () => {
  it('is placed once', () =>
    given([capacity(1)])
      .when(place(1, 11, 0))
      .thenOnce([placed(1, 11)]));
  it('is refused when a night is full, and names the first', () => {
    const before = given([capacity(1), placed(1, 11, 30, ['2026-03-09', '2026-03-10'])]);
    before.when(place(2, 12, 1, ['2026-03-08', '2026-03-09', '2026-03-10'])).then('sold_out');
    expect(() =>
      inventory.decide(place(2, 12, 1, ['2026-03-08', '2026-03-09', '2026-03-10']), before.state),
    ).toThrowError(expect.objectContaining({ facts: { key: '2026-03-09' } }));
  });
  it('is refused where there is no capacity', () =>
    given([])
      .when(place(1, 11, 0))
      .then('sold_out'));
  it('does not count from the moment it expires', () => {
    const before = given([capacity(1), placed(1, 11, 30)]);
    before.when(place(2, 12, 29)).then('sold_out');
    before.when(place(2, 12, 30)).then([{ type: 'HoldPlaced', data: { ...places(2, 12), expiresAt: at(60) } }]);
  });
  it('shares its places with the other holds of its booking', () => {
    const before = given([capacity(1), placed(1, 11)]);
    const taken = { '2026-03-08': 1, '2026-03-09': 1 };
    before.when(place(2, 11, 1)).then([{ type: 'HoldPlaced', data: { ...places(2, 11), expiresAt: at(31), taken } }]);
    given([capacity(1), placed(1, 11), placed(2, 11)])
      .when(place(3, 12, 1))
      .then('sold_out');
  });
  it('is extended, never shortened', () => {
    const longer: InventoryCommand = { type: 'ExtendHold', holdId: id(1), expiresAt: at(50), at: at(10) };
    given([capacity(1), placed(1, 11)])
      .when(longer)
      .thenOnce([{ type: 'HoldExtended', data: { holdId: id(1), bookingId: id(11), expiresAt: at(50) } }]);
    given([capacity(1), placed(1, 11)])
      .when({ ...longer, expiresAt: at(20) })
      .then([]);
    given([capacity(1)])
      .when(longer)
      .then('hold_expired');
  });
  it('that expired is extended only while nobody else has its places', () => {
    const late: InventoryCommand = { type: 'ExtendHold', holdId: id(1), expiresAt: at(70), at: at(40) };
    given([capacity(1), placed(1, 11), placed(2, 12, 60)])
      .when(late)
      .then('sold_out');
    given([capacity(1), placed(1, 11)])
      .when(late)
      .then([{ type: 'HoldExtended', data: { holdId: id(1), bookingId: id(11), expiresAt: at(70) } }]);
  });
});

describe('committing', () => {
  const commit: InventoryCommand = { type: 'CommitHold', ...places(1, 11), at: at(10) };
  it('makes a hold permanent', () => {
    given([capacity(1), placed(1, 11)])
      .when(commit)
      .thenOnce([committed(1, 11)]);
    given([capacity(1), placed(1, 11), committed(1, 11)])
      .when(place(2, 12, 999))
      .then('sold_out');
  });
  it('takes the places again when the hold expired or was released', () => {
    given([capacity(1), placed(1, 11, 5)])
      .when(commit)
      .thenOnce([committed(1, 11)]);
    given([capacity(1)])
      .when(commit)
      .thenOnce([placed(1, 11, 10), committed(1, 11)]);
  });
  it('is refused when somebody else has them meanwhile', () => {
    given([capacity(1), placed(1, 11, 5), placed(2, 12)])
      .when(commit)
      .then('sold_out');
    given([capacity(1), placed(2, 12)])
      .when(commit)
      .then('sold_out');
  });
});

describe('releasing', () => {
  const released = (reason: 'cancelled' | 'expired'): InventoryEvent => ({
    type: 'HoldReleased',
    data: { ...places(1, 11), reason },
  });
  it('frees a hold, committed or not, once', () => {
    const release: InventoryCommand = { type: 'ReleaseHold', holdId: id(1), reason: 'cancelled' };
    given([capacity(1), placed(1, 11)])
      .when(release)
      .thenOnce([released('cancelled')]);
    given([capacity(1), placed(1, 11), committed(1, 11)])
      .when(release)
      .thenOnce([released('cancelled')]);
    given([capacity(1)])
      .when(release)
      .then([]);
  });
  it('by expiry only frees what is due and unpaid', () => {
    const expire: InventoryCommand = { type: 'ExpireHold', holdId: id(1), at: at(30) };
    given([capacity(1), placed(1, 11)])
      .when(expire)
      .thenOnce([released('expired')]);
    given([capacity(1), placed(1, 11, 31)])
      .when(expire)
      .then([]);
    given([capacity(1), placed(1, 11), committed(1, 11)])
      .when(expire)
      .then([]);
  });
});

it('removes what is past in every time zone', () => {
  const { state } = given([
    capacity(9),
    placed(1, 11),
    committed(1, 11),
    { type: 'HoldPlaced', data: { ...places(2, 12, ['2026-03-20']), expiresAt: '2026-03-14T00:00:00.000Z' } },
  ]);
  expect(Object.keys(state.holds.toJSON())).toEqual([id(2)]);
});

it('takes no places on dates that are past in every time zone: what it has forgotten may have been there', () => {
  const before = given([
    capacity(9),
    { type: 'HoldPlaced', data: { ...places(2, 12, ['2026-03-20']), expiresAt: '2026-03-14T00:00:00.000Z' } },
  ]);
  before.when(place(1, 11, 0)).then('hold_expired');
  before.when({ type: 'CommitHold', ...places(1, 11), at: at(0) }).then('hold_expired');
  const today = place(1, 11, 0, [...NIGHTS, '2026-03-12']);
  expect(inventory.decide(today, before.state)).toHaveLength(1);
});

/** Places taken at a key, counted from the holds alone: for each booking the most that any of its holds takes. */
const taken = (state: Inventory, key: string, now: string): number => {
  const most: Record<string, number> = {};
  for (const [, hold] of state.holds)
    if (hold.keys.includes(key) && (hold.expiresAt === null || hold.expiresAt > now))
      most[hold.bookingId] = Math.max(most[hold.bookingId] ?? 0, hold.quantity);
  return Object.values(most).reduce((sum, quantity) => sum + quantity, 0);
};

/** What the world does to one item, in any order, by bookings that have one or two holds. */
const step = fc.record({
  act: fc.constantFrom('place', 'extend', 'commit', 'release', 'expire', 'wait', 'capacity'),
  hold: fc.integer({ min: 1, max: 8 }),
  from: fc.integer({ min: 8, max: 11 }),
  nights: fc.integer({ min: 1, max: 3 }),
  quantity: fc.integer({ min: 1, max: 2 }),
  minutes: fc.integer({ min: 0, max: 40 }),
});

it('never holds more than there is, in any order of events', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 }), fc.array(step, { maxLength: 60 }), (rooms, steps) => {
      let state = inventory.evolve(inventory.initial, capacity(rooms));
      let now = 0;
      for (const { act, hold, from, nights, quantity, minutes } of steps) {
        const keys = Array.from({ length: nights }, (_, i) => `2026-03-${String(from + i).padStart(2, '0')}`);
        const placement = { holdId: id(hold), bookingId: id(100 + (hold % 5)), keys, quantity };
        const time = { at: at(now), expiresAt: at(now + minutes) };
        const command: InventoryCommand | undefined = (
          {
            place: { type: 'PlaceHold', ...placement, ...time },
            extend: { type: 'ExtendHold', holdId: id(hold), ...time },
            commit: { type: 'CommitHold', ...placement, ...state.holds.get(id(hold)), at: at(now) },
            release: { type: 'ReleaseHold', holdId: id(hold), reason: 'cancelled' },
            expire: { type: 'ExpireHold', holdId: id(hold), at: at(now) },
            wait: undefined,
            capacity: { type: 'SetCapacity', capacity: rooms + 1 },
          } as const
        )[act];
        if (act === 'wait') now += minutes;
        if (!command) continue;
        try {
          const events = inventory.decide(command, state);
          state = events.reduce(inventory.evolve, state);
          expect(inventory.decide(command, state)).toEqual([]); // a retry changes nothing
        } catch (error) {
          if (!(error instanceof Rejected)) throw error;
        }
        const wrong = ['08', '09', '10', '11', '12', '13'].filter((day) => {
          const sold = taken(state, `2026-03-${day}`, at(now));
          return sold > state.capacity || freeAt(state, `2026-03-${day}`, at(now)) !== state.capacity - sold;
        });
        expect(wrong).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});

it('stays quick with thousands of bookings', () => {
  const started = process.cpuUsage();
  let state = inventory.evolve(inventory.initial, capacity(200));
  for (let n = 0; n < 5_000; n += 1) {
    const day = addDays('2026-03-08', n % 400);
    const events = inventory.decide(place(n, 20_000 + n, 0, [day]), state);
    state = events.reduce(inventory.evolve, state);
  }
  expect(state.holds.size).toBe(5_000);
  // Processor time, so that a busy machine does not fail the test.
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_500);
});
