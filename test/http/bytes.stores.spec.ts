/** Files as replies: whole, in parts, and not at all when the client has them. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Koa from 'koa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bytes, rangeOf } from '../../api/http/bytes.ts';
import { HttpError } from '../../api/http/errors.ts';

const CONTENT = Buffer.from('0123456789');
const ETAG = '"v1"';

it.each([
  ['bytes=0-3', { start: 0, end: 3 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=-2', { start: 8, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=9-99', { start: 9, end: 9 }],
  ['bytes=0-1,4-5', undefined],
  ['bytes=5-2', undefined],
  ['bytes=-', undefined],
  ['lines=1-2', undefined],
])('%s of ten bytes', (header, range) => expect(rangeOf(header, 10)).toEqual(range));

it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('%s of ten bytes does not exist', (header) =>
  expect(() => rangeOf(header, 10)).toThrow('The file has 10 bytes.'),
);

let server: Server;
let base: string;
let opened = 0;
/** What the next request reads instead of the file. */
let broken: Readable | undefined;
const failures: Error[] = [];
beforeAll(async () => {
  const koa = new Koa();
  koa.silent = true;
  koa.use(async (ctx) => {
    const reply = new Bytes({
      type: 'video/mp4',
      size: CONTENT.length,
      etag: ETAG,
      cache: 'private',
      disposition: 'inline',
      open: async (range) => {
        opened += 1;
        if (broken) return broken;
        return Readable.from([range ? CONTENT.subarray(range.start, range.end + 1) : CONTENT]);
      },
    });
    try {
      await reply.send(ctx, { mediaType: 'video/mp4', onFailure: (error) => failures.push(error) });
    } catch (error) {
      ctx.status = error instanceof HttpError && error.code === 'range_not_satisfiable' ? 416 : 500;
      if (error instanceof HttpError) ctx.set(error.headers);
    }
  });
  server = createServer(koa.callback()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = async (headers: Record<string, string> = {}, method = 'GET') => {
  const reply = await fetch(base, { headers, method });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
};

it('sends the whole file with what a cache and a browser need', async () => {
  const { status, headers, text } = await get();
  expect([status, text]).toEqual([200, '0123456789']);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': '10',
    'accept-ranges': 'bytes',
    etag: ETAG,
    'cache-control': 'private, no-store',
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
  });
});

it('sends a part', async () => {
  const { status, headers, text } = await get({ range: 'bytes=2-4' });
  expect([status, text, headers.get('content-range'), headers.get('content-length')]).toEqual([
    206,
    '234',
    'bytes 2-4/10',
    '3',
  ]);
});

it('sends a part only of the version that the client has begun with', async () => {
  expect((await get({ range: 'bytes=2-4', 'if-range': ETAG })).status).toBe(206);
  expect((await get({ range: 'bytes=2-4', 'if-range': '"v0"' })).text).toBe('0123456789');
});

it('refuses a part that does not exist, and names the size', async () => {
  const { status, headers } = await get({ range: 'bytes=10-' });
  expect([status, headers.get('content-range')]).toEqual([416, 'bytes */10']);
});

it('opens nothing for who has the file, and for HEAD', async () => {
  opened = 0;
  expect((await get({ 'if-none-match': ETAG })).status).toBe(304);
  const head = await get({}, 'HEAD');
  expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, '10', '']);
  expect(opened).toBe(0);
});

it('that breaks off while it is sent is told to the operators, and cut off for the client', async () => {
  broken = Readable.from(
    (async function* () {
      yield CONTENT.subarray(0, 1);
      throw new Error('the disk is gone');
    })(),
  );
  await expect(fetch(base).then((response) => response.arrayBuffer())).rejects.toThrow();
  broken = undefined;
  expect(failures.map(({ message }) => message)).toEqual(['the disk is gone']);
});
