/**
 * What days come to, however often and however well they were recorded. `days.table.txt` has the truth beside what is
 * computed: look at it when it changes.
 */
import { describe, expect, it } from 'vitest';
import { summarise, type TrackSummary } from '../../domain/tracking/summary.ts';
import { noSkiing, shortRuns, skiedDays, USUAL, WEAK } from './days.ts';
import { type Device, type Person, recorded } from './synthetic.ts';

const INTERVALS = [1, 5, 10, 30, 60];
const SEEDS = [1, 2, 3, 4];
const jitterOf = (every: number): number => (every < 5 ? 0 : 1);

const summaryOf = ({ moments }: Person, device: Device): TrackSummary =>
  summarise(recorded(moments, { jitter: jitterOf(device.every ?? 1), ...device }));

/** By how many percent the vertical of some recordings is wrong, on average. */
const wrongBy = (of: Person, summaries: readonly TrackSummary[]): number =>
  summaries.reduce((sum, { verticalM }) => sum + (verticalM / of.truth.verticalM - 1) * 100, 0) / summaries.length;

const recordings = (of: Person, device: Device): TrackSummary[] =>
  SEEDS.map((seed) => summaryOf(of, { ...device, seed }));

describe.each(Object.entries(skiedDays))('%s', (_, make) => {
  const of = make();
  const { runs, lifts } = of.truth;

  it.each([
    [1, 3],
    [5, 3],
    [10, 3],
    [30, 3],
    [60, 10],
  ])('recorded every %i s is within %i percent of its vertical, and has its runs and lifts', (every, percent) => {
    const summaries = recordings(of, { ...USUAL, every });
    expect(Math.abs(wrongBy(of, summaries))).toBeLessThanOrEqual(percent);
    // Once a minute, a run of less than two minutes can fall between two fixes.
    const miss = every < 60 ? 0 : 1;
    for (const summary of summaries) {
      expect(Math.abs(summary.runs - runs)).toBeLessThanOrEqual(miss);
      expect(Math.abs(summary.lifts - lifts)).toBeLessThanOrEqual(miss);
    }
  });

  it.each([1, 5, 10, 30])('by a watch that records nothing on lifts, every %i s, has all of them', (every) => {
    const summaries = recordings(of, { ...USUAL, every, rides: 'none' });
    for (const summary of summaries) expect(summary).toMatchObject({ runs, lifts });
    expect(Math.abs(wrongBy(of, summaries))).toBeLessThanOrEqual(every < 30 ? 3 : 6);
  });

  it.each([1, 5, 10, 30])('recorded at the ends of rides only, every %i s, has each ride once', (every) => {
    for (const summary of recordings(of, { ...USUAL, every, rides: 'ends' }))
      expect(summary).toMatchObject({ runs, lifts });
  });

  it('with every other altitude missing comes to the same', () => {
    const summaries = recordings(of, { ...USUAL, every: 5, altitudes: 'some' });
    expect(Math.abs(wrongBy(of, summaries))).toBeLessThanOrEqual(3);
    for (const summary of summaries) expect(summary).toMatchObject({ runs, lifts });
  });

  it('recorded with a weak signal comes near the truth', () => {
    for (const every of INTERVALS)
      expect(Math.abs(wrongBy(of, recordings(of, { ...WEAK, every }))), `${every} s`).toBeLessThanOrEqual(10);
  });

  it('has a highest speed however seldom it was recorded, the true one where the device measures it', () => {
    for (const every of INTERVALS) {
      const [plain, measured] = [false, true].map((speed) => summaryOf(of, { ...USUAL, every, speed }));
      expect(plain?.maxSpeedKmh).toBeGreaterThan(of.truth.fastestKmh * 0.4);
      expect(plain?.maxSpeedKmh).toBeLessThan(of.truth.fastestKmh * 1.15);
      expect(measured?.maxSpeedKmh).toBeGreaterThan(of.truth.fastestKmh * 0.7);
      expect(measured?.maxSpeedKmh).toBeLessThan(of.truth.fastestKmh * 1.15);
    }
  });
});

describe.each(Object.entries(shortRuns))('%s', (_, make) => {
  it.each([1, 5, 10, 30])('recorded every %i s comes near the truth', (every) => {
    const of = make();
    const summaries = recordings(of, { ...USUAL, every });
    expect(Math.abs(wrongBy(of, summaries))).toBeLessThanOrEqual(6);
    const right = summaries.filter(({ runs, lifts }) => runs === of.truth.runs && lifts === of.truth.lifts);
    expect(right.length).toBeGreaterThanOrEqual(SEEDS.length - 1);
  });
});

describe.each(Object.entries(noSkiing))('%s', (_, make) => {
  it.each(INTERVALS)('recorded every %i s is no skiing', (every) => {
    const of = make();
    for (const summary of recordings(of, { ...USUAL, every })) {
      expect(summary).toMatchObject({ runs: 0, verticalM: 0, distanceM: 0, movingS: 0, maxSpeedKmh: 0 });
      expect(summary.lifts).toBe(of.truth.lifts);
    }
  });
});

const percentOf = (is: number, truth: number): string => {
  const percent = Math.round((is / truth - 1) * 1_000) / 10;
  return `${percent < 0 ? '' : '+'}${percent} %`;
};

const linesOf = ([name, make]: readonly [string, () => Person]): string[] => {
  const of = make();
  const { runs, lifts, verticalM, distanceM, fastestKmh } = of.truth;
  const truth = `truth: ${runs} runs, ${lifts} lifts, ${Math.round(verticalM)} m down, ${Math.round(distanceM)} m skied, ${Math.round(fastestKmh)} km/h`;
  const devices: [string, Device][] = [
    ['usual', USUAL],
    ['no lifts', { ...USUAL, rides: 'none' }],
    ['weak', WEAK],
  ];
  const rows = devices.flatMap(([device, errors]) =>
    INTERVALS.map((every) => {
      const is = summaryOf(of, { ...errors, every, speed: true });
      const vertical = verticalM > 0 ? percentOf(is.verticalM, verticalM) : '';
      const distance = distanceM > 0 ? percentOf(is.distanceM, distanceM) : '';
      const cells = [is.runs, is.lifts, is.verticalM, vertical, is.distanceM, distance, is.maxSpeedKmh];
      const label = `  ${device.padEnd(8)} ${String(every).padStart(2)} s`;
      return `${label}${cells.map((cell) => String(cell).padStart(9)).join('')}`;
    }),
  );
  const head = ['runs', 'lifts', 'm down', '', 'm skied', '', 'km/h'].map((cell) => cell.padStart(9)).join('');
  return [name, `  ${truth}`, `${' '.repeat(15)}${head}`, ...rows, ''];
};

it('is in the table beside the truth', async () => {
  const days = [...Object.entries(skiedDays), ...Object.entries(shortRuns), ...Object.entries(noSkiing)];
  await expect(`${days.flatMap(linesOf).join('\n')}\n`).toMatchFileSnapshot('days.table.txt');
});
