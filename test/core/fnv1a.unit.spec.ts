/** The hash whose results are stored: fingerprints of tracks, the order in aggregates, the parts of policies. */
import { describe, expect, it } from 'vitest';
import { fnv1a } from '../../domain/core/fnv1a.ts';
import { ImmutableMap } from '../../domain/core/immutableMap.ts';
import { printOf } from '../../domain/tracking/plausibility.ts';

describe('a hash that is stored stays from release to release', () => {
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
    ['позиция-1', 0x6740cf8c],
  ])('of %j', (text, hash) => expect(fnv1a(text)).toBe(hash));

  it('of the places of a track', () => {
    const fixes = Array.from({ length: 200 }, (_, n) => ({ lat: 43.6 + n / 1_000, lon: 40.3 + n / 777 }));
    const print = printOf(fixes);
    expect(print).toHaveLength(64);
    expect(print.slice(0, 5)).toEqual([18_572_413, 23_567_837, 27_763_436, 38_913_530, 44_511_577]);
    expect(print.at(-1)).toBe(660_520_793);
  });

  it('of the keys of a map, whose order snapshots have', () => {
    const keys = ['booking', 'a', 'b', 'ё', '', 'tour-1', 'x'.repeat(40)];
    const map = ImmutableMap.from(keys.map((key) => [key, true] as const));
    expect([...map].map(([key]) => key)).toEqual(['a', 'tour-1', 'ё', 'booking', '', 'x'.repeat(40), 'b']);
  });
});
