/** Chooses the transport: uWebSockets.js where its binary loads, else ws. */
import type { Logger } from '../../infra/log.ts';
import type { StartTransport } from './transport.ts';
import { createUwsTransport, loadUws } from './uwsTransport.ts';
import { startWsTransport } from './wsTransport.ts';

/** `auto`: uWebSockets.js where its binary loads, else ws. */
export type TransportChoice = 'auto' | 'uws' | 'ws';

const COST = 'It needs about 5 KB more memory a socket and twice the CPU time a frame than uWebSockets.js.';
/** uNetworking's own release, which npm's registry does not have: binaries for Node 22, 24 and 26. */
const INSTALL = 'npm install uNetworking/uWebSockets.js#v20.67.0';

/**
 * The transport to use, and one log line that says which it is and what it costs.
 *
 * @throws when `uws` is demanded and uWebSockets.js cannot be loaded
 */
export const chooseTransport = async (
  choice: TransportChoice,
  log: Pick<Logger, 'info'>,
  load = loadUws,
): Promise<StartTransport> => {
  if (choice === 'ws') {
    log.info({ transport: 'ws' }, `WebSocket transport: ws, as REALTIME_TRANSPORT says. ${COST}`);
    return startWsTransport;
  }
  const loaded = await load();
  if ('uws' in loaded) {
    log.info({ transport: 'uws' }, 'WebSocket transport: uWebSockets.js');
    return createUwsTransport(loaded.uws);
  }
  if (choice === 'uws')
    throw new Error(
      `REALTIME_TRANSPORT=uws, but ${loaded.missing}. Install it (${INSTALL}) or set REALTIME_TRANSPORT=auto.`,
    );
  log.info(
    { transport: 'ws' },
    `WebSocket transport: ws, because ${loaded.missing}. ${COST} Install uWebSockets.js for large hubs: ${INSTALL}`,
  );
  return startWsTransport;
};
