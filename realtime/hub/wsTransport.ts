/** The transport over Node's HTTP server and ws: runs wherever Node runs. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { limitConnections } from '../../infra/connections.ts';
import { type Answer, answerHeaders, endWith, rawAnswer, stampHeaders } from './http.ts';
import type { Accepted, StartTransport, UpgradeRequest } from './transport.ts';
import { createTopics } from './wsTopics.ts';

/** A ping goes out this long before a silent socket is dropped. */
const PING_GRACE_MS = 4_000;
const SWEEP_MS = 1_000;
/** A plain request on whose connection no byte moves for this long is dropped. */
const HTTP_IDLE_MS = 10_000;
const STOP_MS = 1_500;
const TEXT = { binary: false } as const;
const ignore = (): void => undefined;

const split = (url = '/'): { path: string; query: string } => {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
};

const headerOf = (req: IncomingMessage, name: string): string => {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
};

const plainRequest = (req: IncomingMessage) => ({ method: req.method ?? 'GET', path: split(req.url).path });

const upgradeRequest = (req: IncomingMessage): UpgradeRequest => ({
  ...split(req.url),
  peer: req.socket.remoteAddress ?? '',
  header: (name) => headerOf(req, name),
});

/** A handshake of WebSocket, not of another protocol that clients offer at times (h2c). */
const isHandshake = (req: IncomingMessage): boolean =>
  req.method === 'GET' && /^websocket$/i.test(headerOf(req, 'upgrade')) && headerOf(req, 'sec-websocket-key') !== '';

const send = (req: IncomingMessage, res: ServerResponse, answer: Answer, startedAt: number): void => {
  res.writeHead(answer.status, [
    ...answerHeaders(answer, startedAt).flat(),
    'content-length',
    String(Buffer.byteLength(answer.body)),
  ]);
  res.end(req.method === 'HEAD' ? undefined : answer.body);
};

/** Pings sockets that have been silent, and drops those that stay so. */
const watchSilence = (sockets: ReadonlyMap<WebSocket, { seenAt: number; pinged: boolean }>, idleSeconds: number) => {
  const dropAfter = idleSeconds * 1_000;
  const sweep = () => {
    const now = performance.now();
    for (const [socket, state] of sockets) {
      const silence = now - state.seenAt;
      if (silence >= dropAfter) socket.terminate();
      else if (silence >= dropAfter - PING_GRACE_MS && !state.pinged && socket.readyState === socket.OPEN) {
        state.pinged = true;
        socket.ping();
      }
    }
  };
  return setInterval(sweep, SWEEP_MS);
};

export const startWsTransport: StartTransport = async (options) => {
  const topics = createTopics();
  const sockets = new Map<WebSocket, { seenAt: number; pinged: boolean }>();
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: options.maxFrameBytes,
  });
  let upgradeStartedAt = 0;
  webSockets.on('headers', (headers) => {
    for (const [name, value] of stampHeaders(upgradeStartedAt)) headers.push(`${name}: ${value}`);
  });

  const open = (socket: WebSocket, connection: Duplex, accepted: Accepted): void => {
    const state = { seenAt: performance.now(), pinged: false };
    const seen = () => Object.assign(state, { seenAt: performance.now(), pinged: false });
    sockets.set(socket, state);
    const member = { socket, connection };
    const events = accepted.attach({
      send: (frame) => socket.send(frame, TEXT),
      cork: (work) => {
        connection.cork();
        try {
          work();
        } finally {
          connection.uncork();
        }
      },
      getBufferedAmount: () => socket.bufferedAmount,
      subscribe: (topic) => topics.join(topic, member),
      unsubscribe: (topic) => topics.leave(topic, member),
      end: (code, reason) => {
        socket.close(code, reason);
        connections.release(connection as Socket);
      },
    });
    socket.on('message', (data, isBinary) => {
      seen();
      events.message(data as Buffer, isBinary);
    });
    socket.on('ping', seen);
    socket.on('pong', seen);
    socket.on('error', ignore); // `close` follows
    socket.on('close', () => {
      sockets.delete(socket);
      topics.leaveAll(member);
      events.closed();
    });
    connection.on('drain', () => {
      if (socket.readyState === socket.OPEN) events.drain();
    });
    events.opened();
  };

  const upgrade = (req: IncomingMessage, connection: Duplex, head: Buffer): void => {
    const startedAt = performance.now();
    connection.on('error', ignore); // `close` follows
    const refuse = (answer: Answer) => {
      endWith(connection, rawAnswer(answer, startedAt, req.method === 'HEAD'));
      connections.release(connection as Socket);
    };
    if (!isHandshake(req)) return void options.onRequest(plainRequest(req)).then(refuse);
    const decision = options.onUpgrade(upgradeRequest(req));
    if ('status' in decision) return void refuse(decision);
    upgradeStartedAt = startedAt;
    webSockets.handleUpgrade(req, connection, head, (socket) => open(socket, connection, decision));
  };

  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 30_000, headersTimeout: 10_000 });
  // ws lifts the limit of idleness from its sockets.
  const connections = limitConnections(server, {
    total: options.maxConnections,
    perAddress: undefined,
    idleMs: HTTP_IDLE_MS,
  });
  server.on('request', (req, res) => {
    const startedAt = performance.now();
    void options.onRequest(plainRequest(req)).then((answer) => send(req, res, answer, startedAt));
  });
  server.on('upgrade', upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const watch = watchSilence(sockets, options.idleSeconds);
  return {
    port: (server.address() as AddressInfo).port,
    publish: topics.publish,
    stopListening: async () => {
      await connections.drain(STOP_MS);
    },
    close: () => {
      clearInterval(watch);
      for (const socket of sockets.keys()) socket.terminate();
      server.closeAllConnections();
    },
  };
};
