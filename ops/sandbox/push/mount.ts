/** The push services of the sandbox: their addresses, and the operations for people and scripts beside them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Http2Server } from 'node:http2';
import type Router from '@koa/router';
import { SANDBOX_PATHS } from '../../../commands/push/sandboxKeys.ts';
import { type Html, html } from '../../../infra/html.ts';
import { validator } from '../../../infra/validation.ts';
import { ApiError } from '../core/apiError.ts';
import { controlBody } from '../core/control.ts';
import { sandboxApnsServer } from './apns.ts';
import { type Handle, overHttp1, overHttp2 } from './exchange.ts';
import { sandboxFcmServer } from './fcm.ts';
import { createReceived, PushPlan } from './received.ts';
import { sandboxWebPushServer, subscriptionOf } from './webPush.ts';

export interface PushSandbox {
  readonly http2: Http2Server;
  /** Answers a request over HTTP/1.1 to one of the services; false: it is none of them. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
  /** For the page of the sandbox. */
  table(): Html;
}

const SHOWN = 20;
const MOST_SHOWN = 1_000;

const one = (value: string | string[] | undefined, name: string): string | undefined => {
  if (Array.isArray(value)) throw new ApiError(400, 'invalid_request', `Give one ${name}`);
  return value;
};

/**
 * `GET /sandbox/push` counts the messages of each service and shows the latest, with `token` those of one device. `POST
 * /sandbox/push {service?, count, answer, retry_after_s?}` has the next messages fail. `GET
 * /sandbox/push/subscription?name=` gives a Web Push subscription.
 */
export const mountPush = (router: Router, rolesUrl: () => string): PushSandbox => {
  const received = createReceived();
  const isPlan = validator(PushPlan);
  const services: readonly (readonly [string, Handle])[] = [
    [SANDBOX_PATHS.fcm, sandboxFcmServer(received, rolesUrl)],
    [SANDBOX_PATHS.apns, sandboxApnsServer(received)],
    [SANDBOX_PATHS.web, sandboxWebPushServer(received, rolesUrl)],
  ];
  const handle: Handle = async (request) => {
    const [, serve] = services.find(([prefix]) => request.path.startsWith(`${prefix}/`)) ?? [];
    if (!serve || request.method !== 'POST') return { status: 404 };
    return serve(request);
  };
  const http2 = createServer();
  const [answer1, answer2] = [overHttp1(handle), overHttp2(handle)];
  http2.on('stream', (stream, headers) => void answer2(stream, headers));

  router.get('/sandbox/push', (ctx) => {
    const token = one(ctx.query.token, 'token');
    const most = Math.min(MOST_SHOWN, Number(one(ctx.query.most, 'most') ?? SHOWN) || SHOWN);
    ctx.body = { received: received.counts, plan: received.plan, messages: received.latest(most, token) };
  });
  router.post('/sandbox/push', (ctx) => {
    received.plan = controlBody(ctx, isPlan, { answer: 'error' });
    ctx.body = received.plan;
  });
  router.get('/sandbox/push/subscription', (ctx) => {
    const name = one(ctx.query.name, 'name') ?? '';
    if (!/^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64})?$/.test(name))
      throw new ApiError(400, 'invalid_request', 'Give a name of letters, digits, - and _');
    ctx.body = subscriptionOf(rolesUrl(), name);
  });

  return {
    http2,
    answers: (request, response) => {
      if (!services.some(([prefix]) => request.url?.startsWith(`${prefix}/`))) return false;
      void answer1(request, response);
      return true;
    },
    table: () => {
      const messages = received.latest(SHOWN);
      if (messages.length === 0) return html`<p class="quiet">None yet.</p>`;
      return html`<table><thead><tr><th scope="col">When</th><th scope="col">Service</th><th scope="col">Device</th><th scope="col">Message</th></tr></thead><tbody>
${messages.map(
  ({
    at,
    service,
    token,
    title,
    body,
  }) => html`<tr><td><time datetime="${at}">${at.slice(11, 19)} UTC</time></td><td>${service}</td>
<td>…${token.slice(-8)}</td><td><strong>${title}</strong> ${body}</td></tr>`,
)}
</tbody></table>`;
    },
  };
};
