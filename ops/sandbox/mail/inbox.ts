/** Pages and replies that show the e-mails which the sandbox took, and make the next ones fail. */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { type Html, html } from '../../../infra/html.ts';
import { validator } from '../../../infra/validation.ts';
import { ApiError } from '../core/apiError.ts';
import { controlBody } from '../core/control.ts';
import { contentSecurityPolicy, page } from '../core/page.ts';
import { MailFailurePlan, type MailServer, type ReceivedMail } from './mailServer.ts';

const SHOWN = 20;

/** `GET /mails?to=…` gives the latest e-mails, newest first, with the code that is in each. */
export const mountMails = (router: Router, server: () => MailServer | undefined): void => {
  const isPlan = validator(MailFailurePlan);
  const found = (ctx: Context & { params: Record<string, string> }): ReceivedMail => {
    const mail = server()?.received.find(({ id }) => String(id) === ctx.params.id);
    if (!mail) throw new ApiError(404, 'not_found', 'There is no such e-mail');
    return mail;
  };

  router.get('/mails', (ctx) => {
    const { to } = ctx.query;
    if (Array.isArray(to)) throw new ApiError(400, 'invalid_request', 'Give one address');
    const all = server()?.received ?? [];
    ctx.body = {
      mails: all
        .filter((mail) => to === undefined || mail.to === to.toLowerCase())
        .slice(0, SHOWN)
        .map(shown),
    };
  });
  router.get('/mails/:id', (ctx) => {
    ctx.type = 'html';
    ctx.set('content-security-policy', `${contentSecurityPolicy()}; frame-src 'self'`);
    ctx.body = page('E-mail', mailPage(found(ctx)), 'wide');
  });
  // Nothing in an e-mail may act in the name of the sandbox, or load anything.
  router.get('/mails/:id/html', (ctx) => {
    ctx.type = 'html';
    ctx.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups");
    ctx.body = found(ctx).mail.html || '';
  });
  router.get('/mails/:id/attachments/:index', (ctx) => {
    const attachment = found(ctx).mail.attachments[Number(ctx.params.index)];
    if (!attachment) throw new ApiError(404, 'not_found', 'There is no such attachment');
    ctx.attachment(attachment.filename ?? 'attachment');
    ctx.type = attachment.contentType;
    ctx.body = attachment.content;
  });
  router.get('/sandbox/mails', (ctx) => {
    ctx.body = server()?.plan ?? {};
  });
  router.post('/sandbox/mails', (ctx) => {
    const running = server();
    if (!running) throw new ApiError(503, 'unavailable', 'This sandbox takes no e-mails');
    running.plan = controlBody(ctx, isPlan, { kind: 'put_off' });
    ctx.body = running.plan;
  });
};

const textOf = ({ mail }: ReceivedMail): string => mail.text ?? '';

/** A header as it was sent, such as `list-unsubscribe`, which mail programs offer as a button; null without one. */
const headerOf = ({ mail }: ReceivedMail, name: string): string | null =>
  mail.headerLines
    .find(({ key }) => key === name)
    ?.line.slice(name.length + 1)
    .replaceAll(/\s+/g, ' ')
    .trim() ?? null;

const shown = (received: ReceivedMail) => {
  const { id, at, to, mail } = received;
  return {
    id,
    at,
    to,
    subject: mail.subject ?? '',
    text: textOf(received),
    message_id: mail.messageId ?? null,
    code: /\b\d{6}\b/.exec(textOf(received))?.[0] ?? null,
    list_unsubscribe: headerOf(received, 'list-unsubscribe'),
    list_unsubscribe_post: headerOf(received, 'list-unsubscribe-post'),
    attachments: mail.attachments.map(({ filename, contentType, size }) => ({
      name: filename,
      type: contentType,
      size,
    })),
  };
};

const clock = (at: string): Html => html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>`;

const mailPage = (received: ReceivedMail): Html => {
  const { id, at, to, mail } = received;
  return html`<section class="sheet"><h1>${clock(at)} to ${to}</h1><h2>${mail.subject ?? ''}</h2>
<iframe class="mail" sandbox="allow-popups" src="/mails/${id}/html" title="The e-mail as HTML"></iframe>
<p>${mail.attachments.map(({ filename }, index) => html`<a href="/mails/${id}/attachments/${index}">${filename ?? 'attachment'}</a> `)}</p>
<h2>As plain text</h2><pre>${textOf(received)}</pre></section>
<p><a href="/">Back</a></p>`;
};

/** The e-mails on the first page of the sandbox. */
export const mailTable = (server: MailServer | undefined): Html => {
  const mails = (server?.received ?? []).slice(0, SHOWN);
  if (mails.length === 0) return html`<p class="quiet">None yet.</p>`;
  return html`<table><thead><tr><th scope="col">When</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead><tbody>
${mails.map(({ id, at, to, mail }) => html`<tr><td>${clock(at)}</td><td>${to}</td><td><a href="/mails/${id}">${mail.subject ?? ''}</a></td></tr>`)}
</tbody></table>`;
};
