/** WebSockets that the API passes on to the hub: a real hub behind a plain HTTP server that plays the API. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { vouchFor } from '../../infra/clientAddress.ts';
import {
  answerPlainRequest,
  isWebSocketUpgrade,
  type PassLimits,
  passWebSockets,
} from '../../ops/roles/webSocketPass.ts';
import type { RunningHub } from '../../realtime/hub/hub.ts';
import { until } from '../kit/until.ts';
import { connect, log, overEachTransport, range, refusedWith, type Stage, secrets, startStage } from './stage.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

/** A server that answers every request with its method, path and body, and passes WebSockets on to the hub. */
const startApi = async (hubPort: number, limits: Partial<PassLimits> = {}, options: object = {}, trustProxy = 1) => {
  const server: Server = createServer(options, (req, res) => {
    if (answerPlainRequest(req, res)) return;
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => res.end(`${req.method} ${req.url} ${Buffer.concat(chunks)}`));
  });
  const pass = passWebSockets(server, {
    hubUrl: `http://127.0.0.1:${hubPort}`,
    secrets,
    trustProxy,
    log,
    release: () => undefined,
    limits: { tunnels: 100, drainMs: 50, ...limits },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(async () => {
    await pass.stop();
    server.close();
    server.closeAllConnections();
  });
  return { port: portOf(server), pass, server };
};

/** Sends raw bytes and returns everything that comes back until the connection closes, or that is all that is waited for. */
const exchange = async (port: number, bytes: string, isAll?: RegExp): Promise<string> => {
  const socket = connectTcp(port, '127.0.0.1');
  let [answer, isClosed] = ['', false];
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  socket.write(bytes, 'latin1');
  await until(() => isClosed || isAll?.test(answer));
  socket.destroy();
  return answer;
};

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const handshake = (headers: Record<string, string> = {}, path = '/ws'): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: x',
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${KEY}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

await overEachTransport((transport) => {
  let stage: Stage;
  let hub: RunningHub;
  beforeAll(async () => {
    stage = await startStage(transport);
    hub = await stage.startHub();
  });
  afterAll(() => stage.stop());

  describe('a WebSocket at the port of the API', () => {
    test.each(['/ws', '/ws/any/path', '/ws?x=1'])('is the hub’s: %s', async (path) => {
      const { port } = await startApi(hub.port);
      const player = await stage.account();
      const listening = connect(port, player.token, path);
      await listening.ask({ type: 'subscribe', channel: player.channel });
      await stage.write(player.channel, 250, { text: 'x'.repeat(2_000) });
      await until(() => listening.offsets(player.channel).length === 250);
      expect(listening.offsets(player.channel)).toEqual(range(1, 250));
    });

    test('passes frames on that follow the handshake at once', async () => {
      const { port } = await startApi(hub.port);
      const ping = Buffer.from([0x81, 0x8f, 0, 0, 0, 0, ...Buffer.from('{"type":"ping"}')]).toString('latin1');
      expect(await exchange(port, handshake() + ping, /"pong"/)).toMatch(/^HTTP\/1\.1 101 .*"type":"pong"/s);
    });

    test('returns the refusals of the hub', async () => {
      const { port } = await startApi(hub.port);
      expect(await refusedWith(port, { authorization: 'Basic x' })).toBe(401);
      expect(await refusedWith(port, {}, '/ws?token=x')).toBe(400);
      const answer = await exchange(port, handshake({ authorization: 'Basic x' }));
      expect(answer).toMatch(/www-authenticate: Bearer/i);
      expect(answer).toMatch(/x-service: realtime/i);
      expect(answer).toMatch(/\r\n\r\n\{.*"code":"unauthenticated".*\}$/);
    });

    test('sends nothing to the hub that follows a refused handshake', async () => {
      const { port } = await startApi(hub.port);
      const health = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';
      const answer = await exchange(port, handshake({ authorization: 'Basic x' }) + health);
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
      expect(answer).not.toContain('"status":"ok"');
    });

    test('closes with the codes of the hub', async () => {
      const other = await stage.startHub({ authMs: 50 });
      const { port } = await startApi(other.port);
      expect(await connect(port).closed()).toBe(4500);
    });

    test('ends at the hub when the client disappears', async () => {
      const other = await stage.startHub({ socketsPerAddress: 1 });
      const { port } = await startApi(other.port);
      const listening = connect(port, (await stage.account()).token);
      await listening.first('ready');
      expect(await refusedWith(port, {})).toBe(429);
      listening.socket.terminate();
      await until(async () => (await refusedWith(port, {}).catch(() => 101)) === 101);
    });

    test('is answered 426 without an upgrade', async () => {
      const { port } = await startApi(hub.port);
      const answer = await fetch(`http://127.0.0.1:${port}/ws`);
      expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket']);
      expect((await fetch(`http://127.0.0.1:${port}/wsx`)).status).toBe(200);
    });
  });

  describe('the client’s address', () => {
    const statusFrom = async (port: number, headers: Record<string, string>): Promise<string> =>
      (await exchange(port, handshake(headers), /^.{12}/)).slice(9, 12);

    /** A socket that gives way to no other. */
    const signedIn = async (port: number, headers: Record<string, string> = {}) => {
      const { token } = await stage.account();
      const socket = connectTcp(port, '127.0.0.1');
      socket.write(handshake({ authorization: `Bearer ${token}`, ...headers }));
      await once(socket, 'data');
      return socket;
    };

    test('is counted by the hub as the API sees it', async () => {
      const tight = await stage.startHub({ socketsPerAddress: 1 });
      const { port } = await startApi(tight.port);
      const first = await signedIn(port, { 'x-forwarded-for': '6.6.6.6, 1.1.1.1' });
      expect(await statusFrom(port, { 'x-forwarded-for': '1.1.1.1' })).toBe('429');
      expect(await statusFrom(port, { 'x-forwarded-for': '2.2.2.2' })).toBe('101');
      first.destroy();
    });

    test('cannot be chosen by a client, at the API or at the hub', async () => {
      const tight = await stage.startHub({ socketsPerAddress: 1 });
      const { port } = await startApi(tight.port, {}, {}, 0);
      const first = await signedIn(port);
      const forged = vouchFor(
        { jwtSecret: 'guess'.repeat(8), jwtSecretPrevious: undefined },
        '3.3.3.3',
        KEY,
        Date.now(),
      );
      for (const target of [port, tight.port])
        for (const headers of [
          { 'x-forwarded-for': '3.3.3.3' },
          { 'x-client-address': '3.3.3.3' },
          { 'x-client-address': forged },
        ] as Record<string, string>[])
          expect(await statusFrom(target, headers), JSON.stringify(headers)).toBe('429');
      const genuine = vouchFor(secrets, '3.3.3.3', KEY, Date.now());
      expect(await statusFrom(tight.port, { 'x-client-address': genuine })).toBe('101');
      expect(await statusFrom(port, { 'x-client-address': genuine })).toBe('429');
      first.destroy();
    });
  });
});

describe('without a hub that answers', () => {
  test('the API answers 503 when the hub is away', async () => {
    const { port } = await startApi(1);
    const answer = await exchange(port, handshake());
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/retry-after: [1-4]\b/);
    expect(answer).toMatch(/"code":"unavailable"/);
  });

  test('the API answers 503 when the hub accepts and stays silent', async () => {
    const silent = createTcpServer(() => undefined);
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    closing.push(() => silent.close());
    const { port } = await startApi(portOf(silent), { answerMs: 100 });
    expect(await exchange(port, handshake())).toMatch(/^HTTP\/1\.1 503 /);
  });

  /** Opens every tunnel and then says nothing. */
  const startMuteHub = async (): Promise<number> => {
    const server = createServer();
    server.on('upgrade', (_req, socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closing.push(() => server.close());
    return portOf(server);
  };
  const openTunnel = async (port: number) => {
    const socket = connectTcp(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(handshake());
    const [data] = await once(socket, 'data');
    return { socket, status: String(data).slice(9, 12) };
  };

  test('a tunnel that is silent for too long is cut', async () => {
    const { port } = await startApi(await startMuteHub(), { idleMs: 200 });
    const { socket, status } = await openTunnel(port);
    expect(status).toBe('101');
    await once(socket.resume(), 'close'); // the default is longer than this test may take
  });

  test('more tunnels than the limit are refused', async () => {
    const { port } = await startApi(await startMuteHub(), { tunnels: 1, halfOpenMs: 100 });
    const { socket } = await openTunnel(port);
    expect((await openTunnel(port)).status).toBe('503');
    socket.destroy();
    await until(async () => (await openTunnel(port)).status === '101');
  });

  test('a stop ends the tunnels and refuses new ones', async () => {
    const { port, pass } = await startApi(await startMuteHub());
    const { socket } = await openTunnel(port);
    const closed = once(socket.resume(), 'close');
    const keptAlive = connectTcp(port, '127.0.0.1');
    await once(keptAlive, 'connect');
    await pass.stop();
    await closed;
    keptAlive.write(handshake());
    const [data] = await once(keptAlive, 'data');
    expect(String(data)).toMatch(/^HTTP\/1\.1 503 /);
    keptAlive.destroy();
  });
});

describe('other upgrades', () => {
  const h2c = [
    'POST /api HTTP/1.1',
    'host: x',
    'connection: Upgrade, HTTP2-Settings',
    'upgrade: h2c',
    'http2-settings: AAMAAABkAAQCAAAAAAIAAAAA',
    'content-length: 5',
    '',
    'hello',
  ].join('\r\n');

  test('are ignored: the request is answered as any other, body included', async () => {
    const { port } = await startApi(1, {}, { shouldUpgradeCallback: isWebSocketUpgrade });
    expect(await exchange(port, h2c, / hello/)).toMatch(/^HTTP\/1\.1 200 OK.*POST \/api hello/s);
  });
});
