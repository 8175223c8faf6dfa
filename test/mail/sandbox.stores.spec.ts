/** The mail server of the sandbox and its pages, with the transport that production uses. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSmtpTransport } from '../../commands/mail/smtp.ts';
import { rendered } from '../../commands/mail/template.ts';
import type { MailTransport, Message } from '../../commands/mail/transport.ts';
import { newId } from '../../infra/ids.ts';
import { createLogger } from '../../infra/log.ts';
import { type Sandbox, startSandbox } from '../../ops/sandbox/server.ts';

let sandbox: Sandbox;
let transport: MailTransport;
/** Gives up soon on a server that says nothing. */
let hasty: MailTransport;
beforeAll(async () => {
  sandbox = await startSandbox({
    port: 0,
    smtpPort: 0,
    webhookUrl: 'http://127.0.0.1:1/',
    webhookSecret: 'not-a-secret-of-the-tests',
    log: createLogger({ level: 'silent' }),
  });
  const options = { url: `smtp://localhost:${sandbox.smtpPort}`, from: 'R <r@resort.test>', requireTls: false };
  transport = createSmtpTransport(options);
  hasty = createSmtpTransport({ ...options, attemptMs: 500 });
});
afterAll(async () => {
  transport.close();
  hasty.close();
  await sandbox.stop();
});

const content = { paragraphs: ['Ваш код: 042137. <b>'], link: null, attachments: [], marketing: false } as const;
const message = (over: Partial<Message> = {}): Message => ({
  id: newId(),
  to: 'anna@example.test',
  ...rendered(
    { ...content, subject: 'Код <script>', language: 'ru' },
    { publicUrl: 'https://resort.test', senderName: 'R' },
    null,
  ),
  attachments: [{ name: 'бронь.ics', type: 'text/calendar', content: 'BEGIN:VCALENDAR' }],
  unsubscribeUrl: null,
  ...over,
});
const get = async (path: string) => {
  const response = await fetch(`${sandbox.address}${path}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const mailsTo = async (to: string) => {
  const { text } = await get(`/mails?to=${encodeURIComponent(to)}`);
  return (JSON.parse(text) as { mails: { id: number; subject: string; code: string | null }[] }).mails;
};

test('an e-mail is shown with the headers by which mail programs unsubscribe', async () => {
  const unsubscribeUrl = `https://resort.test/unsubscribe?token=${'a'.repeat(80)}`;
  await transport.send(message({ to: 'news@example.test', unsubscribeUrl }));
  await transport.send(message({ to: 'news@example.test' }));
  expect(await mailsTo('news@example.test')).toMatchObject([
    { list_unsubscribe: null, list_unsubscribe_post: null },
    { list_unsubscribe: `<${unsubscribeUrl}>`, list_unsubscribe_post: 'List-Unsubscribe=One-Click' },
  ]);
});

test('an e-mail is shown with its code, both forms and attachments, and can do nothing there', async () => {
  await transport.send(message());
  const [mail] = await mailsTo('anna@example.test');
  expect(mail).toMatchObject({ subject: 'Код <script>', code: '042137' });
  expect(await mailsTo('nobody@example.test')).toEqual([]);
  const list = await get('/');
  expect(list.text).toContain('Код &lt;script&gt;');
  const shown = await get(`/mails/${mail?.id}`);
  expect(shown.text).toContain('sandbox="allow-popups"');
  expect(shown.text).toContain('&lt;b&gt;');
  const html = await get(`/mails/${mail?.id}/html`);
  expect(html.headers.get('content-security-policy')).toContain('sandbox');
  expect(html.text).not.toContain('<script>');
  const file = await get(`/mails/${mail?.id}/attachments/0`);
  expect(file.text).toBe('BEGIN:VCALENDAR');
  expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
  expect((await get('/mails/0')).status).toBe(404);
  expect((await get(`/mails/${mail?.id}/attachments/1`)).status).toBe(404);
});

test.each([
  ['put_off', { name: 'MailDelayed', by: 'recipient' }],
  ['refuse', { name: 'MailRefused', code: 550, refusal: 'address' }],
  ['silence', { name: 'MailDelayed', by: 'server' }],
])('the next e-mails fail on demand: %s', async (kind, error) => {
  const to = `${kind}@example.test`;
  const plan = (count: number) =>
    fetch(`${sandbox.address}/sandbox/mails`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ count, kind }),
    });
  const response = await plan(1);
  expect(await response.json()).toEqual({ count: 1, kind });
  const sender = kind === 'silence' ? hasty : transport;
  await expect(sender.send(message({ to }))).rejects.toMatchObject(error);
  // On a busy machine the hasty one may have given up before it met the silence.
  if (kind === 'silence') await plan(0);
  await transport.send(message({ to }));
  expect(await mailsTo(to)).toHaveLength(1);
});
