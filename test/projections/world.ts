/** Fresh stores with counters for each test of a file. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Codec } from '../../eventstore/codec.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';
import { type Counters, counters } from './counters.ts';

/** Those of the test that runs. */
export let world: Counters;

/** To be called once in a file. @param codecOf for other events than those of counters */
export const useWorld = (
  options: Parameters<typeof startStoreServers>[0] = {},
  codecOf?: (stores: Stores) => Codec,
): void => {
  let servers: StoreServers;
  beforeAll(async () => {
    servers = await startStoreServers(options);
  });
  afterAll(() => servers.stop());
  beforeEach(async () => {
    const stores = await servers.fresh();
    world = counters(stores, codecOf?.(stores));
  });
  afterEach(() => world.stop());
};
