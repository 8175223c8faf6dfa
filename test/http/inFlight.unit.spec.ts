import { expect, it } from 'vitest';
import { createInFlight } from '../../api/http/inFlight.ts';

it('one address cannot take all places, and gives its own back', () => {
  const inFlight = createInFlight({ total: 5, perKey: 2 });
  expect(['a', 'a', 'a', 'b', 'b', 'c', 'd'].map(inFlight.enter)).toEqual([true, true, false, true, true, true, false]);
  inFlight.leave('a');
  expect(inFlight.enter('a')).toBe(true);
  for (const address of ['a', 'a', 'b', 'b', 'c']) inFlight.leave(address);
  expect(['d', 'd', 'd'].map(inFlight.enter)).toEqual([true, true, false]);
});
