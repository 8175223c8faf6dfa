/**
 * What the hub needs of a WebSocket server. Two adapters provide it: `uwsTransport.ts` (uWebSockets.js, wherever its
 * binary loads) and `wsTransport.ts` (ws, on any Node). Both behave the same; the hub's specs run against both.
 */
import type { Logger } from '../../infra/log.ts';
import type { Answer } from './http.ts';
import { createUwsTransport, loadUws } from './uwsTransport.ts';
import { startWsTransport } from './wsTransport.ts';

/** One open socket. It must not be used after `end`, or after its `close` event. */
export interface TransportSocket {
  /** Sends one text frame (UTF-8). */
  send(frame: Uint8Array): void;
  /** Runs `work` and writes all frames that it sends at once. */
  cork(work: () => void): void;
  /** Bytes that were sent and that the client has not taken yet. */
  bufferedBytes(): number;
  /** Sends a close frame behind everything sent before, then closes. */
  end(code: number, reason: string): void;
}

export interface SocketEvents {
  /** The socket can send from now on. Comes first, and once. */
  opened(): void;
  /** One frame. `data` is valid until the handler returns. */
  message(data: Buffer, isBinary: boolean): void;
  /** The client has taken what was buffered: more can be sent. */
  drain(): void;
  /** The socket is gone. Comes exactly once. */
  close(): void;
}

export interface PlainRequest {
  readonly method: string;
  readonly path: string;
}

export interface UpgradeRequest {
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  /** Address of the other end of the TCP connection. */
  readonly peer: string;
  /** Value of a header by its lower-case name; empty when there is none. */
  header(name: string): string;
}

/** An upgrade that is allowed. */
export interface Accepted {
  /** Called before the upgrade has returned, so that nothing changes between the decision and the open socket; or never. */
  attach(socket: TransportSocket): SocketEvents;
}

export interface TransportOptions {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** Larger frames end their socket. */
  readonly maxFrameBytes: number;
  /** A client that sends nothing for so long, not even the answer to a ping, is dropped. At least 8. */
  readonly idleSeconds: number;
  /** Answers a request that is no WebSocket upgrade. Must not reject. */
  readonly onRequest: (request: PlainRequest) => Promise<Answer>;
  /** Decides on an upgrade at once: an answer refuses it. */
  readonly onUpgrade: (request: UpgradeRequest) => Answer | Accepted;
}

export interface Transport {
  readonly port: number;
  /** Accepts no connection any more; those that are open stay. To be called once. */
  stopListening(): void;
  /** Cuts every connection. */
  close(): void;
}

export type StartTransport = (options: TransportOptions) => Promise<Transport>;

export const TRANSPORTS = ['auto', 'uws', 'ws'] as const;
export type TransportChoice = (typeof TRANSPORTS)[number];

/** uNetworking's own release, which npm's registry does not have: binaries for Node 22, 24 and 26. */
const INSTALL = 'npm install uNetworking/uWebSockets.js#v20.67.0';

/**
 * The transport to use, and one log line that says which it is and what it costs.
 *
 * @throws when `uws` is demanded and uWebSockets.js cannot be loaded
 */
export const chooseTransport = async (choice: TransportChoice, log: Logger): Promise<StartTransport> => {
  if (choice === 'ws') {
    log.info({ transport: 'ws' }, 'WebSocket transport: ws, as REALTIME_TRANSPORT demands');
    return startWsTransport;
  }
  const loaded = await loadUws();
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
    `WebSocket transport: ws, because ${loaded.missing}. It needs about 5 KB more memory a socket and twice the CPU time a frame. Install uWebSockets.js for large hubs: ${INSTALL}`,
  );
  return startWsTransport;
};
