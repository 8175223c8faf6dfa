/** Files over HTTP, through the real processes: uploads, links, and what a client can do wrong. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../../domain/files/addresses.ts';
import { createVault } from '../../eventstore/vault.ts';
import { signedLink, signLinksWith } from '../../infra/signedLinks.ts';
import { readConfig, vaultKeysOf } from '../../ops/config.ts';
import { subjectOf } from '../../projections/files/links.ts';
import { caller, signIn, untilShown } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { CAMERA, photo } from './samples.ts';

const { demo, runtime, dataDir } = sharedWorld();
const call = caller(runtime.api);
let token: string;
let other: string;
let picture: Buffer;
beforeAll(async () => {
  [token, other, picture] = [
    await signIn(call, demo, 'tourist'),
    await signIn(call, demo, 'tourist2'),
    await photo(600, 400, 6),
  ];
});

const send = async (form: FormData, query = 'folder=chat', who = token) => {
  const reply = await fetch(`${runtime.api}/api/v1/attachments/upload?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who}` },
    body: form,
  });
  await untilShown(runtime.api, reply.headers);
  return {
    status: reply.status,
    headers: reply.headers,
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body, field by field
    body: (await reply.json()) as any,
  };
};
const formOf = (bytes: Buffer, { field = 'file', name = 'IMG_0001.jpg', type = 'image/jpeg' } = {}): FormData => {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
};
/** Links lead to the public address; the system of the tests listens elsewhere. */
const here = (url: string): string => runtime.api + url.slice(new URL(url).origin.length);
const read = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
  const reply = await fetch(here(url), { headers, method });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
};
/** Uploads that are being put together. */
const incoming = () => readdir(path.join(dataDir, 'incoming'));

describe('an uploaded photo', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body, field by field
  let file: any;
  beforeAll(async () => {
    const { status, body } = await send(formOf(picture));
    expect(status).toBe(201);
    file = body;
  });

  it('is described, and not named', () => {
    expect(file).toMatchObject({
      folder: 'chat',
      mime: 'image/jpeg',
      width: 400,
      height: 600,
      duration_s: null,
      used_by: null,
    });
    expect(JSON.stringify(file)).not.toContain('IMG_0001');
  });

  it('is served upright and without its metadata to who has the link', async () => {
    const { status, headers, bytes } = await read(file.url);
    expect(status).toBe(200);
    expect(bytes).toHaveLength(file.size);
    expect(bytes.includes(CAMERA)).toBe(false);
    const { exif, width, height } = await sharp(bytes).metadata();
    expect([exif, width, height]).toEqual([undefined, 400, 600]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(file.size),
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-service': 'platform',
    });
    expect(headers.get('cache-control')).toBe('private, no-store');
    const small = await read(file.thumbnail_url);
    expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'webp', height: 400 });
  });

  it('is served in parts, and not again to who has it', async () => {
    const { status, headers, bytes } = await read(file.url, { range: 'bytes=0-9' });
    expect([status, headers.get('content-range'), bytes.length]).toEqual([206, `bytes 0-9/${file.size}`, 10]);
    expect((await read(file.url, { range: `bytes=${file.size}-` })).status).toBe(416);
    expect((await read(file.url, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
    const head = await read(file.url, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, String(file.size), 0]);
  });

  it('does not exist for who has no link, a forged one, or the link of the thumbnail', async () => {
    const statusOf = async (url: string) => (await read(url)).status;
    expect(await statusOf(file.url.split('?')[0])).toBe(404);
    expect(await statusOf(file.url.replace(/expires=\d+/, 'expires=4102444800'))).toBe(404);
    expect(await statusOf(file.url.replace('?', '/thumbnail?'))).toBe(404);
    expect(await statusOf(file.url.replace(file.id, randomUUID()))).toBe(404);
    expect(await statusOf(file.url.replace(file.id, 'x'))).toBe(422);
  });

  it('is gone for who has a link that is over', async () => {
    const config = readConfig({ NODE_ENV: 'test' });
    const vault = createVault(undefined as never, vaultKeysOf(config));
    signLinksWith({ key: vault.fingerprint('key', 'links to files'), publicUrl: runtime.api });
    const over = signedLink(pathOf(file.id, 'file'), subjectOf(file.id, 'file'), '2026-01-01T00:00:00Z');
    const { status, bytes } = await read(over);
    expect([status, JSON.parse(String(bytes)).code]).toEqual([410, 'link_expired']);
  });

  it('is listed, found and deleted by its owner only', async () => {
    const list = await call('GET /api/v1/attachments?folder=chat', { token });
    expect(list.body.data[0]).toEqual(file);
    expect((await call(`GET /api/v1/attachments/${file.id}`, { token })).body).toEqual(file);
    expect((await call(`GET /api/v1/attachments/${file.id}`, { token: other })).status).toBe(404);
    expect((await call(`DELETE /api/v1/attachments/${file.id}`, { token: other })).status).toBe(404);
    expect((await call(`DELETE /api/v1/attachments/${file.id}`, { token })).status).toBe(204);
    expect((await read(file.url)).status).toBe(404);
    const folder = path.join(dataDir, 'files', file.id.slice(-2));
    await until(async () => !(await readdir(folder)).some((name) => name.startsWith(file.id)));
  });
});

it('the picture of a listing is public while the listing shows it', async () => {
  const seller = await signIn(call, demo, 'touroperator');
  const { id, images } = (await call('GET /api/v1/provider/tours', { token: seller })).body.data[0];
  const change = (pictures: object[]) =>
    call(`PATCH /api/v1/tours/${id}`, { token: seller, body: { images: pictures } });
  const { body: file } = await send(formOf(picture), 'folder=listings', seller);
  expect((await change([{ is_main: true }])).status).toBe(422);
  const { status, body } = await change([...images, { file_id: file.id, is_main: false }]);
  expect(status).toBe(200);
  const { url } = body.images.at(-1);
  expect(url).toMatch(new RegExp(`/api/v1/files/${file.id}$`));
  const shown = await until(async () => {
    const reply = await read(url);
    return reply.status === 200 && reply;
  });
  expect(shown.headers.get('cache-control')).toBe('public, max-age=86400');
  expect((await call(`DELETE /api/v1/attachments/${file.id}`, { token: seller })).status).toBe(409);
  expect((await change(images)).body.images).toEqual(images);
  await until(async () => (await read(url)).status === 404);
});

describe('an upload', () => {
  it.each<[string, () => FormData, number, string]>([
    ['a text that is called a photo', () => formOf(Buffer.from('no photo at all')), 415, 'unsupported_media_type'],
    ['another field', () => formOf(picture, { field: 'photo' }), 422, 'validation_failed'],
    ['no file', () => new FormData(), 422, 'validation_failed'],
    ['a damaged photo', () => formOf(picture.subarray(0, 5_000)), 422, 'invalid'],
    ['more than the folder takes', () => formOf(Buffer.alloc(51 * 1024 * 1024)), 413, 'too_large'],
  ])('of %s is refused, and nothing of it stays', async (_, form, status, code) => {
    const reply = await send(form());
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(reply.body.detail).toMatch(/\.$/);
    expect(await incoming()).toEqual([]);
  });

  it('of two files, or of other fields beside it, is refused', async () => {
    const form = formOf(picture);
    form.append('file', new Blob(['x']), 'x.txt');
    expect((await send(form)).status).toBe(422);
    const named = formOf(picture);
    named.append('folder', 'chat');
    expect((await send(named)).status).toBe(422);
    expect(await incoming()).toEqual([]);
  });

  it('needs a folder, and the role for it', async () => {
    expect((await send(formOf(picture), '')).status).toBe(422);
    expect((await send(formOf(picture), 'folder=secrets')).status).toBe(422);
    expect((await send(formOf(picture), 'folder=listings')).status).toBe(403);
  });

  /** Bytes of a form that does not say how long it is, as they are sent: so much at once, until it is answered or over. */
  const stream = (chunks: number, end: boolean) =>
    new Promise<number>((resolve) => {
      const upload = request(`${runtime.api}/api/v1/attachments/upload?folder=reviews`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=edge' },
      });
      upload.on('error', () => resolve(0));
      upload.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        upload.destroy();
      });
      upload.write('--edge\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n');
      const chunk = Buffer.alloc(1024 * 1024, 1);
      const next = (left: number): void => {
        if (upload.destroyed) return;
        if (left > 0) upload.write(chunk, () => next(left - 1));
        else if (end) upload.end();
        else void until(async () => (await incoming()).length > 0).then(() => upload.destroy());
      };
      next(chunks);
    });

  it('that is longer than it may be is refused while it arrives', async () => {
    expect(await stream(40, true)).toBe(413);
    await until(async () => (await incoming()).length === 0);
  });

  it('that is not finished is refused', async () => {
    expect(await stream(1, true)).toBe(422);
    expect(await incoming()).toEqual([]);
  });

  it('that is broken off leaves nothing', async () => {
    expect(await stream(2, false)).toBe(0);
    await until(async () => (await incoming()).length === 0);
  });
});
