/**
 * The embedded event node alone, for a machine whose other roles run one by one. Loopback only. Its connection string is
 * in its folder, because it contains the key.
 */
import { join } from 'node:path';
import { CONNECTION_FILE } from '../../eventstore/embedded/access.ts';
import { startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import { endProcess } from '../../infra/output.ts';
import type { StartRole } from './role.ts';

export const start: StartRole = async (config, log) => {
  const node = await startEmbeddedNode({
    directory: join(config.DATA_DIR, 'eventstore'),
    port: config.EVENTSTORE_PORT,
    healthPort: config.EVENTSTORE_HEALTH_PORT,
    onExit: (why) => {
      log.fatal({ why }, 'the event node ended');
      void endProcess(1);
    },
  });
  log.info({ file: join(config.DATA_DIR, 'eventstore', CONNECTION_FILE) }, 'the connection string is in this file');
  return { address: new URL(node.connectionString).host, stop: node.stop };
};
