/** What a system outside did not write is a fault that is repeated, of every system: never its reply, never its refusal. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGatewaySms } from '../../commands/accounts/gatewaySms.ts';
import { IdentityProviderError } from '../../commands/accounts/identityProvider.ts';
import { oauthProvider } from '../../commands/accounts/oauthProvider.ts';
import { SmsRefused } from '../../commands/accounts/smsSender.ts';
import { FileStoreAway } from '../../commands/files/fileStore.ts';
import { createS3Store } from '../../commands/files/s3Store.ts';
import { ProviderError } from '../../commands/payments/paymentProvider.ts';
import { tbankNominal } from '../../commands/payments/tbank/nominal.ts';
import { tbank } from '../../commands/payments/tbank/provider.ts';
import { yookassa } from '../../commands/payments/yookassa/provider.ts';
import { createApns } from '../../commands/push/apns.ts';
import { createFcm } from '../../commands/push/fcm.ts';
import { sandboxApns, sandboxFcm, sandboxVapid } from '../../commands/push/sandboxKeys.ts';
import type { Device, PushService, ServiceMessage } from '../../commands/push/service.ts';
import { createWebPush } from '../../commands/push/webPush.ts';
import { createReasonPhrasing } from '../../commands/recommendations/phrasing.ts';
import { createPictureSource } from '../../commands/resort/pictureSource.ts';
import { openMeteo } from '../../commands/resort/weatherSource.ts';
import { livekit } from '../../commands/voice/livekit.ts';
import { VoiceServerError } from '../../commands/voice/voiceServer.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { exchange } from '../../infra/outside/exchange.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import { subscriptionOf } from '../../ops/sandbox/push/webPush.ts';
import { type Foreign, type ForeignServer, foreignAnswers, foreignServer, foreignServer2 } from '../kit/foreign.ts';
import { until } from '../kit/until.ts';
import { newPayment } from '../payments/contract.ts';

/** Each must be: whoever asked asks again. Anything else is what it was taken for. */
type Taken = 'a fault' | string;
type Asked = (url: string, foreign: Foreign) => Promise<Taken>;

const QUICK = { timeoutMs: 1_500 };
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foreign-'));
  file = join(folder, 'file');
  await writeFile(file, 'a file');
});
afterAll(() => rm(folder, { recursive: true }));

/** @param isFault whether an error makes the caller repeat it */
const repeated =
  (isFault: (error: unknown) => boolean, ...calls: readonly ((url: string) => Promise<unknown>)[]): Asked =>
  async (url) => {
    const results = await Promise.all(
      calls.map((call) =>
        call(url).then(
          (value) => `call ${calls.indexOf(call)} gave ${JSON.stringify(value)}`,
          (error: unknown) =>
            isFault(error) ? 'a fault' : `call ${calls.indexOf(call)} was refused: ${String(error)}`,
        ),
      ),
    );
    return results.find((result) => result !== 'a fault') ?? 'a fault';
  };

const isAway = (error: unknown) => error instanceof ProviderError && error.kind === 'away';
const refund = () => ({
  refundId: randomUUID(),
  providerPaymentId: randomUUID(),
  amountMinor: 100,
  currency: 'RUB',
  reason: 'x',
});
const closing = () => ({
  receiptId: randomUUID(),
  providerPaymentId: randomUUID(),
  amountMinor: 100,
  currency: 'RUB',
  receipt: {
    customer: { email: 'guest@resort.test' },
    taxation: 'osn' as const,
    companyEmail: 'resort@resort.test',
    mode: 'full_payment' as const,
    items: [],
  },
});
const shop = (url: string) =>
  yookassa({ apiUrl: url, shopId: '1', secretKey: 'not-a-secret', webhookSecret: 'whsec_bm90LWEtc2VjcmV0', ...QUICK });
const terminal = (url: string) =>
  tbank({ apiUrl: url, terminalKey: 'T', password: 'not-a-secret', notificationUrl: url, ...QUICK });
const nominal = (url: string) =>
  tbankNominal({ apiUrl: url, token: 'not-a-secret', accountNumber: '40702810900000000001', ...QUICK });
const recipient = { bik: '044525974', number: '40802810100000000017', holder: 'IP Petrov' };

const message: ServiceMessage = {
  id: randomUUID(),
  kind: 'booking',
  title: 'Booked',
  body: 'Room 4',
  link: '/bookings/1',
  urgency: 'high',
  collapseKey: 'booking 1',
  expiresAt: instantOf(Date.now() + 600_000),
};
const phone = (token: string): Device => ({ platform: 'ios', environment: 'production', token, keys: null });
const delivered = async (service: PushService, device: Device): Promise<Taken> => {
  const outcome = await service.send(device, message);
  service.close();
  const isRepeated = outcome.kind === 'later' || (outcome.kind === 'dead' && outcome.isDoubtful === true);
  return isRepeated ? 'a fault' : JSON.stringify(outcome);
};

const request = { redirectUri: 'https://resort.test/callback', state: 'state', verifier: 'v'.repeat(43) };
const signIn = (url: string, server: Parameters<typeof oauthProvider>[0]['server']) =>
  oauthProvider({ name: 'x', clientId: 'resort', scope: 'email', emailsVerified: false, server }).person(request, {
    code: `code-of-${url.length}`,
    state: 'state',
  });
const isMisconfigured = (error: unknown) => error instanceof IdentityProviderError && error.kind === 'misconfigured';
const isProviderAway = (error: unknown) => error instanceof IdentityProviderError && error.kind === 'away';

const settings = { apiKey: 'APIresort', apiSecret: 'not-a-secret-of-more-than-32-characters', timeoutS: 1.5 };
const room = randomUUID();
const isVoiceAway = (error: unknown) => error instanceof VoiceServerError && error.kind === 'away';
const voice = (url: string) => livekit({ url, ...settings });

const bucket = (url: string) =>
  createS3Store({
    bucket: 'files',
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'KEY', secretAccessKey: 'not-a-secret' },
    pathStyle: true,
    answerMs: 1_500,
  });
const isFileStoreAway = (error: unknown) => error instanceof FileStoreAway && !error.isForGood;
const inBucket = (work: (store: ReturnType<typeof bucket>) => Promise<unknown>) => async (url: string) => {
  const store = bucket(url);
  return work(store).finally(() => store.close());
};

const HTTP1: Readonly<Record<string, Asked>> = {
  yookassa: repeated(
    isAway,
    (url) => shop(url).create(newPayment()),
    (url) => shop(url).get(randomUUID()),
    (url) => shop(url).find(randomUUID(), instantOf(Date.now())),
    (url) => shop(url).capture(randomUUID()),
    (url) => shop(url).cancel(randomUUID()),
    (url) => shop(url).refund(refund()),
    (url) => shop(url).getRefund(randomUUID()),
    async (url) => shop(url).refundsOf?.(randomUUID()),
    async (url) => shop(url).closeReceipt?.(closing()),
    async (url) =>
      shop(url).tokenisation?.tokenise({
        methodId: randomUUID(),
        customerId: 'c',
        method: 'card',
        returnUrl: 'https://resort.test',
      }),
  ),
  tbank: repeated(
    isAway,
    (url) => terminal(url).create(newPayment()),
    (url) => terminal(url).get('1'),
    (url) => terminal(url).find(randomUUID(), instantOf(Date.now())),
    (url) => terminal(url).capture('1'),
    (url) => terminal(url).cancel('1'),
    (url) => terminal(url).refund(refund()),
    (url) => terminal(url).getRefund('1:2'),
    async (url) => terminal(url).closeReceipt?.(closing()),
    async (url) => terminal(url).tokenisation?.getMethod({ providerMethodId: 'm', customerId: 'c' }),
    // Not `removeMethod`: the bank's list of cards is a bare list, and an empty one of another looks the same.
  ),
  'nominal account': repeated(
    isAway,
    (url) =>
      nominal(url).hold({ escrowId: randomUUID(), providerPaymentId: '1', amountMinor: 1, currency: 'RUB', recipient }),
    (url) => nominal(url).getEscrow('a:b'),
    (url) => nominal(url).release('a:b'),
    (url) => nominal(url).cancelEscrow('a:b'),
  ),
  'token endpoint of FCM': (url) =>
    delivered(
      createFcm({ account: { ...sandboxFcm(url), token_uri: `${url}/token` }, apiUrl: url, answerMs: 1_500 }),
      phone('x'.repeat(30)),
    ),
  'Web Push': (url) => {
    const { endpoint, keys } = subscriptionOf(url, 'anna');
    const device: Device = { platform: 'web', environment: 'production', token: endpoint, keys };
    return delivered(createWebPush({ keys: sandboxVapid, exchange, answerMs: 1_500 }), device);
  },
  'SMS gateway': repeated(
    (error) => (error instanceof SmsRefused ? !error.isFinal : error instanceof OutsideFault),
    (url) => createGatewaySms(`${url}/send`, 'token').send('+79990000001', 'x'),
  ),
  // Another issuer is told as such to the operators. It is asked again at the next sign-in, too.
  'sign-in, discovery': repeated(
    (error) => isProviderAway(error) || isMisconfigured(error),
    (url) => signIn(url, { issuer: url }),
  ),
  'sign-in, token': repeated(isProviderAway, (url) =>
    signIn(url, { authorization: `${url}/a`, token: `${url}/t`, userinfo: `${url}/u` }),
  ),
  'sign-in, userinfo': repeated(isProviderAway, (url) =>
    signIn(url, { authorization: `${url}/a`, token: `${url}/own/token`, userinfo: `${url}/u` }),
  ),
  'voice server': repeated(
    isVoiceAway,
    (url) => voice(url).devices(room),
    (url) => voice(url).remove(room, `${randomUUID()}:x`),
    (url) => voice(url).setRights(room, `${randomUUID()}:x`, { name: 'Anna O.', canTalk: true }),
    (url) => voice(url).showRecording(room, randomUUID()),
    (url) => voice(url).startRecording(room, randomUUID()),
    (url) => voice(url).recordingsOf(room),
    (url) => voice(url).stopRecording('EG_1'),
  ),
  bucket: repeated(
    isFileStoreAway,
    inBucket((store) => store.put('key', file, 'text/plain')),
    inBucket(async (store) => {
      const parts: Buffer[] = [];
      for await (const part of (await store.get('key')) as Readable) parts.push(part as Buffer);
      return Buffer.concat(parts).toString();
    }),
    inBucket((store) => store.remove('key')),
    inBucket((store) => store.removeFormer('key')),
    inBucket(async (store) => {
      for await (const one of store.former()) return one;
      return 'no former versions';
    }),
  ),
  weather: repeated(
    () => true,
    (url) =>
      openMeteo(url).read([
        { id: 's', name: { ru: 'x' }, latitude: 1, longitude: 1, altitudeM: 1 } as unknown as Parameters<
          ReturnType<typeof openMeteo>['read']
        >[0][number],
      ]),
  ),
  webcam: repeated(
    () => true,
    (url) => createPictureSource([new URL(url).host], exchange).fetch(`${url}/picture.jpg`),
  ),
  'language model': async (url) => {
    const warned: unknown[] = [];
    const model = { url, name: 'm', key: null, timeoutMs: 1_500 };
    const phrasing = createReasonPhrasing(model, { warn: (fact: unknown) => void warned.push(fact) });
    phrasing.phrased('near the lift', 'en');
    await until(() => warned.length > 0);
    return phrasing.phrased('near the lift', 'en') === 'near the lift' ? 'a fault' : 'a sentence';
  },
};
const HTTP2: Readonly<Record<string, Asked>> = {
  APNs: (url) =>
    delivered(
      createApns({ key: sandboxApns, urls: { production: url, sandbox: url }, answerMs: 1_500 }),
      phone('ab'.repeat(32)),
    ),
};

/** The token of a sign-in and of FCM, where another endpoint is the one that is not reached. */
const ownToken = (request: { url?: string | undefined }, response: import('node:http').ServerResponse): boolean => {
  if (request.url !== '/own/token') return false;
  const body = { access_token: 'one', token_type: 'Bearer', expires_in: 3_600 };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
};

describe.each(foreignAnswers)('$name', (foreign) => {
  const asked = async (start: () => Promise<ForeignServer>, systems: Readonly<Record<string, Asked>>) => {
    const server = await start();
    try {
      const all = Object.entries(systems).map(async ([name, ask]) => [name, await ask(server.url, foreign)] as const);
      return Object.fromEntries(await Promise.all(all));
    } finally {
      server.stop();
    }
  };
  const faults = (systems: object) => Object.fromEntries(Object.keys(systems).map((name) => [name, 'a fault']));

  it('is a fault of every system', async () => {
    expect(await asked(() => foreignServer(foreign, ownToken), HTTP1)).toEqual(faults(HTTP1));
  });

  it('is a fault of every system over HTTP/2', async () => {
    const tokens = await foreignServer(foreign, ownToken);
    const account = { ...sandboxFcm(''), token_uri: `${tokens.url}/own/token` };
    const fcm: Asked = (url) => delivered(createFcm({ account, apiUrl: url, answerMs: 1_500 }), phone('x'.repeat(30)));
    const systems = { ...HTTP2, FCM: fcm };
    expect(await asked(() => foreignServer2(foreign), systems)).toEqual(faults(systems));
    tokens.stop();
  });
});
