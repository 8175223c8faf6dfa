/** What `voice check` says of a voice server that cannot be used: the true cause, and never a token. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { asked, livekitClients } from '../../commands/voice/livekit.ts';
import { agreeOnTime, letIn, whatIsWrong } from '../../commands/voice/livekitTrial.ts';
import { readConfig } from '../../ops/config.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});
/** @param timeoutS longer than a busy machine takes, unless the server says nothing */
const serve = async (answer: RequestListener, timeoutS = 60) => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  stops.push(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, apiKey: 'APIresort', apiSecret: 'not-a-secret-of-more-than-32-characters', timeoutS };
};
type Settings = Awaited<ReturnType<typeof serve>>;

const said = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work();
    return 'nothing is wrong';
  } catch (error) {
    return whatIsWrong(error);
  }
};
const calls = (settings: Settings): Promise<string[]> =>
  Promise.all([
    said(() => asked(() => livekitClients(settings).rooms.listRooms())),
    said(() => asked(() => livekitClients(settings).egress.listEgress())),
    said(() => letIn(settings, 'besedka-check')),
  ]);

/** As LiveKit 1.13.5 answers a token that it does not accept. */
const refusing =
  (aheadS: number): RequestListener =>
  (request, response) => {
    const token = request.headers.authorization ?? request.url ?? '';
    response.setHeader('date', new Date(Date.now() + aheadS * 1_000).toUTCString());
    response.writeHead(401).end(`invalid authorization token: ${token}`);
  };

it('names the clock where the clock is wrong, and the key where it is not', async () => {
  for (const [aheadS, words] of [
    [3_600, /its clock is 3\d{3} s ahead of/],
    [-180, /its clock is \d{3} s behind/],
    [0, /LIVEKIT_API_KEY/],
  ] as const) {
    const settings = await serve(refusing(aheadS));
    for (const line of await calls(settings)) {
      expect(line).toMatch(words);
      expect(line).not.toMatch(/eyJ/);
      if (aheadS !== 0) expect(line).not.toMatch(/LIVEKIT_API_KEY/);
    }
    expect(await said(() => agreeOnTime(settings))).toMatch(aheadS === 0 ? /nothing is wrong/ : /its clock is/);
  }
});

it('names what the server was set up without, and the network only where nobody answers', async () => {
  const noRedis = await serve((_, response) => {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 'internal', msg: 'egress not connected (redis required)' }));
  });
  const [, egress] = await calls(noRedis);
  expect(egress).toMatch(/^refused: egress not connected \(redis required\)/);
  const gone = await serve(() => undefined);
  for (const stop of stops.splice(0)) stop();
  for (const line of await calls(gone)) {
    expect(line).toMatch(/nobody listens there \(ECONNREFUSED/);
    expect(line).not.toMatch(/eyJ|fetch failed/);
  }
  for (const line of await calls(await serve(() => undefined, 1))) expect(line).toMatch(/does not answer in time/);
});

it('refuses an address at which no device finds the server', () => {
  const others = { LIVEKIT_API_KEY: 'APIresort', LIVEKIT_API_SECRET: 'not-a-secret-of-more-than-32-characters' };
  const read = (LIVEKIT_URL: string) => readConfig({ NODE_ENV: 'test', ...others, LIVEKIT_URL }).LIVEKIT_URL;
  for (const good of ['wss://voice.example.org', 'https://voice.example.org:7880/']) expect(read(good)).toBe(good);
  for (const bad of ['wss://voice.example.org/livekit', 'wss://voice.example.org/?x=1', 'wss://key@voice.example.org'])
    expect(() => read(bad)).toThrow(/LIVEKIT_URL .*root of an address/);
});
