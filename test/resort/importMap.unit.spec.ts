/** Storing a map: once, changed, interrupted and continued. */
import { expect, it } from 'vitest';
import { ImportInterrupted, importedId, importMap } from '../../commands/resort/importMap.ts';
import { readOpenSkiMap } from '../../commands/resort/openSkiMap.ts';
import { lift } from '../../domain/resort/lift.ts';
import { slope } from '../../domain/resort/slope.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { drawnMountain } from '../plans/drawnMountain.ts';

const clock = { at: '2027-01-13T07:00:00.000Z', timezone: 'Europe/Moscow' };
const map = readOpenSkiMap(drawnMountain(8, 40), importedId);
const stateOf = (aggregates: ReturnType<typeof memoryAggregates>) => [
  ...map.lifts.map(({ sourceId }) => aggregates.stateOf(lift, importedId('lift', sourceId)).status),
  ...map.slopes.map(({ sourceId }) => aggregates.stateOf(slope, importedId('slope', sourceId)).status),
];

it('a map is stored once, and again where it has changed', async () => {
  const aggregates = memoryAggregates();
  const { lifts, slopes } = await importMap({ aggregates }, map, clock);
  expect([lifts, slopes]).toEqual([
    { added: 8, changed: 0, left: [] },
    { added: 40, changed: 0, left: [] },
  ]);
  const again = await importMap({ aggregates }, map, clock);
  expect([again.lifts, again.slopes].map(({ added, changed }) => added + changed)).toEqual([0, 0]);
  const [first, ...others] = map.lifts;
  const renamed = { ...map, lifts: [{ ...first, name: 'Renamed' } as (typeof map.lifts)[number], ...others] };
  expect((await importMap({ aggregates }, renamed, clock)).lifts).toEqual({ added: 0, changed: 1, left: [] });
});

it('what was retired is left as it is, and named', async () => {
  const aggregates = memoryAggregates();
  await importMap({ aggregates }, map, clock);
  const [first] = map.lifts;
  aggregates.given(`lift-${importedId('lift', first?.sourceId ?? '')}`, [
    { type: 'LiftRetired', data: { reason: null } },
  ]);
  expect((await importMap({ aggregates }, map, clock)).lifts.left).toEqual([
    `the lift ${first?.name} (${first?.sourceId}) is retired`,
  ]);
});

it.each([0, 5, 8, 30])(
  'after %d of 48 the store fails: the import says so, and continues when it is repeated',
  async (n) => {
    const aggregates = memoryAggregates();
    let left = n;
    const failing = {
      ...aggregates,
      handle: async (...call: Parameters<typeof aggregates.handle>) => {
        if (left === 0) throw new Error('the log is away');
        left -= 1;
        return aggregates.handle(...call);
      },
    } as typeof aggregates;
    const failed = await importMap({ aggregates: failing }, map, clock).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ImportInterrupted);
    expect((failed as Error).message).toBe(
      `${n} of 48 lifts and slopes are stored, then: the log is away. Import the same file again: it continues.`,
    );
    await importMap({ aggregates }, map, clock);
    expect(new Set(stateOf(aggregates))).toEqual(new Set(['operated']));
  },
);
