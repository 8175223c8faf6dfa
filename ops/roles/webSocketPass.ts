/**
 * Passes WebSockets that are opened at the API's port on to the hub, so that one address serves REST and realtime. The
 * hub decides everything; only its 101 opens a tunnel, and any other answer is returned and ends the connection. The
 * API sends a fixed list of headers and vouches for the client's address, which the hub's limits count.
 */
import { type ClientRequest, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressOf, VOUCHED_ADDRESS_HEADER, vouchFor } from '../../infra/clientAddress.ts';
import type { Logger } from '../../infra/log.ts';
import { sleep } from '../../infra/retry.ts';
import type { TokenSecrets } from '../../infra/tokens.ts';
import {
  answerHeaders,
  endWith,
  isWebSocketPath,
  problem,
  rawAnswer,
  upgradeRequired,
} from '../../realtime/hub/http.ts';

export interface WebSocketPassOptions {
  /** Address of the hub: `http://host:port`. */
  readonly hubUrl: string;
  readonly secrets: TokenSecrets;
  /** Number of reverse proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxy: number;
  readonly log: Logger;
  /** Told of each connection that is not in use any more, because its handshake was refused. */
  readonly release: (client: Socket) => void;
  readonly limits: Pick<PassLimits, 'tunnels'> & Partial<PassLimits>;
}

export interface PassLimits {
  /** Tunnels and open handshakes of one process. More than a hub takes: the hub knows which socket gives way. */
  readonly tunnels: number;
  /** How long the hub may take to answer a handshake. */
  readonly answerMs: number;
  /** A tunnel that is silent for this long is dead: the hub pings more often. */
  readonly idleMs: number;
  /** How long one half of a tunnel may stay open after the other has ended. */
  readonly halfOpenMs: number;
  /** At a stop, tunnels end at random times within this, so that their clients do not all reconnect at once. */
  readonly drainMs: number;
}

export interface WebSocketPass {
  /** Refuses new WebSockets and ends the open ones, whose clients then resume elsewhere. */
  stop(): Promise<void>;
}

const defaultLimits: Omit<PassLimits, 'tunnels'> = {
  answerMs: 10_000,
  idleMs: 150_000,
  halfOpenMs: 5_000,
  drainMs: 2_000,
};
const FORWARDED = [
  'authorization',
  'origin',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'sec-websocket-version',
  'user-agent',
];
/** Time for the last bytes of a tunnel to leave at a stop. */
const FLUSH_MS = 500;
const ignore = (): void => undefined;
const pathOf = (url = ''): string => url.split('?', 1)[0] ?? '';
const unavailable = (detail: string) => problem(503, 'unavailable', detail);

/** Whether this request opens a WebSocket. For `shouldUpgradeCallback` of the HTTP server. */
export const isWebSocketUpgrade = (req: IncomingMessage): boolean =>
  req.method === 'GET' && isWebSocketPath(pathOf(req.url)) && /^websocket$/i.test(req.headers.upgrade ?? '');

/**
 * Gives the connection back to the server, which then handles the request as if it asked for no upgrade. For Node before
 * 22.21, which has no `shouldUpgradeCallback`: clients that offer h2c with their first request would fail otherwise.
 */
const handleAsPlain = (server: Server, req: IncomingMessage, client: Duplex, head: Buffer): void => {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let i = 0; i < req.rawHeaders.length; i += 2)
    if (!/^(upgrade|connection|http2-settings)$/i.test(req.rawHeaders[i] ?? ''))
      lines.push(`${req.rawHeaders[i]}: ${req.rawHeaders[i + 1]}`);
  client.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', client);
};

/** The first line and the headers of the hub's answer, unchanged. */
const headOf = (answer: IncomingMessage): string => {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
  for (let i = 0; i < answer.rawHeaders.length; i += 2)
    lines.push(`${answer.rawHeaders[i]}: ${answer.rawHeaders[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
};

/** Joins both connections until either ends or is silent for too long. */
const join = (client: Socket, hub: Socket, { idleMs, halfOpenMs }: PassLimits): void => {
  for (const [from, to] of [
    [client, hub],
    [hub, client],
  ] as const) {
    from.setNoDelay(true);
    from.setTimeout(idleMs, () => from.destroy());
    from.on('error', ignore); // `close` follows
    from.on('end', () => setTimeout(() => from.destroy(), halfOpenMs).unref());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
};

/** Returns an answer of the hub that is no upgrade. Nothing that the client sends after its request reaches the hub. */
const returnAnswer = (client: Socket, answer: IncomingMessage): void => {
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  answer.on('end', () => {
    const head = headOf(answer).replace(/^(connection|keep-alive|transfer-encoding|content-length):.*\r\n/gim, '');
    const body = Buffer.concat(chunks);
    const length = `content-length: ${body.byteLength}\r\nconnection: close\r\n\r\n`;
    endWith(client, Buffer.concat([Buffer.from(head.slice(0, -2) + length, 'latin1'), body]));
  });
  answer.on('error', () => client.destroy());
};

const openAtHub = (req: IncomingMessage, options: WebSocketPassOptions): ClientRequest => {
  const { hostname, port } = new URL(options.hubUrl);
  const key = String(req.headers['sec-websocket-key'] ?? '');
  const forwardedFor = String(req.headers['x-forwarded-for'] ?? '');
  const address = addressOf(req.socket.remoteAddress ?? '', forwardedFor, options.trustProxy);
  const headers: Record<string, string> = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    [VOUCHED_ADDRESS_HEADER]: vouchFor(options.secrets, address, key, Date.now()),
  };
  for (const name of FORWARDED) if (req.headers[name] !== undefined) headers[name] = String(req.headers[name]);
  return request({ hostname: hostname.replace(/^\[|\]$/g, ''), port, path: req.url, headers, agent: false });
};

export const passWebSockets = (server: Server, options: WebSocketPassOptions): WebSocketPass => {
  const limits = { ...defaultLimits, ...options.limits };
  const { log } = options;
  const clients = new Set<Socket>();
  let draining = false;

  const pass = (req: IncomingMessage, client: Socket, head: Buffer): void => {
    const startedAt = performance.now();
    client.on('error', ignore); // `close` follows
    let answered = false;
    const release = (): void => {
      answered = true;
      clients.delete(client);
      options.release(client);
    };
    const refuse = (answer: ReturnType<typeof problem>): void => {
      if (answered) return;
      endWith(client, rawAnswer(answer, startedAt));
      release();
    };
    if (draining || clients.size >= limits.tunnels) {
      refuse(unavailable(draining ? 'The server is stopping. Connect again.' : 'Too many open WebSockets. Try later.'));
      return;
    }
    clients.add(client);

    const atHub = openAtHub(req, options);
    const timer = setTimeout(() => atHub.destroy(new Error('the hub did not answer in time')), limits.answerMs);
    client.on('close', () => {
      clients.delete(client);
      atHub.destroy();
    });
    atHub.on('error', (err) => {
      clearTimeout(timer);
      if (!answered && !client.destroyed) log.warn({ err }, 'the realtime hub is unreachable');
      refuse(unavailable('The realtime hub is unavailable. Connect again.'));
    });
    atHub.on('response', (answer) => {
      clearTimeout(timer);
      returnAnswer(client, answer);
      release();
    });
    atHub.on('upgrade', (answer, hub, hubHead) => {
      clearTimeout(timer);
      answered = true;
      client.write(headOf(answer), 'latin1');
      client.write(hubHead);
      hub.write(head);
      join(client, hub, limits);
    });
    atHub.end();
  };

  server.on('upgrade', (req, client, head) => {
    if (!isWebSocketUpgrade(req)) handleAsPlain(server, req, client, head);
    else if (client instanceof Socket) pass(req, client, head);
    else client.destroy(); // a handshake with a body: Node wraps its socket
  });

  return {
    stop: async () => {
      draining = true;
      const end = async (client: Socket): Promise<void> => {
        await sleep(Math.random() * limits.drainMs);
        client.destroySoon();
      };
      await Promise.all([...clients].map(end));
      if (clients.size > 0) await sleep(FLUSH_MS);
      for (const client of clients) client.destroy();
    },
  };
};

/** Answers a request to the WebSocket's path that opens none. False for every other path. */
export const answerPlainRequest = (req: IncomingMessage, res: ServerResponse): boolean => {
  if (!isWebSocketPath(pathOf(req.url))) return false;
  const answer = upgradeRequired();
  res.writeHead(answer.status, answerHeaders(answer, performance.now()).flat());
  res.end(req.method === 'HEAD' ? undefined : answer.body);
  return true;
};
