/** The WebSocket hub. Any number of them run side by side. */

import { watchDatabase } from '../../infra/databaseWatch.ts';
import { createPool, OF_REQUESTS } from '../../infra/postgres.ts';
import { payloads } from '../../projections/modules.ts';
import { startHub } from '../../realtime/hub/hub.ts';
import { channels } from '../../realtime/modules.ts';
import { clientLimits } from '../clientLimits.ts';
import { said } from '../healthLine.ts';
import { VERSION } from '../version.ts';
import { poolOptions, storesOf } from '../wiring.ts';
import type { StartRole } from './role.ts';

export const start: StartRole = async (config, log) => {
  const { databaseUrl } = storesOf(config);
  const pool = createPool(databaseUrl, { ...poolOptions(config), ...OF_REQUESTS, applicationName: 'realtime', log });
  const database = watchDatabase(pool, log);
  const hub = await startHub({
    port: config.REALTIME_PORT,
    host: config.HOST,
    pool,
    databaseUrl,
    isWritable: () => database.faults().length === 0,
    remarks: database.remarks,
    secrets: { jwtSecret: config.JWT_SECRET, jwtSecretPrevious: config.JWT_SECRET_PREVIOUS },
    version: VERSION,
    channels,
    payloads,
    trustProxy: config.TRUST_PROXY,
    transport: config.REALTIME_TRANSPORT,
    limits: clientLimits(config).hub,
    log,
  });
  return {
    faults: () => said('StoreAway', 'PostgreSQL', database.faults()),
    remarks: () => said('ClockWrong', 'clock', database.remarks()),
    address: `ws://localhost:${hub.port}/ws`,
    stop: async () => {
      await hub.stop();
      await database.stop();
      await pool.end();
    },
  };
};
