/** Requests to systems outside are sent from one place, which knows who has answered (`infra/outside/`). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const LAYERS = ['api', 'commands', 'domain', 'eventstore', 'infra', 'ops', 'projections', 'realtime'];

/** What sends requests by itself: calls of Node, and clients that we do not write. */
const SENDING: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['fetch', /(?<![.\w])(?:globalThis\.)?fetch\s*\((?!\w+:)/],
  ['a request of Node', /^import (?!type)[^;]*\b(?:request|get|Agent|globalAgent)\b[^;]*from 'node:https?'/m],
  ['HTTP/2 of Node', /^import (?!type)[^;]*\bconnect\b[^;]*from 'node:http2'/m],
  ['the whole of a module of Node', /^import (?:\* as )?\w+ from 'node:(?:https?|http2)'/m],
  ['a WebSocket', /\bnew WebSocket\s*\(/],
  ['another client', /from '(?:undici|axios|got|ky|node-fetch|superagent|follow-redirects)(?:\/[^']*)?'/],
  ['the client of S3', /(?<!typeof )import\('@aws-sdk\/client-s3'\)|^import (?!type)[^;]*from '@aws-sdk\/client-s3'/m],
  ['the client of LiveKit', /\b(?:RoomService|Egress|Ingress|Sip|AgentDispatch|Connector)Client\(/],
  ['the client of OpenID', /from 'openid-client'/],
  ['the client of Web Push', /\bsendNotification\s*\(/],
  ['the client of mail', /\bcreateTransport\s*\(/],
];

/** Who sends by itself, and why what it is answered is safe. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'infra/outside/exchange.ts': 'is the place, over HTTP/1.1',
  'infra/outside/http2.ts': 'is the place, over HTTP/2',
  'commands/accounts/oauthProvider.ts':
    'its requests are sent by `exchange`, and only what the provider wrote is passed on',
  'commands/files/s3Store.ts': 'the client signs and streams; `s3Answers.ts` refuses what the server did not write',
  'commands/voice/livekit.ts': 'its requests are sent by `livekitCalls.ts`, through `exchange`',
  'commands/mail/smtp.ts': 'SMTP, where every reply is of the server that was greeted',
  'ops/roles/webSocketPass.ts': 'passes clients on to our own hub',
  'ops/sandbox/core/notifications.ts': 'plays a provider, which calls us',
  'ops/sandbox/voice/webhooks.ts': 'plays the voice server, which calls us',
  'ops/sandbox/voice/page.ts': 'a page of the sandbox: it runs in a browser and calls us',
};

const sources = LAYERS.flatMap((layer) =>
  readdirSync(path.join(ROOT, layer), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${layer}/${file.replaceAll(path.sep, '/')}`),
);
/** Without comments, which may name what is not called. */
const codeOf = (file: string): string =>
  readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
const sends = (code: string): string[] => SENDING.filter(([, pattern]) => pattern.test(code)).map(([what]) => what);

it('nobody but the place for it sends requests to systems outside', () => {
  const sending = sources.filter((file) => sends(codeOf(file)).length > 0);
  expect(sending.filter((file) => !(file in EXCEPTIONS))).toEqual([]);
  expect(Object.keys(EXCEPTIONS).filter((file) => !sending.includes(file))).toEqual([]);
});

it.each([
  "const x = await fetch('https://a.test');",
  'await globalThis.fetch(url);',
  "import { request } from 'node:http';",
  "import { type IncomingMessage, request as over } from 'node:https';",
  "import {\n  Agent,\n} from 'node:https';",
  "import http from 'node:http';",
  "import * as https from 'node:https';",
  "import { connect } from 'node:http2';",
  "import { request } from 'undici';",
  "const sdk = await import('@aws-sdk/client-s3');",
])('finds what sends: %s', (code) => expect(sends(code)).not.toEqual([]));

it.each([
  "import type { IncomingMessage } from 'node:http';",
  "import { createServer } from 'node:http';",
  'const { bytes } = await pictures.fetch(url);',
])('lets be what does not: %s', (code) => expect(sends(code)).toEqual([]));
