/** Pages for trying the system by hand: the messages that were not really sent, and the latest payments. */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { type Html, html } from '../../../infra/html.ts';
import type { Logger } from '../../../infra/log.ts';
import type { Pool } from '../../../infra/postgres.ts';
import { ApiError } from '../core/apiError.ts';
import { contentSecurityPolicy, page } from '../core/page.ts';
import type { PaymentService } from '../payments/paymentService.ts';
import type { PushSandbox } from '../push/mount.ts';

interface Message {
  readonly id: number;
  readonly phone: string;
  readonly text: string;
  readonly at: string;
}

/** What is shown beside the text messages. */
interface Shown {
  readonly service: PaymentService;
  readonly push: Pick<PushSandbox, 'table'>;
  readonly mails: () => Html;
}

const SHOWN = 20;

/** The migrations create this table; before the first start it may not exist. */
const LATEST = `
  select id, phone, text, at from ops.sandbox_messages
  where $1::text is null or phone = $1
  order by id desc limit ${SHOWN}`;

/** `GET /sms?phone=+7…` gives the latest messages, newest first, with the code that is in each; `GET /` shows all. */
export const mountInbox = (router: Router, shown: Shown, pool: Pool | undefined, log: Logger): void => {
  const latest = async (phone: string | null): Promise<Message[]> => {
    if (!pool) return [];
    try {
      return (await pool.query<Message>(LATEST, [phone])).rows;
    } catch (err) {
      log.warn({ err }, 'cannot read the sandbox messages');
      throw new ApiError(
        503,
        'unavailable',
        'The messages cannot be read: check that the database is running and migrated',
      );
    }
  };

  router.get('/sms', async (ctx) => {
    const { phone } = ctx.query;
    if (Array.isArray(phone)) throw new ApiError(400, 'invalid_request', 'Give one phone');
    // An unencoded plus sign arrives as a space, so only digits are compared.
    const messages = await latest(phone === undefined ? null : `+${phone.replaceAll(/\D/g, '')}`);
    ctx.set('cache-control', 'no-store');
    ctx.body = { messages: messages.map((message) => ({ ...message, code: codeIn(message.text) })) };
  });

  router.get('/', async (ctx) => {
    const messages = await latest(null).catch((error: unknown) => {
      if (error instanceof ApiError) return error.message;
      throw error;
    });
    show(ctx, messages, shown);
  });
};

const codeIn = (text: string): string | null => /\b\d{4,8}\b/.exec(text)?.[0] ?? null;

const show = (ctx: Context, messages: Message[] | string, { service, push, mails }: Shown): void => {
  ctx.type = 'html';
  ctx.set('cache-control', 'no-store');
  ctx.set('content-security-policy', contentSecurityPolicy());
  const body = html`<h1>Messages and payments of this machine</h1>
<section class="sheet"><h2>Text messages</h2>
${typeof messages === 'string' ? html`<p role="alert">${messages}</p>` : messageTable(messages)}
<p class="quiet">For scripts: <code>GET /sms?phone=+7…</code></p></section>
<section class="sheet"><h2>Push messages</h2>${push.table()}
<p class="quiet">For scripts: <code>GET /sandbox/push?token=…</code></p></section>
<section class="sheet"><h2>E-mails</h2>${mails()}
<p class="quiet">For scripts: <code>GET /mails?to=…</code></p></section>
<section class="sheet"><h2>Payments</h2>${paymentTable(service)}</section>
<section class="sheet"><h2>Failures on demand</h2>
<p><code>POST /sandbox/notifications</code> with <code>{"mode": "normal | delayed | doubled | reordered | lost"}</code></p>
<p><code>POST /sandbox/failures</code> with <code>{"count": 3, "kind": "before | after | silence | refused"}</code></p>
<p><code>POST /sandbox/office</code> with <code>{"payment_id": "…", "action": "refund | capture | void", "amount": 10}</code></p>
<p><code>POST /sandbox/push</code> with <code>{"service": "fcm | apns | web", "count": 3, "answer": "unregistered | bad_token | too_many | error | silence"}</code></p>
<p><code>POST /sandbox/mails</code> with <code>{"count": 3, "kind": "put_off | refuse | block | silence", "to": "one address"}</code></p></section>`;
  ctx.body = page('Sandbox', body, 'wide');
};

const messageTable = (messages: readonly Message[]): Html =>
  messages.length === 0
    ? html`<p class="quiet">None yet. Ask for a sign-in code and reload.</p>`
    : html`<table><thead><tr><th scope="col">When</th><th scope="col">Phone</th><th scope="col">Text</th></tr></thead><tbody>
${messages.map(({ at, phone, text }) => html`<tr><td>${clock(at)}</td><td>${phone}</td><td>${text}</td></tr>`)}
</tbody></table>`;

const paymentTable = (service: PaymentService): Html => {
  const payments = service.payments().slice(0, SHOWN);
  if (payments.length === 0) return html`<p class="quiet">None yet.</p>`;
  return html`<table><thead><tr><th scope="col">When</th><th scope="col">Amount</th><th scope="col">What for</th><th scope="col">Status</th></tr></thead><tbody>
${payments.map(
  ({ object }) => html`<tr><td>${clock(object.created_at)}</td><td>${object.amount.value} ${object.amount.currency}</td>
<td>${object.description}</td><td><a href="/pay/${object.id}">${object.status.replaceAll('_', ' ')}</a></td></tr>`,
)}
</tbody></table>`;
};

const clock = (at: string): Html => html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>`;
