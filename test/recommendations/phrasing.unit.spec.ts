/** Reasons that a language model phrases, beside a small server that stands in for one. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { connectRecommendations } from '../../commands/recommendations/connect.ts';
import { createReasonPhrasing } from '../../commands/recommendations/phrasing.ts';
import { TITLE } from '../../domain/recommendations/reasons.ts';
import { until } from '../kit/until.ts';

interface Asked {
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly body: { readonly model: string; readonly messages: { readonly role: string; readonly content: string }[] };
}
const servers: { close(): void; closeAllConnections(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const part of request) text += part;
  return text;
};

/** @param reply the content of the model's answer to these sentences; undefined: it does not answer */
const modelThat = async (reply: (sentences: readonly string[]) => string | undefined, status = 200) => {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      const body: Asked['body'] = JSON.parse(text);
      asked.push({ path: request.url, key: request.headers.authorization, body });
      const content = reply(JSON.parse(body.messages.at(-1)?.content ?? '[]'));
      if (content === undefined) return;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'x', choices: [{ index: 0, message: { role: 'assistant', content } }] }));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const warnings: unknown[] = [];
  const log = { warn: (...said: unknown[]) => void warnings.push(said) };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const phrasing = createReasonPhrasing({ url, name: 'small', key: 'secret', timeoutMs: 300 }, log as never);
  return { asked, warnings, phrasing };
};
const answered = (sentences: readonly string[]) => `\`\`\`json\n${JSON.stringify({ sentences })}\n\`\`\``;

it('gives the plain sentence at once, and the phrased one as soon as the model has answered', async () => {
  const { phrasing, asked } = await modelThat((plain) => answered(plain.map((each) => `${each}, friend`)));
  expect(phrasing.phrased('Open now', 'en')).toBe('Open now');
  await until(() => phrasing.phrased('Open now', 'en') === 'Open now, friend');
  expect(phrasing.phrased('Open now', 'ru')).toBe('Open now');
  await until(() => phrasing.phrased('Open now', 'ru') === 'Open now, friend');
  expect(asked).toHaveLength(2);
  expect(asked[0]).toMatchObject({ path: '/v1/chat/completions', key: 'Bearer secret', body: { model: 'small' } });
  expect(asked[0]?.body.messages.at(-1)?.content).toBe('["Open now"]');
});

it('keeps the plain sentence where the model loses the title, adds a link or writes a story', async () => {
  const bad: Record<string, string> = {
    [`Like “${TITLE}”`]: 'Like that hotel',
    'Free on your dates': 'Free at https://elsewhere.test',
    'Open now': 'x'.repeat(500),
    'Worth a look': `Worth a look from ${TITLE}`,
  };
  const { phrasing, asked } = await modelThat((plain) => answered(plain.map((each) => bad[each] ?? 'Fine')));
  for (const plain of [...Object.keys(bad), 'last']) phrasing.phrased(plain, 'en');
  await until(() => phrasing.phrased('last', 'en') === 'Fine');
  const requests = asked.length;
  for (const plain of Object.keys(bad)) expect(phrasing.phrased(plain, 'en')).toBe(plain);
  expect(asked).toHaveLength(requests);
});

it.each([
  ['does not answer in time', () => undefined, 200],
  ['fails', () => '', 500],
  ['answers something else', () => 'I am sorry', 200],
  ['leaves one out', () => answered([]), 200],
] satisfies [string, () => string | undefined, number][])(
  'stays plain for a while when the model %s',
  async (_, reply, status) => {
    const { phrasing, asked, warnings } = await modelThat(reply, status);
    expect(phrasing.phrased('Open now', 'en')).toBe('Open now');
    await until(() => warnings.length === 1);
    for (let n = 0; n < 10; n += 1) expect(phrasing.phrased('Open now', 'en')).toBe('Open now');
    expect(asked).toHaveLength(1);
  },
);

it('is off unless an address and a model are set', () => {
  const connect = (set: object) =>
    connectRecommendations({ LANGUAGE_MODEL_TIMEOUT_MS: 1_000, ...set } as never, { log: {} } as never);
  expect(connect({}).reasonPhrasing.phrased('Open now', 'en')).toBe('Open now');
});
