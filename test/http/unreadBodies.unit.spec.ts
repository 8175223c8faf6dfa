/** Requests that are refused while their bodies still arrive, over real connections. */
import { connect, type Socket } from 'node:net';
import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { receiveFile } from '../../api/files/multipart.ts';
import { HttpError } from '../../api/http/errors.ts';
import { route } from '../../api/http/route.ts';
import { type ServedModules, serveModules } from '../kit/servedModules.ts';
import { until } from '../kit/until.ts';

const about = { summary: 'Answer', reply: Type.Object({ done: Type.Boolean() }) };
const answers = { ...about, handle: () => ({ done: true }) };
const body = Type.Object({ name: Type.Optional(Type.String()) });
const modules = [
  {
    service: 'platform',
    routes: [
      route('POST /open', { ...answers, id: 'open', access: 'public', body }),
      route('POST /bodiless', { ...answers, id: 'bodiless', access: 'public' }),
      route('POST /large', { ...answers, id: 'large', access: 'public', body, bodyLimit: 4 * 1024 * 1024 }),
      route('GET /read', { ...answers, id: 'read', access: 'public' }),
      route('PUT /own', { ...answers, id: 'own', access: 'user', body }),
      route('POST /busy', {
        ...about,
        id: 'busy',
        access: 'public',
        handle: () => {
          throw new HttpError('rate_limited', 'Too many requests.');
        },
      }),
      route('POST /upload', {
        ...about,
        id: 'upload',
        access: 'public',
        form: Type.Object({ file: Type.String({ format: 'binary' }) }),
        handle: async ({ request: { stream } }) => {
          if (stream) await receiveFile(stream, '/nowhere', 1_000);
          return { done: true };
        },
      }),
    ],
  },
] as const;

const MIB = 1024 * 1024;
/** Bytes that the server has read from each connection, by the port of the other end. */
const accepted = new Map<number | undefined, Socket>();
const open: Socket[] = [];
let served: ServedModules;
beforeAll(async () => {
  served = await serveModules(modules, { health: async () => 'ok' });
  served.server.on('connection', (socket: Socket) => accepted.set(socket.remotePort, socket));
});
afterAll(() => {
  for (const socket of open) socket.destroy();
  served.stop();
});

const begin = (request: string, length: number, type = 'application/json') => {
  const socket = connect({ host: '127.0.0.1', port: served.port });
  open.push(socket);
  let answer = '';
  socket.on('data', (data) => {
    answer += String(data);
  });
  socket.on('error', () => undefined);
  let isClosed = false;
  socket.on('close', () => {
    isClosed = true;
  });
  const send = (line: string, bytes: number, kind: string) =>
    socket.write(`${line} HTTP/1.1\r\nhost: x\r\ncontent-type: ${kind}\r\ncontent-length: ${bytes}\r\n\r\n`);
  send(request, length, type);
  return {
    socket,
    send,
    isClosed: () => isClosed,
    statuses: () => [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    readBytes: () => accepted.get(socket.localPort)?.bytesRead ?? 0,
  };
};

const CHUNK = Buffer.alloc(64 * 1024, ' ');
/** Sends as fast as it is read, until the connection closes or so much was read. */
const pour = (socket: Socket, enough: () => boolean) => {
  const go = () => {
    while (!enough() && socket.writable) if (!socket.write(CHUNK)) return void socket.once('drain', go);
  };
  go();
};

it.concurrent.each([
  ['401 of an operation for people', 'PUT /own', 401],
  ['404 of no operation', 'POST /nothing', 404],
  ['405', 'PUT /open', 405],
  ['413 of a body', 'POST /open', 413],
  ['415 of a type', 'POST /open', 415, 'text/plain'],
  ['200 of an operation that takes no body', 'POST /bodiless', 200],
  ['200 of a read', 'GET /read', 200],
  ['429', 'POST /busy', 429],
  ['413 of an upload', 'POST /upload', 413, 'multipart/form-data; boundary=x'],
])('after %s, at most one MiB more is read', async (_, request, status, type = 'application/json') => {
  const sent = begin(request, 1_000 * MIB, type);
  const isTooMuch = () => sent.readBytes() > 3 * MIB;
  pour(sent.socket, isTooMuch);
  await until(() => sent.isClosed() || isTooMuch());
  expect(sent.readBytes()).toBeLessThan(3 * MIB);
  expect(sent.statuses()).toEqual([status]);
});

it.concurrent('a refused body that ends soon leaves the connection to further requests', async () => {
  const sent = begin('PUT /own', MIB / 2);
  await until(() => sent.statuses().length === 1);
  sent.socket.write(Buffer.alloc(MIB / 2, ' '));
  sent.send('GET /read', 0, 'application/json');
  await until(() => sent.statuses().length === 2);
  expect(sent.statuses()).toEqual([401, 200]);
  expect(sent.isClosed()).toBe(false);
});

it.concurrent('the connection of a refused body that does not end is closed', async () => {
  const sent = begin('PUT /own', MIB);
  sent.socket.write('{');
  await until(sent.isClosed);
  expect(sent.statuses()).toEqual([401]);
});

it.concurrent('a refused body that had arrived before the answer leaves the connection to further requests', async () => {
  const sent = begin('POST /busy', MIB / 4);
  sent.socket.write(Buffer.alloc(MIB / 4, ' '));
  await until(() => sent.statuses().length === 1);
  const unfinished = begin('POST /busy', MIB);
  await until(unfinished.isClosed);
  expect(sent.isClosed()).toBe(false);
  sent.send('GET /read', 0, 'application/json');
  await until(() => sent.statuses().length === 2);
  expect(sent.statuses()).toEqual([429, 200]);
});

it.concurrent('a client that sends its next request at once uses another connection after a large refused body', async () => {
  const origin = `http://127.0.0.1:${served.port}`;
  const large = await fetch(`${origin}/busy`, { method: 'POST', body: 'x'.repeat(2 * MIB) });
  expect([large.status, large.headers.get('connection')]).toEqual([429, 'close']);
  await large.text();
  const next = await fetch(`${origin}/read`);
  expect([next.status, next.headers.get('connection')]).toEqual([200, 'keep-alive']);
});

it.concurrent('the connection of a large body that is read stays open', async () => {
  const sent = begin('POST /large', 2 * MIB);
  sent.socket.write(Buffer.concat([Buffer.from('{}'), Buffer.alloc(2 * MIB - 2, ' ')]));
  await until(() => sent.statuses().length === 1);
  sent.send('GET /read', 0, 'application/json');
  await until(() => sent.statuses().length === 2);
  expect(sent.statuses()).toEqual([200, 200]);
});
