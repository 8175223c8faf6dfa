/** What happens at the end of a visit: nobody can wait for it in a test. */
import { booking } from '../../domain/bookings/booking.ts';
import { connectEventStore } from '../../eventstore/client/index.ts';
import { createVault } from '../../eventstore/vault.ts';
import { createLogger } from '../../infra/log.ts';
import { createPool } from '../../infra/postgres.ts';
import { readConfig, vaultKeysOf } from '../../ops/config.ts';
import { contextOf } from './context.ts';
import { testDeps } from './deps.ts';
import type { Runtime } from './world.ts';

/** Completes a booking in the log of a running system. */
export const completeBooking = async (runtime: Runtime, bookingId: string): Promise<void> => {
  const { databaseUrl } = runtime;
  const log = createLogger({ level: 'silent' });
  const pool = createPool(databaseUrl, { max: 2, applicationName: 'spec', log });
  const store = connectEventStore(runtime.eventStore);
  try {
    const vault = createVault(pool, vaultKeysOf(readConfig({ NODE_ENV: 'test' })));
    const { aggregates } = testDeps({ pool, store, vault, log, databaseUrl, eventStore: '', stop: async () => {} });
    await aggregates.handle(booking, bookingId, { type: 'Complete', by: 'system' }, contextOf('system', 'system'));
  } finally {
    await store.close();
    await pool.end();
  }
};
