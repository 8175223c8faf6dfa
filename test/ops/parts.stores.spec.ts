/** The checks of what is outside, against servers with the faults that they are for. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileStoreOf } from '../../commands/files/connect.ts';
import { createLogger } from '../../infra/log.ts';
import { tryFileStore } from '../../ops/checks/folders.ts';
import { parts } from '../../ops/checks/parts.ts';
import { tryParts } from '../../ops/checks/watch.ts';
import { readConfig } from '../../ops/config.ts';
import { startSmtp } from '../mail/smtpServer.ts';

let folder: string;
let s3: S3rver;
let bucket: NodeJS.ProcessEnv;
const stops: (() => unknown)[] = [];

const log = createLogger({ level: 'silent' });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'resort-parts-'));
  s3 = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory: path.join(folder, 's3') },
    configureBuckets: [{ name: 'uploads', configs: [] }],
  });
  const { port } = await s3.run();
  const key = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' };
  bucket = { ...key, S3_BUCKET: 'uploads', S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_PATH_STYLE: 'true' };
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

/** A server for one test. @returns its address */
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** What the check says with these settings: nothing, or a line for each part that cannot be used. */
const found = async (name: string, env: NodeJS.ProcessEnv): Promise<string[]> => {
  const [check] = parts.filter((one) => one.name === name);
  if (!check) throw new Error(`there is no check ${name}`);
  const tried = await tryParts(check, readConfig({ DATA_DIR: folder, ...env }), log);
  expect(tried.length).toBeGreaterThan(0);
  return tried.flatMap(({ line }) => line ?? []);
};
const NOBODY = 'http://127.0.0.1:2';

test('a bucket takes, gives and deletes an object, and nothing is left in it', async () => {
  expect(await found('files', bucket)).toEqual([]);
  expect(await found('files', {})).toEqual([]);
});

test.each([
  ['another bucket', { S3_BUCKET: 'another' }, /the bucket another cannot be used: .*NoSuchBucket/],
  ['another key', { S3_ACCESS_KEY_ID: 'ANOTHERKEY' }, /InvalidAccessKeyId/],
  ['a server that is away', { S3_ENDPOINT: NOBODY }, /ECONNREFUSED/],
])('a bucket with %s is found, with what to do', async (_, changed, why) => {
  const lines = await found('files', { ...bucket, ...changed });
  expect(lines).toEqual([expect.stringMatching(why)]);
  expect(lines[0]).toMatch(/uploads fail.*Look at S3_BUCKET/);
});

test('whoever needs a bucket that refuses us is not told to try again shortly', async () => {
  const to = (env: NodeJS.ProcessEnv) => tryFileStore(fileStoreOf(readConfig({ ...bucket, ...env }), log));
  await expect(to({ S3_BUCKET: 'another' })).rejects.toMatchObject({ isForGood: true });
  await expect(to({ S3_ACCESS_KEY_ID: 'ANOTHERKEY' })).rejects.toMatchObject({ isForGood: true });
  await expect(to({ S3_ENDPOINT: NOBODY })).rejects.toMatchObject({ isForGood: false });
});

test('a key that is told 403 for what is not there lacks a right, which is named', async () => {
  const S3_ENDPOINT = await serve((request, response) => {
    request.resume();
    if (request.method === 'DELETE') isThere = false;
    response.writeHead(request.method === 'GET' && !isThere ? 403 : 200, { 'content-type': 'application/xml' });
    response.end(request.url?.includes('versions') ? '<ListVersionsResult/>' : '');
  });
  let isThere = true;
  expect(await found('files', { ...bucket, S3_ENDPOINT })).toEqual([expect.stringContaining('s3:ListBucket')]);
});

test('a bucket that refuses our signature is found: the secret is another one', async () => {
  const S3_ENDPOINT = await serve((request, response) => {
    request.resume();
    response.writeHead(403, { 'content-type': 'application/xml' });
    response.end('<Error><Code>SignatureDoesNotMatch</Code><Message>not to be shown</Message></Error>');
  });
  const lines = await found('files', { ...bucket, S3_ENDPOINT });
  expect(lines).toEqual([expect.stringMatching(/SignatureDoesNotMatch/)]);
  expect(lines[0]).not.toContain('not to be shown');
});

test('a mail server is signed in at, and gets no e-mail', async () => {
  const server = await startSmtp();
  stops.push(server.stop);
  expect(await found('mail', { SMTP_URL: server.url })).toEqual([]);
  expect(server.attempts).toEqual([]);
  const wrong = server.url.replace('p%40ss', 'another');
  expect(await found('mail', { SMTP_URL: wrong })).toEqual([expect.stringContaining('EAUTH')]);
  expect(await found('mail', { SMTP_URL: 'smtp://127.0.0.1:2' })).toEqual([expect.stringContaining('ECONNREFUSED')]);
});

test('a mail server with a certificate that nobody trusts is found', async () => {
  const server = await startSmtp({ starttls: true });
  stops.push(server.stop);
  expect(await found('mail', { SMTP_URL: server.url })).toEqual([expect.stringMatching(/certificate.*NODE_EXTRA_CA/)]);
});

test('a certificate that is not trusted is told as such of every service, and that it lasts', async () => {
  const server = await startSmtp({ secure: true });
  stops.push(server.stop);
  const url = `https://127.0.0.1:${new URL(server.url).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const account = { project_id: 'resort', client_email: 'push@resort.test', private_key, token_uri: `${url}/token` };
  const secret = { LIVEKIT_API_KEY: 'APIresort', LIVEKIT_API_SECRET: 'not-a-secret-of-more-than-32-characters' };
  for (const [name, env] of Object.entries({
    files: { ...bucket, S3_ENDPOINT: url },
    mail: { SMTP_URL: server.url },
    voice: { ...secret, LIVEKIT_URL: url },
    push: { FCM_SERVICE_ACCOUNT: JSON.stringify(account) },
    payments: { YOOKASSA_SHOP_ID: '506751', YOOKASSA_API_URL: url },
    services: { SMS_GATEWAY_URL: url, WEATHER_URL: url },
    sign_in_providers: { OAUTH_PROVIDERS: JSON.stringify([{ name: 'own', issuer: url, client_id: 'resort' }]) },
  })) {
    const lines = await found(name, env);
    expect(lines.length, name).toBeGreaterThan(0);
    for (const line of lines)
      expect(line, name).toMatch(/cannot be used: .*its certificate .*which lasts until it is repaired/);
  }
});

/** An identity provider: its issuer, and the only secret that it knows. */
const provider = async (issuerOf: (own: string) => string): Promise<string> => {
  let own = '';
  own = await serve((request, response) => {
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration') {
      const at = { authorization_endpoint: `${own}/a`, token_endpoint: `${own}/t`, userinfo_endpoint: `${own}/u` };
      return json(200, { issuer: issuerOf(own), ...at, response_types_supported: ['code'] });
    }
    if (request.url !== '/t') return json(404, {});
    let body = '';
    request.on('data', (part) => (body += String(part)));
    return request.on('end', () =>
      body.includes('client_secret=right')
        ? json(400, { error: 'invalid_grant' })
        : json(401, { error: 'invalid_client' }),
    );
  });
  return own;
};
const tryProviderAt = async (server: object): Promise<string[]> => {
  const [check] = parts.filter(({ name }) => name === 'sign_in_providers');
  const one = { name: 'own', client_id: 'resort', client_secret: 'right', ...server };
  // Settings have https only; the server of this test has no certificate.
  const config = { ...readConfig({}), OAUTH_PROVIDERS: [one] };
  return check ? (await tryParts(check, config, log)).flatMap(({ line }) => line ?? []) : ['no check'];
};

test('an identity provider is asked for its issuer and whether it accepts our client', async () => {
  const good = await provider((own) => own);
  expect(await tryProviderAt({ issuer: good })).toEqual([]);
  const endpoints = {
    authorization_endpoint: `${good}/a`,
    token_endpoint: `${good}/t`,
    userinfo_endpoint: `${good}/u`,
  };
  expect(await tryProviderAt(endpoints)).toEqual([]);
  for (const [server, why] of [
    [{ issuer: good, client_secret: 'wrong' }, /does not accept client_id or client_secret \(invalid_client\)/],
    [{ ...endpoints, client_secret: 'wrong' }, /invalid_client/],
    [{ issuer: `${good}/realms/none` }, /OAUTH_/],
    [{ issuer: await provider(() => 'https://another.test') }, /OAUTH_/],
    [{ issuer: NOBODY }, /ECONNREFUSED/],
  ] as const) {
    const lines = await tryProviderAt(server);
    expect(lines).toEqual([expect.stringMatching(why)]);
    expect(lines[0]).toMatch(/the identity provider own .* Look at issuer, client_id and client_secret/);
  }
});

test('a voice server that does not accept our key is found', async () => {
  const settings = { LIVEKIT_API_KEY: 'APIresort', LIVEKIT_API_SECRET: 'not-a-secret-of-more-than-32-characters' };
  const url = await serve((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 'unauthenticated', msg: 'no permissions to access the room' }));
  });
  expect(await found('voice', { ...settings, LIVEKIT_URL: url })).toEqual([
    expect.stringMatching(/the voice server cannot be used.*401.*LIVEKIT_API_KEY/),
  ]);
});

test('keys of push services that cannot be read, are not accepted, or are no pair are found', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const account = (token_uri: string, private_key = pem) =>
    JSON.stringify({ project_id: 'resort', client_email: 'push@resort.test', private_key, token_uri });
  const says = (status: number, body: object) =>
    serve((_, response) => response.writeHead(status).end(JSON.stringify(body)));
  const good = await says(200, { access_token: 'one', expires_in: 3_600 });
  expect(await found('push', { FCM_SERVICE_ACCOUNT: account(good) })).toEqual([]);
  const lines = [
    ...(await found('push', { FCM_SERVICE_ACCOUNT: account(await says(400, { error: 'invalid_grant' })) })),
    ...(await found('push', { FCM_SERVICE_ACCOUNT: account(good, 'PRIVATE KEY of nobody') })),
    ...(await found('push', {
      VAPID_PUBLIC_KEY: 'B'.repeat(87),
      VAPID_PRIVATE_KEY: 'y0F6vc5y87nnIgtZdo05Py0PsDTOmxEIOO3Hnm9nXUs',
      VAPID_SUBJECT: 'mailto:push@resort.test',
    })),
  ];
  expect(lines).toEqual([
    expect.stringContaining('the token endpoint of FCM answered 400'),
    expect.stringContaining('the private key cannot be read'),
    expect.stringContaining('are not one pair'),
  ]);
});

test('a payment provider that does not accept our key is found; one that knows no such payment is well', async () => {
  const shop = { YOOKASSA_SHOP_ID: '506751' };
  const at = async (status: number, code: string) =>
    found('payments', {
      ...shop,
      YOOKASSA_API_URL: await serve((_, response) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ type: 'error', id: 'one', code }));
      }),
    });
  expect(await at(404, 'not_found')).toEqual([]);
  expect(await at(401, 'invalid_credentials')).toEqual([expect.stringContaining('the payment provider yookassa')]);
});
