/** The WebSocket hub. Any number of them run side by side. */

import { createPool } from '../../infra/postgres.ts';
import { payloads } from '../../projections/modules.ts';
import { startHub } from '../../realtime/hub/hub.ts';
import { channels } from '../../realtime/modules.ts';
import { VERSION } from '../version.ts';
import { poolOptions, storesOf } from '../wiring.ts';
import type { StartRole } from './role.ts';

export const start: StartRole = async (config, log) => {
  const { databaseUrl } = storesOf(config);
  const pool = createPool(databaseUrl, { ...poolOptions(config), applicationName: 'realtime', log });
  const hub = await startHub({
    port: config.REALTIME_PORT,
    host: config.HOST,
    pool,
    databaseUrl,
    secrets: { jwtSecret: config.JWT_SECRET, jwtSecretPrevious: config.JWT_SECRET_PREVIOUS },
    version: VERSION,
    channels,
    payloads,
    trustProxy: config.TRUST_PROXY,
    transport: config.REALTIME_TRANSPORT,
    log,
  });
  return {
    address: `ws://localhost:${hub.port}/ws`,
    stop: async () => {
      await hub.stop();
      await pool.end();
    },
  };
};
