/** Reading a file of OpenSkiMap. */
import { describe, expect, it } from 'vitest';
import { readOpenSkiMap } from '../../commands/resort/openSkiMap.ts';

const BOTTOM = [40.3, 43.66, 1_000];
const TOP = [40.31, 43.65, 1_500];
const AWAY = [40.4, 43.7, 900];
const line = (...coordinates: number[][]) => ({ type: 'LineString', coordinates });
const feature = (type: string, id: number, geometry: object, more: object = {}) => ({
  type: 'Feature',
  properties: {
    type,
    id: `hash-${id}`,
    name: `${type} ${id}`,
    sources: [{ type: 'openstreetmap', id: `way/${id}` }],
    ...more,
  },
  geometry,
});
const read = (...features: object[]) =>
  readOpenSkiMap({ type: 'FeatureCollection', features }, (noun, sourceId) => `${noun} ${sourceId}`);
const lift = feature('lift', 1, line(BOTTOM, TOP), { liftType: 'chair_lift' });
const LIFT = 'lift openstreetmap:way/1';

it('connects runs with the lifts and runs at their ends', () => {
  const { lifts, slopes, unconnected, skipped } = read(
    lift,
    feature('run', 2, line(TOP, BOTTOM), { difficulty: 'easy' }),
    feature('run', 3, line(BOTTOM, AWAY), { difficulty: 'unheard of', name: null }),
  );
  expect(lifts).toMatchObject([{ name: 'lift 1', kind: 'chair_lift', sourceId: 'openstreetmap:way/1' }]);
  expect(slopes).toMatchObject([
    { difficulty: 'easy', fromLifts: [LIFT], toLifts: [LIFT], toSlopes: ['slope openstreetmap:way/3'] },
    { difficulty: 'freeride', fromLifts: [], toLifts: [], toSlopes: [], name: 'openstreetmap:way/3' },
  ]);
  expect(unconnected).toEqual(['openstreetmap:way/3 (openstreetmap:way/3) leads nowhere']);
  expect(skipped).toEqual([]);
});

it('knows the ends of a run that was drawn uphill, and of lifts without altitudes', () => {
  const flat = (point: number[]) => point.slice(0, 2);
  expect(read(lift, feature('run', 2, line(BOTTOM, TOP))).slopes).toMatchObject([
    { fromLifts: [LIFT], toLifts: [LIFT] },
  ]);
  const without = feature('lift', 1, line(flat(BOTTOM), flat(TOP)), { liftType: 't-bar' });
  expect(read(without, feature('run', 2, line(flat(TOP), flat(BOTTOM)))).unconnected).toEqual([]);
});

it('leaves out what is planned or given up', () => {
  const { lifts, slopes, skipped } = read(
    feature('lift', 1, line(BOTTOM, TOP), { liftType: 'chair_lift', status: 'operating' }),
    feature('lift', 2, line(BOTTOM, TOP), { liftType: 'chair_lift', status: 'proposed' }),
    feature('run', 3, line(TOP, BOTTOM), { status: 'abandoned' }),
  );
  expect([lifts.length, slopes.length]).toEqual([1, 0]);
  expect(skipped).toEqual([
    'feature 2: lift openstreetmap:way/2 is proposed',
    'feature 3: run openstreetmap:way/3 is abandoned',
  ]);
});

it('takes runs that are skied down or connect them, and no others', () => {
  const used = (id: number, uses: string[] | null) => feature('run', id, line(TOP, BOTTOM), { uses });
  const { slopes, skipped } = read(
    lift,
    used(2, ['downhill', 'skitour']),
    used(3, ['connection']),
    used(4, null),
    used(5, []),
    used(6, ['nordic', 'hike']),
  );
  expect(slopes.map(({ name }) => name)).toEqual(['run 2', 'run 3', 'run 4', 'run 5']);
  expect(skipped).toEqual(['feature 6: the run openstreetmap:way/6 is for nordic, hike']);
});

it('says what it leaves out', () => {
  const { lifts, skipped } = read(
    feature('skiArea', 1, line(BOTTOM, TOP)),
    feature('lift', 2, line(BOTTOM, TOP), { liftType: 'teleporter' }),
    feature('lift', 3, { type: 'Point', coordinates: BOTTOM }),
  );
  expect(lifts).toEqual([]);
  expect(skipped).toHaveLength(3);
  expect(skipped[1]).toBe('feature 2: the lift openstreetmap:way/2 is of an unknown type, teleporter');
  expect(() => readOpenSkiMap({ type: 'Feature' }, () => '')).toThrow('no GeoJSON');
});

describe('what does not fit the rules of the platform', () => {
  const run = (id: number, more: object = {}, geometry: object = line(TOP, BOTTOM)) =>
    feature('run', id, geometry, more);
  it.each<[string, object, RegExp]>([
    ['a name of 121 characters', run(2, { name: 'x'.repeat(121) }), /the run openstreetmap:way\/2: .*name/],
    ['a place that is none', run(2, {}, line(TOP, [190, 47])), /way\/2: \[190, 47\] is no place/],
    ['an altitude that is none', run(2, {}, line(TOP, [40, 43, 90_000])), /way\/2: 90000 is no altitude/],
    ['a run without length', run(2, {}, line(TOP, TOP)), /way\/2: The line has no length/],
    ['a lift without length', feature('lift', 2, line(TOP, TOP), { liftType: 'gondola' }), /lift .*2: The line has no/],
    ['the same run again', feature('run', 9, line(TOP, BOTTOM)), /way\/9 is in the file twice/],
    [
      'several lines in one',
      run(2, {}, { type: 'MultiLineString', coordinates: [[TOP, BOTTOM]] }),
      /run, hash-2, run 2/,
    ],
    ['no feature at all', { hello: 1 }, /^feature 3/],
    ['nothing', null as unknown as object, /^feature 3/],
  ])('%s is skipped and named, and the rest is read', (_, odd, why) => {
    const { lifts, slopes, skipped } = read(lift, feature('run', 9, line(TOP, BOTTOM)), odd);
    expect([lifts.length, slopes.length]).toEqual([1, 1]);
    expect(skipped).toEqual([expect.stringMatching(why)]);
  });

  it('are not invisible characters, which are left out', () =>
    expect(read(run(2, { name: 'Bl\u0000ue\u202e' })).slopes).toMatchObject([{ name: 'Blue' }]));
});

it('says what it assumes', () => {
  const { slopes, assumed } = read(
    lift,
    feature('run', 2, line(TOP, BOTTOM), { difficulty: null, uses: ['connection'] }),
    feature('run', 3, line(TOP, BOTTOM), { difficulty: 'easy', uses: ['connection'] }),
    feature('run', 4, line(TOP, BOTTOM), { difficulty: null, uses: ['downhill'] }),
  );
  expect(slopes.map(({ difficulty }) => difficulty)).toEqual(['novice', 'easy', 'freeride']);
  expect(assumed).toEqual([
    'run 2 (openstreetmap:way/2) is a connection of unknown difficulty: taken as novice',
    'run 4 (openstreetmap:way/4) is a run of unknown difficulty: taken as freeride',
  ]);
});
