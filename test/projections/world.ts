/** Fresh stores with counters for each test of a file. */
import { beforeEach } from 'vitest';
import type { Codec } from '../../eventstore/codec.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { type Counters, counters } from './counters.ts';

/** Those of the test that runs. */
export let world: Counters;

/** To be called once in a file. @param codecOf for other events than those of counters */
export const useWorld = (
  options: Parameters<typeof freshStores>[0] = {},
  codecOf?: (stores: Stores) => Codec,
): void => {
  beforeEach(async () => {
    const stores = await freshStores(options);
    world = counters(stores, codecOf?.(stores));
  });
};
