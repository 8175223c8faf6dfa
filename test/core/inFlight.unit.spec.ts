/** Places for what is under way at the same time. */
import { expect, it } from 'vitest';
import { createInFlight } from '../../infra/inFlight.ts';

const placesOf = (address: string) => [
  { key: 'all', max: 5 },
  { key: `of ${address}`, max: 2 },
];

it('one address cannot take all places, and gives its own back', () => {
  const inFlight = createInFlight();
  const taken = ['a', 'a', 'a', 'b', 'b', 'c', 'd'].map((address) => inFlight.take(placesOf(address)));
  expect(taken.map((release) => release !== undefined)).toEqual([true, true, false, true, true, true, false]);
  taken[0]?.();
  expect(inFlight.take(placesOf('b'))).toBeUndefined();
  const [first, second] = [inFlight.take(placesOf('d')), inFlight.take(placesOf('d'))];
  expect([first !== undefined, second]).toEqual([true, undefined]);
});

it('takes a place under each key or none, and gives them back once', () => {
  const inFlight = createInFlight();
  const release = inFlight.take([{ key: 'narrow', max: 1 }]);
  const both = [
    { key: 'wide', max: 1 },
    { key: 'narrow', max: 1 },
  ];
  expect(inFlight.take(both)).toBeUndefined();
  release?.();
  release?.();
  expect(inFlight.take(both)).toBeDefined();
  expect(inFlight.take([{ key: 'narrow', max: 2 }])).toBeDefined();
  expect(inFlight.take([{ key: 'narrow', max: 2 }])).toBeUndefined();
});
