/** Forms of every kind of damage: each is answered soon, and leaves no half-written file that counts as whole. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { receiveFile } from '../../api/files/multipart.ts';
import { HttpError, statusOf } from '../../api/http/errors.ts';
import { LEAST_RATE } from '../../api/http/leastRate.ts';
import { WAIT_MS } from '../kit/until.ts';

const MAX = 40_000;
let leastRate = LEAST_RATE;
const CONTENT = Buffer.from(Array.from({ length: 30_000 }, (_, n) => (n * 7) % 251));
const FORM = Buffer.concat([
  Buffer.from(
    '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n',
  ),
  CONTENT,
  Buffer.from('\r\n--edge--\r\n'),
]);

let folder: string;
let server: Server;
let count = 0;
let last: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'resort-forms-'));
  server = createServer(async (request, response) => {
    count += 1;
    last = path.join(folder, String(count));
    try {
      await receiveFile(request, last, MAX, leastRate);
      response.statusCode = 201;
    } catch (error) {
      response.statusCode = error instanceof HttpError ? statusOf(error.code) : 500;
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The status of the answer; 0 when the connection was closed without one. @param parts what is sent at a time */
const send = (parts: readonly Buffer[], { boundary = 'edge', missing = 0, hangUp = false } = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    const late = setTimeout(() => reject(new Error('no answer')), WAIT_MS);
    let answer = '';
    client.on('data', (data) => {
      answer += String(data);
      client.end();
    });
    client.on('error', () => undefined);
    client.on('close', () => {
      clearTimeout(late);
      resolve(Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0));
    });
    const type = `multipart/form-data; boundary=${boundary}`;
    client.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${length + missing}\r\n\r\n`);
    for (const part of parts) client.write(part);
    if (hangUp) client.end();
  });

it('a form arrives whole, however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(FORM.length), { maxLength: 6 }), async (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), FORM.length];
      const parts = at.slice(1).map((end, n) => FORM.subarray(at[n], end));
      expect(await send(parts)).toBe(201);
      expect((await readFile(last)).equals(CONTENT)).toBe(true);
    }),
    { numRuns: 20 },
  );
});

const damage = fc.oneof(
  fc.nat(FORM.length - 1).map((end) => FORM.subarray(0, end)),
  fc.record({ at: fc.nat(200), bytes: fc.uint8Array({ minLength: 1, maxLength: 30 }) }).map(({ at, bytes }) => {
    const damaged = Buffer.from(FORM);
    damaged.set(bytes, at);
    return damaged;
  }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 2, max: 3 }).map((times) => Buffer.concat(Array(times).fill(FORM))),
  fc.constant(Buffer.from(String(FORM.subarray(0, 60)).repeat(50))),
);

it('a damaged form is answered, and never with a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(damage, async (body) => {
      const status = await send([body]);
      expect([201, 413, 422]).toContain(status);
      // Damage that only concerns what is around the file may go unnoticed. What is taken is a file.
      if (status === 201) expect(existsSync(last)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it('a form without a boundary, with another one or too long is refused', async () => {
  expect(await send([FORM], { boundary: '' })).toBe(422);
  expect(await send([FORM], { boundary: 'other' })).toBe(422);
  expect(await send([Buffer.concat([FORM.subarray(0, 200), Buffer.alloc(MAX), FORM.subarray(200)])])).toBe(413);
});

it('a client that hangs up is not answered', async () => {
  expect([0, 400]).toContain(await send([FORM.subarray(0, 9_000)], { missing: 9, hangUp: true }));
});

it('a client that stops in the middle is refused, and so is a file of one byte too many', async () => {
  leastRate = { bytes: 1_000, withinMs: 100 };
  expect(await send([FORM.subarray(0, 9_000)], { missing: 9 })).toBe(408);
  leastRate = LEAST_RATE;
  const [head, end] = [FORM.subarray(0, FORM.indexOf(CONTENT)), FORM.subarray(FORM.indexOf(CONTENT) + CONTENT.length)];
  expect(await send([head, Buffer.alloc(MAX), end])).toBe(201);
  expect(await send([head, Buffer.alloc(MAX + 1), end])).toBe(413);
});
