/** The HTTP/2 connection to a push service: reconnects, and waits for nothing without a limit. */
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createHttp2Client, type Http2Client } from '../../infra/outside/http2.ts';
import { until } from '../kit/until.ts';

let server: Http2Server;
let client: Http2Client;
let sessions: ServerHttp2Session[];
const start = async (answer = true, answerMs = 60_000): Promise<void> => {
  sessions = [];
  server = createServer();
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (!answer && headers[':path'] !== '/quick') return;
    stream.respond({ ':status': 200 });
    stream.end(String(headers[':path']));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = createHttp2Client(`http://127.0.0.1:${port}`, { answerMs });
};
afterEach(() => {
  client.close();
  for (const session of sessions) session.destroy();
  server.close();
});
const post = (path: string) => client.post(path, {}, '{}');

it('sends many requests over one connection', async () => {
  await start();
  const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => post(`/${n}`)));
  expect(answers.map(({ body }) => String(body))).toEqual(Array.from({ length: 300 }, (_, n) => `/${n}`));
  expect(sessions).toHaveLength(1);
});

it('opens another connection after the server says goodbye, and after it is lost', async () => {
  await start();
  await post('/1');
  sessions[0]?.goaway();
  await until(async () => (await post('/2').catch(() => undefined)) && sessions.length > 1);
  sessions.at(-1)?.destroy();
  await until(async () => (await post('/3').catch(() => undefined))?.body.toString() === '/3');
});

it('does not wait for ever, and uses another connection then', async () => {
  await start(false, 2_000);
  await expect(post('/silence')).rejects.toThrow(/no answer .* within 2000 ms/);
  expect(String((await post('/quick')).body)).toBe('/quick');
  expect(sessions).toHaveLength(2);
});
