/** The day that is invented: the same from the same seed, and everybody at one place at a time. */
import { expect, it } from 'vitest';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { placeAt, simulateDay, waitingAt } from './day.ts';
import { mountainOf } from './mountain.ts';

const from = Date.parse('2027-01-13T06:00:00Z');
const plan = {
  mountain: mountainOf(({ capacity }) => capacity / 25),
  skiers: 200,
  recording: 0.6,
  seed: 7,
  from,
  until: from + 2 * HOUR_MS,
};

it('is the same from the same seed, and nobody is at two places', () => {
  const day = simulateDay(plan);
  expect(simulateDay(plan).rides).toEqual(day.rides);
  expect(simulateDay({ ...plan, seed: 8 }).rides).not.toEqual(day.rides);
  for (const { legs } of day.people)
    for (const [n, leg] of legs.entries()) {
      expect(leg.to).toBeGreaterThanOrEqual(leg.from);
      if (n > 0) expect(leg.from).toBeCloseTo(legs[n - 1]?.to ?? 0, 3);
    }
  const at = from + HOUR_MS;
  const waiting = day.mountain.lifts.map((_, lift) => waitingAt(day, lift, at));
  expect(waiting.reduce((sum, people) => sum + people, 0)).toBeGreaterThan(20);
  expect(placeAt(day, 3, at)).toEqual(placeAt(day, 3, at));
});

it('carries as many people as its lifts can', () => {
  const day = simulateDay(plan);
  for (const [lift, { capacity, name }] of day.mountain.lifts.entries()) {
    const boarded = day.rides.filter((ride) => ride.lift === lift && ride.boardsAt < from + HOUR_MS).length;
    expect(boarded, name).toBeLessThanOrEqual(capacity + 4);
  }
});
