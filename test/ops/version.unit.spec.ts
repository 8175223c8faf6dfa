/** Which versions of Node are said to be old at the start. */
import { expect, it } from 'vitest';
import { nodeWarnings } from '../../ops/version.ts';

it.each([
  ['v20.19.0', 1],
  ['v22.12.0', 0],
  ['v24.1.0', 0],
  ['v26.0.0', 0],
])('Node %s is told of %i times', (version, times) => {
  expect(nodeWarnings(version)).toHaveLength(times);
});
