/** The line that asks whether a booking costs the same on a night that thousands have booked as on one that is free. */
import { randomUUID } from 'node:crypto';
import { type InventoryEvent, inventory } from '../../../domain/catalog/inventory.ts';
import { addMs, DAY_MS } from '../../../domain/core/instants.ts';
import { bearer, withLoad } from '../http.ts';
import { type Goal, type Line, warmedUp } from '../line.ts';
import { type Resort, seedContext, untilQuiet } from '../resort.ts';
import { compare, type Result } from '../rounds.ts';
import { type Stay, stays } from '../stays.ts';
import { bookingsOf } from './writes.ts';

/** More bookings than are made in a second, and a room with a place for all of them. */
const MOST_A_SECOND = 800;
const PLACES = 60_000;
const BATCH = 500;
const MOST_GROWTH = 1.2;

/** A night of a room that so many have booked and paid for. */
const bookedBy = async ({ wiring }: Resort, count: number): Promise<Stay> => {
  const [stay] = await stays(wiring, 1);
  if (!stay) throw new Error('a night');
  const { aggregates, codec, store } = wiring;
  const at = new Date().toISOString();
  const context = seedContext(randomUUID());
  const { item_id: roomId, check_in: night } = stay;
  const set = await aggregates.handle(inventory, roomId, { type: 'SetCapacity', capacity: PLACES }, context);
  let revision = set.revision ?? -1n;
  const expiresAt = addMs(at, DAY_MS / 2);
  for (let made = 0; made < count; made += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, count - made) }, (): InventoryEvent[] => {
      const places = { holdId: randomUUID(), bookingId: randomUUID(), keys: [night], quantity: 1 };
      return [
        { type: 'HoldPlaced', data: { ...places, expiresAt } },
        { type: 'HoldCommitted', data: places },
      ];
    }).flat();
    const stream = `${inventory.category}-${roomId}`;
    await store.append(stream, await codec.encode(stream, events, context, revision), revision);
    revision += BigInt(events.length);
  }
  await untilQuiet(wiring);
  return stay;
};

const requestsFor = ({ guests }: Resort, stay: Stay, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    line: 'POST /api/v1/bookings/create',
    headers: bearer(guests[n % guests.length]?.token ?? ''),
    body: JSON.stringify({ type: 'hotel', ...stay, guests: 1 }),
  }));

const goalOf = ([free, booked]: readonly Result[]): Goal => ({
  what: `× the CPU of ${free?.name}: ${booked?.name}`,
  value: (booked?.cpu?.median ?? Number.NaN) / (free?.cpu?.median ?? Number.NaN),
  limit: MOST_GROWTH,
  is: 'at most',
});

export const oneNight: Line = {
  name: 'one night',
  work: '`POST /bookings/create` for one night, free and booked by 10,000, 64 connections',
  peer: 'itself on the free night; beside it nights of their own, where nobody waits for anybody',
  goal: '≤ 1.2 × the CPU of the free night',
  run: async (bench) => {
    const { size } = bench;
    const plan = warmedUp({ ...size.plan, seconds: Math.min(size.plan.seconds, 3) });
    const resort = await bench.resort();
    const { system } = resort;
    const { api: url, processes, counts } = system;
    const seconds = plan.warmUpSeconds + plan.rounds * plan.seconds;
    const most = Math.ceil(seconds * MOST_A_SECOND);
    const night = (stay: Stay) => ({ url, requests: requestsFor(resort, stay, most), once: true, status: 201 });
    const [free, booked] = [await bookedBy(resort, 0), await bookedBy(resort, size.oneNight)];
    const spread = { url, requests: await bookingsOf(resort, most), once: true, status: 201 };
    const results = await withLoad(
      [
        { name: 'one free night', processes, counts, load: night(free) },
        { name: `one night, booked by ${size.oneNight}`, processes, counts, load: night(booked) },
        { name: 'nights of their own', processes, counts, load: spread },
      ],
      (contenders) => compare(contenders, plan),
    );
    return [{ name: 'one night', results, goals: [goalOf(results)] }];
  },
};
