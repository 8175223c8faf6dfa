/** The embedded event node alone, for a machine whose other roles run elsewhere or one by one. Loopback only. */
import { join } from 'node:path';
import { startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import type { StartRole } from './role.ts';

export const start: StartRole = async (config, log) => {
  const node = await startEmbeddedNode({
    directory: join(config.DATA_DIR, 'eventstore'),
    port: config.EVENTSTORE_PORT,
    healthPort: config.EVENTSTORE_HEALTH_PORT,
    onExit: (why) => {
      log.fatal({ why }, 'the event node ended');
      process.exit(1);
    },
  });
  return { address: node.connectionString, stop: node.stop };
};
