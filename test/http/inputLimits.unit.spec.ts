import { expect, it } from 'vitest';
import { oversized } from '../../api/http/inputLimits.ts';

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

it.each([
  ['a usual body', { type: 'hotel', notes: 'late', items: [{ a: 1 }, { a: null }] }, undefined],
  ['20 levels', nested(20), undefined],
  ['21 levels', nested(21), `${'/0'.repeat(20)} is nested deeper than 20 levels`],
  ['a long text', { notes: 'x'.repeat(64 * 1024) }, undefined],
  ['a longer text', { notes: 'x'.repeat(64 * 1024 + 1) }, '/notes contains a text of more than 65536 characters'],
  ['a long name', { ['x'.repeat(64 * 1024 + 1)]: 1 }, ' contains a text of more than 65536 characters'],
  ['too many items', Array(10_001).fill(0), ' contains more than 10000 items in one array or object'],
  ['too many values', Array(10).fill(Array(6_000).fill(0)), '/8/1990 contains more than 50000 values'],
  ['a large number', { n: 2 ** 53 }, '/n contains a number that is too large'],
  ['U+0000', { text: 'a\u0000b' }, '/text contains characters that cannot be stored'],
  [
    'what stands for the text of an erased account',
    { text: ' [erased] ' },
    '/text contains [erased], which is reserved',
  ],
  ['a lone surrogate', { '\ud800': 1 }, ' contains characters that cannot be stored'],
])('%s', (_, input, wrong) => {
  const found = oversized(input);
  expect(found && `${found.pointer} ${found.detail}`).toBe(wrong);
});
