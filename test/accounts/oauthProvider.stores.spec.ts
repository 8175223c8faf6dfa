/** An identity provider that is away, in doubt, or speaks as VK ID and Yandex ID do. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OauthProviderSettings, oauthProvider } from '../../commands/accounts/oauthProvider.ts';

const request = { redirectUri: 'https://resort.test/callback', state: 'state', verifier: 'v'.repeat(43) };
const answer = { code: 'the-code', state: 'state', device_id: 'device' };

let server: Server;
let token: { status: number; body: unknown };
let userinfo: unknown;
let userinfoStatus = 200;
let discovery: { status: number; body: unknown };
let seen: { url: string; form: Record<string, string> }[] = [];

beforeAll(async () => {
  server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      seen.push({ url: incoming.url ?? '', form: Object.fromEntries(new URLSearchParams(body)) });
      const isDiscovery = incoming.url?.includes('/.well-known/') === true;
      const asked = isDiscovery ? discovery : { status: userinfoStatus, body: userinfo };
      const { status, body: answer } = incoming.url === '/token' ? token : asked;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

const providerWith = (more: Partial<OauthProviderSettings> = {}) => {
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoints = { authorization: `${at}/authorize`, token: `${at}/token`, userinfo: `${at}/userinfo` };
  const defaults = { name: 'x', clientId: 'resort', scope: 'email', server: endpoints, emailsVerified: false };
  return oauthProvider({ ...defaults, ...more });
};
const granted = { status: 200, body: { access_token: 'the-token', token_type: 'Bearer', id_token: 'not.to.be.read' } };

it('reads the person, and uses an address only if it is verified', async () => {
  token = granted;
  userinfo = { id: '42', default_email: 'anna@example.test', first_name: 'Anna', last_name: 'Orlova' };
  const anna = { subject: '42', verifiedEmail: null, firstName: 'Anna', lastName: 'Orlova' };
  expect(await providerWith().person(request, answer)).toEqual(anna);
  const vouched = providerWith({ emailsVerified: true });
  expect(await vouched.person(request, answer)).toEqual({ ...anna, verifiedEmail: 'anna@example.test' });
  userinfo = { sub: '42', email: 'anna@example.test', email_verified: false };
  expect(await vouched.person(request, answer)).toMatchObject({ verifiedEmail: null });
});

it('takes the word of a provider only for addresses of its domains', async () => {
  token = granted;
  const resort = providerWith({ emailDomains: ['resort.test'] });
  const said = async (email: string) => {
    userinfo = { sub: '42', email, email_verified: true };
    return (await resort.person(request, answer)).verifiedEmail;
  };
  expect(await said('anna@Resort.test')).toBe('anna@Resort.test');
  for (const other of [
    'admin@demo.test',
    'a@sub.resort.test',
    'a@notresort.test',
    'a@resort.test@demo.test',
    'a@ｒesort.test',
  ])
    expect(await said(other), other).toBeNull();
});

it('sends VK ID its device id, and posts a form for its userinfo', async () => {
  token = granted;
  userinfo = { user: { user_id: 7, email: 'anna@example.test' } };
  seen = [];
  const vk = providerWith({ echo: ['device_id', 'state'], userinfoByForm: true });
  expect(await vk.person(request, answer)).toMatchObject({ subject: '7' });
  expect(seen).toEqual([
    { url: '/token', form: expect.objectContaining({ code: 'the-code', device_id: 'device', state: 'state' }) },
    { url: '/userinfo', form: { client_id: 'resort', access_token: 'the-token' } },
  ]);
});

it('distinguishes a refusal from no answer, and repeats no codes or tokens in errors', async () => {
  const failing = async (provider = providerWith()) => {
    const error = await provider.person(request, answer).catch((thrown: Error) => thrown);
    expect(JSON.stringify([error, String(error)])).not.toMatch(/the-code|the-token|vvv/);
    return error;
  };
  token = { status: 400, body: { error: 'invalid_grant', error_description: 'the-code is old' } };
  expect(await failing()).toMatchObject({ kind: 'refused', message: 'invalid_grant' });
  token = { status: 503, body: {} };
  expect(await failing()).toMatchObject({ kind: 'away' });
  token = granted;
  for (userinfo of [{}, 'nobody', { message: 'no route' }]) expect(await failing()).toMatchObject({ kind: 'away' });
  const nowhere = providerWith({ server: { issuer: 'http://127.0.0.1:1' } });
  expect(await failing(nowhere)).toMatchObject({ kind: 'away' });
  await expect(nowhere.authorizationUrl(request)).rejects.toMatchObject({ kind: 'away' });
});

it('tells a fault of the settings from one of the person and from no answer', async () => {
  const failing = (provider = providerWith()) => provider.person(request, answer).catch((thrown: Error) => thrown);
  for (const [status, error, kind] of [
    [401, 'invalid_client', 'misconfigured'],
    [401, undefined, 'away'],
    [400, 'unauthorized_client', 'misconfigured'],
    [400, 'invalid_grant', 'refused'],
    [404, undefined, 'away'],
    [404, 'not_found', 'away'],
    [400, 'Not Found', 'away'],
    [503, 'temporarily_unavailable', 'away'],
    [502, undefined, 'away'],
  ] as const) {
    token = { status, body: error ? { error } : {} };
    expect(await failing(), `${status} ${error}`).toMatchObject({ kind });
  }
  token = granted;
  userinfoStatus = 403;
  expect(await failing()).toMatchObject({ kind: 'away', message: 'something else than the provider answered 403' });
  userinfo = { error: 'insufficient_scope' };
  expect(await failing()).toMatchObject({ kind: 'misconfigured', message: 'userinfo answered 403' });
  userinfoStatus = 200;

  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/none`;
  const discovered = () => failing(providerWith({ server: { issuer } }));
  discovery = { status: 404, body: { error: 'Realm does not exist' } };
  expect(await discovered()).toMatchObject({ kind: 'misconfigured', message: expect.stringContaining('404') });
  discovery = { status: 200, body: { issuer: 'https://other.test' } };
  expect(await discovered()).toMatchObject({ kind: 'misconfigured' });
  discovery = { status: 503, body: {} };
  expect(await discovered()).toMatchObject({ kind: 'away' });
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const place = `127.0.0.1:${(gone.address() as AddressInfo).port}`;
  await new Promise((resolve) => gone.close(resolve));
  expect(await failing(providerWith({ server: { issuer: `http://${place}` } }))).toMatchObject({
    kind: 'away',
    message: `discovery: nobody listens there (ECONNREFUSED ${place})`,
  });
});
