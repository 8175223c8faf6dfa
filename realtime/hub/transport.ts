/**
 * What the hub needs of a WebSocket server. Two adapters provide it: `uwsTransport.ts` (uWebSockets.js, wherever its
 * binary loads) and `wsTransport.ts` (ws, on any Node). Both behave the same; the hub's specs run against both.
 */
import type { Answer, PlainRequest } from './http.ts';

/**
 * One open socket. It must not be used after `end`, or after its `closed` event. The names are those of uWebSockets.js, whose
 * sockets are used as they are: a wrapper would be memory for each.
 */
export interface TransportSocket {
  /** Sends one text frame (UTF-8). */
  send(frame: Uint8Array): void;
  /** Runs `work` and writes all frames that it sends at once. */
  cork(work: () => void): void;
  /** Bytes that were sent and that the client has not taken yet. */
  getBufferedAmount(): number;
  /** From now on the socket also gets what is published under this topic. */
  subscribe(topic: string): void;
  unsubscribe(topic: string): void;
  /**
   * Sends a close frame behind everything sent before, then closes. A client that does not close its side keeps the
   * connection for a while: over ws for 30 s, unless others need its place; over uWebSockets.js for about 20 s.
   */
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
  closed(): void;
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
  /** Connections in all, WebSockets included. Over uWebSockets.js, which does not count them, the system's limit holds. */
  readonly maxConnections: number;
  /**
   * Whether this process has file descriptors left for more connections. Over uWebSockets.js, nobody is accepted without:
   * it would try again all the time. Node's own server closes those that it has none for.
   */
  readonly hasRoom: () => boolean;
  /** A client that sends nothing for this long, not even the answer to a ping, is dropped. At least 8. */
  readonly idleSeconds: number;
  /** Answers a request that is no WebSocket upgrade. Must not reject. */
  readonly onRequest: (request: PlainRequest) => Promise<Answer>;
  /** Decides on an upgrade at once: an answer refuses it. */
  readonly onUpgrade: (request: UpgradeRequest) => Answer | Accepted;
}

export interface Transport {
  readonly port: number;
  /**
   * Sends one text frame to every socket that has joined the topic, whatever they have buffered. Each gets it in the
   * order of everything that is sent to it.
   */
  publish(topic: string, frame: Uint8Array): void;
  /**
   * Accepts no connection any more, at the latest in a second. WebSockets stay open; plain requests are answered, as the last
   * of their connection. Resolves when no connection is left, or after some seconds. To be called once.
   */
  stopListening(): Promise<void>;
  /** Cuts every connection. */
  close(): void;
}

export type StartTransport = (options: TransportOptions) => Promise<Transport>;
