/** What is made of passages at gates and of people near a station. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { type Arrivals, waitingAtGates } from '../../domain/resort/gateQueue.ts';
import { liftQueue, MOST_WAITING, NO_REPORTS, queueAt, reportsAfter } from '../../domain/resort/queue.ts';
import { type LastSeen, shareSeen, skierQueue, standingAtLifts } from '../../domain/resort/skierQueue.ts';
import { specification } from '../kit/given.ts';
import { randomFrom } from '../kit/random.ts';

const HOURLY = 600; // ten people a minute
const each = (people: number, ...minutes: number[]): Arrivals[] =>
  minutes.map((at) => ({ at: at * MINUTE_MS, people }));

describe('the queue behind the gates', () => {
  it('is who came and was not carried yet, when the last one came', () => {
    expect(waitingAtGates([], [], HOURLY)).toBeNull();
    expect(waitingAtGates(each(30, 0, 1, 2), [], HOURLY)).toBe(70);
    expect(waitingAtGates([...each(30, 0), ...each(1, 60)], [], HOURLY)).toBe(1);
    expect(waitingAtGates(each(MOST_WAITING, 0, 1, 2), [], HOURLY)).toBe(MOST_WAITING);
  });

  it('grows while the lift stands, and ends when it closes', () => {
    const hold = [
      { at: 1 * MINUTE_MS, status: 'hold' as const },
      { at: 5 * MINUTE_MS, status: 'open' as const },
    ];
    expect(waitingAtGates(each(20, 0, 6), hold, HOURLY)).toBe(20 - 10 - 10 + 20);
    const night = [
      { at: 1 * MINUTE_MS, status: 'closed' as const },
      { at: 900 * MINUTE_MS, status: 'open' as const },
    ];
    expect(waitingAtGates(each(20, 0, 901), night, HOURLY)).toBe(20);
    // Somebody at a gate while the lift is closed waits for nothing.
    expect(waitingAtGates(each(20, 0, 2), night, HOURLY)).toBe(0);
  });

  it('is never more than who came, nor less than who came last, and does not depend on how it is told', () => {
    const arrivals = fc.array(fc.record({ at: fc.nat(HOUR_MS), people: fc.integer({ min: 1, max: 20 }) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 4_000 }), (some, hourly) => {
        const sorted = some.toSorted((a, b) => a.at - b.at);
        const waiting = waitingAtGates(sorted, [], hourly) ?? -1;
        expect(waiting).toBeLessThanOrEqual(sorted.reduce((sum, { people }) => sum + people, 0));
        expect(waiting).toBeGreaterThanOrEqual(sorted.at(-1)?.people ?? 0);
        const singly = sorted.flatMap(({ at, people }) => Array.from({ length: people }, () => ({ at, people: 1 })));
        expect(waitingAtGates(singly, [], hourly)).toBe(waiting);
      }),
    );
  });

  it('is that of a lift whose chairs leave one by one', () => {
    const random = randomFrom(4);
    const arrivals: Arrivals[] = [];
    const chairs = { seats: 4, everyMs: 24_000 }; // 600 an hour
    let [queue, nextChair, now] = [0, 0, 0];
    for (let n = 0; n < 800; n += 1) {
      now += random() * 2 * 5_000; // about 720 an hour
      for (; nextChair <= now; nextChair += chairs.everyMs) queue = Math.max(0, queue - chairs.seats);
      queue += 1;
      arrivals.push({ at: now, people: 1 });
    }
    const counted = waitingAtGates(arrivals, [], HOURLY) ?? 0;
    expect(queue).toBeGreaterThan(60);
    expect(Math.abs(counted - queue)).toBeLessThanOrEqual(chairs.seats + queue * 0.05);
  });
});

describe('people near a station', () => {
  const NOW = 10 * MINUTE_MS;
  const stations = [
    { liftId: 'valley', place: [40.2976, 43.6715] as const },
    { liftId: 'left', place: [40.3105, 43.6621] as const },
    { liftId: 'right', place: [40.3106, 43.6621] as const }, // 8 m beside
  ];
  const at = (place: readonly [number, number], more: Partial<LastSeen> = {}): LastSeen => ({
    at: NOW - 20_000,
    place,
    speed: null,
    before: null,
    ...more,
  });
  const counted = (...skiers: LastSeen[]) => Object.fromEntries(standingAtLifts(skiers, stations, NOW));

  it('are counted where they stand, now, at one lift only', () => {
    const valley = [40.2979, 43.6715] as const; // 24 m away
    expect(counted(at(valley), at(valley))).toEqual({ valley: 2 });
    expect(counted(at(valley, { at: NOW - 3 * MINUTE_MS }))).toEqual({});
    expect(counted(at([40.2999, 43.6715]))).toEqual({});
    expect(counted(at([40.3105, 43.6621]))).toEqual({});
  });

  it('are not counted while they move', () => {
    const place = [40.2979, 43.6715] as const;
    const before = { at: NOW - 25_000, place: [40.2979, 43.6718] as const }; // 33 m in 5 s
    expect(counted(at(place, { before }))).toEqual({});
    expect(counted(at(place, { before: { ...before, at: NOW - 50_000 } }))).toEqual({ valley: 1 });
    // What the device has measured counts, also of one that records seldom.
    expect(counted(at(place, { speed: 4.5 }))).toEqual({});
    expect(counted(at(place, { speed: 0.8, before }))).toEqual({ valley: 1 });
  });

  it('stand for all who do not record, and are told only in numbers', () => {
    expect(shareSeen(100, 400)).toBe(0.25);
    expect(shareSeen(500, 400)).toBe(1);
    expect([shareSeen(19, 400), shareSeen(100, 49)]).toEqual([null, null]);
    expect(skierQueue(4, 0.25)).toBeNull();
    expect(skierQueue(12, 0.25)).toEqual({ people: 48 });
    expect(skierQueue(400, 0.01)).toEqual({ people: MOST_WAITING });
    expect(skierQueue(14, null)).toEqual({ people: 10, isAtLeast: true });
  });
});

describe('the sources', () => {
  const at = (time: string) => `2027-01-13T${time}:00.000Z`;
  const given = specification(liftQueue);
  const skiers = { source: 'skiers', people: 10, minutes: null, measuredAt: at('09:00') } as const;

  it('count in their order while they are valid, and a lower bound has no wait', () => {
    given([])
      .when({ type: 'ReportQueue', ...skiers, isAtLeast: true })
      .thenOnce([{ type: 'LiftQueueReported', data: { ...skiers, validUntil: at('09:10'), isAtLeast: true } }]);
    const reports = [
      { ...skiers, validUntil: at('09:10'), isAtLeast: true as const },
      { ...skiers, source: 'scans' as const, people: 40, measuredAt: at('08:58'), validUntil: at('09:08') },
      { ...skiers, source: 'manual' as const, people: null, minutes: 7, validUntil: at('09:05') },
    ].reduce((state, data) => reportsAfter(state, { type: 'LiftQueueReported', data }), NO_REPORTS);
    const shown = (time: string) => queueAt(reports, HOURLY, 'open', at(time));
    expect(shown('09:04')).toMatchObject({ queueMinutes: 7, queueSource: 'manual' });
    expect(shown('09:05')).toMatchObject({ queueMinutes: 4, queueSource: 'scans', queueMeasuredAt: at('08:58') });
    expect(shown('09:08')).toMatchObject({ queueMinutes: null, queuePeople: 10, queueIsAtLeast: true });
    expect(shown('09:10')).toMatchObject({ queueMinutes: null, queuePeople: null, queueSource: null });
  });
});
