/** The SMTP transport against a real server: what arrives, and what a failure means. */
import { afterEach, describe, expect, test } from 'vitest';
import { ownNameOf } from '../../commands/mail/connect.ts';
import { createSmtpTransport, type SmtpOptions } from '../../commands/mail/smtp.ts';
import { rendered } from '../../commands/mail/template.ts';
import type { MailTransport, Message } from '../../commands/mail/transport.ts';
import { until } from '../kit/until.ts';
import { type Fault, type SmtpRecorder, startSmtp } from './smtpServer.ts';

const RESORT = { publicUrl: 'https://resort.test', senderName: 'Курорт' };
const message = (over: Partial<Message> = {}): Message => ({
  id: '0190d1f0-0000-7000-8000-000000000001',
  to: 'anna@example.test',
  attachments: [],
  unsubscribeUrl: null,
  ...rendered(
    {
      subject: 'Бронь подтверждена',
      paragraphs: ['Ждём вас 🏔'],
      link: null,
      attachments: [],
      marketing: false,
      language: 'ru',
    },
    RESORT,
    null,
  ),
  ...over,
});

let server: SmtpRecorder;
let transport: MailTransport;
const start = async (options: Partial<SmtpOptions> = {}, serverOptions: { starttls?: boolean } = {}) => {
  server = await startSmtp(serverOptions);
  transport = createSmtpTransport({
    url: server.url,
    from: 'Курорт <no-reply@resort.test>',
    requireTls: false,
    ...options,
  });
};
afterEach(async () => {
  transport.close();
  await server.stop();
});

describe('an e-mail that arrives', () => {
  test('has both forms, a Cyrillic subject, a sender and a derived Message-ID', async () => {
    await start();
    await transport.send(message());
    await transport.send(message());
    const [mail, again] = server.mails;
    expect(mail).toMatchObject({
      subject: 'Бронь подтверждена',
      from: { value: [{ name: 'Курорт', address: 'no-reply@resort.test' }] },
      to: { value: [{ address: 'anna@example.test' }] },
      messageId: '<0190d1f0-0000-7000-8000-000000000001@resort.test>',
    });
    expect(mail?.text).toContain('Ждём вас 🏔');
    expect(mail?.html).toContain('Ждём вас 🏔');
    expect(mail?.headers.get('content-type')).toMatchObject({ value: 'multipart/alternative' });
    expect(again?.messageId).toBe(mail?.messageId);
  });

  test('comes from a client that calls itself by the host of the public address', async () => {
    await start({ ownName: ownNameOf('https://resort.test/') });
    await transport.send(message());
    expect(server.clientName).toBe('resort.test');
    expect(['http://192.0.2.1:8080', 'http://[2001:db8::1]'].map(ownNameOf)).toEqual([
      '[192.0.2.1]',
      '[IPv6:2001:db8::1]',
    ]);
  });

  test('has attachments with their media type and a name without a path', async () => {
    await start();
    const content = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
    const type = 'text/calendar; method=PUBLISH; charset=utf-8';
    await transport.send(message({ attachments: [{ name: '../бронь\r\nBcc: eve@x.test.ics', type, content }] }));
    const [mail] = server.mails;
    expect(mail?.attachments[0]?.filename).toBe('.._бронь Bcc: eve@x.test.ics');
    expect(mail?.attachments[0]?.contentType).toBe('text/calendar');
    expect(mail?.attachments[0]?.content.toString()).toBe(content);
    expect(mail?.headers.has('bcc')).toBe(false);
  });

  test('of marketing can be ended with one click (RFC 8058)', async () => {
    await start();
    await transport.send(message({ unsubscribeUrl: 'https://resort.test/api/v1/mail/unsubscribe?token=a.b' }));
    const [mail] = server.mails;
    const headers = new Map(mail?.headerLines.map(({ key, line }) => [key, line]));
    expect(headers.get('list-unsubscribe')?.replace(/\s+/g, ' ')).toBe(
      'List-Unsubscribe: <https://resort.test/api/v1/mail/unsubscribe?token=a.b>',
    );
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  test('cannot get further headers or receivers by its texts', async () => {
    await start();
    const hostile = 'Hi\r\nBcc: eve@example.test\r\n\r\n<script>';
    const content = { subject: hostile, paragraphs: [hostile], link: null, attachments: [], marketing: false } as const;
    await transport.send(message({ ...rendered({ ...content, language: 'en' }, RESORT, null) }));
    const [mail] = server.mails;
    expect(server.attempts).toEqual(['anna@example.test']);
    expect(mail?.headers.has('bcc')).toBe(false);
    expect(mail?.subject).toBe('Hi Bcc: eve@example.test <script>');
    expect(mail?.html).not.toContain('<script>');
  });
});

describe('TLS', () => {
  test('is used where it is required and the server is trusted', async () => {
    await start({ requireTls: true, tls: { rejectUnauthorized: false } }, { starttls: true });
    await transport.send(message());
    expect(server.mails).toHaveLength(1);
    expect(server.isEncrypted).toBe(true);
  });

  test.each([
    ['a server without it', false],
    ['a server that is not trusted', true],
  ])('is not given up for %s', async (_, starttls) => {
    await start({ requireTls: true }, { starttls });
    const failure = await transport.send(message()).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'MailDelayed',
      by: 'server',
      message: expect.stringContaining('certificate'),
    });
    expect(server.mails).toEqual([]);
  });
});

describe('a failure', () => {
  const refused = (code: number, text: string): Fault => ({ code, text });

  test.each([
    ['no such mailbox', refused(550, '5.1.1 unknown'), { name: 'MailRefused', code: 550, refusal: 'address' }],
    ['no such mailbox, in old words', refused(550, 'unknown'), { name: 'MailRefused', refusal: 'address' }],
    ['a policy', refused(550, '5.7.1 looks like spam'), { name: 'MailRefused', refusal: 'blocked' }],
    ['a full mailbox', refused(552, '5.2.2 full'), { name: 'MailRefused', refusal: 'full' }],
    ['a block list, in old words', refused(550, 'blocked'), { refusal: 'blocked', reply: '550 blocked' }],
    [
      'the address of the sender',
      refused(553, '5.1.8 <no-reply@resort.test> has no MX'),
      { refusal: 'blocked', reply: '553 5.1.8 <<address>> has no MX' },
    ],
    ['greylisting', refused(450, '4.7.1 come back'), { name: 'MailDelayed', by: 'recipient' }],
    ['a server that closes', refused(421, '4.3.2 closing'), { name: 'MailDelayed', by: 'server' }],
  ])('%s at the recipient', async (_, fault, error) => {
    await start();
    server.onRecipient = fault;
    const failure = await transport.send(message()).catch((caught: unknown) => caught);
    expect(failure).toMatchObject(error);
    expect(String(failure)).not.toContain('anna');
  });

  test('of the message is never of the address', async () => {
    await start();
    server.onMessage = refused(554, '5.6.0 not wanted');
    await expect(transport.send(message())).rejects.toMatchObject({
      name: 'MailRefused',
      refusal: 'blocked',
      reply: '554 5.6.0 not wanted',
    });
    server.onMessage = refused(451, '4.3.0 later');
    await expect(transport.send(message())).rejects.toMatchObject({ name: 'MailDelayed', by: 'recipient' });
  });

  test('is of an address that the server cannot take', async () => {
    await start();
    for (const text of ['5.6.7 no such letters', 'syntax']) {
      server.onRecipient = refused(553, text);
      const failure = await transport.send(message({ to: 'анна@example.test' })).catch((caught: unknown) => caught);
      expect(failure).toMatchObject({ name: 'MailRefused', refusal: 'unsupported' });
    }
  });

  test.each([
    ['onRecipient', 'silence', 'MailDelayed'],
    ['onRecipient', 'hangs up', 'MailDelayed'],
    ['onMessage', 'silence', 'MailUnanswered'],
    ['onMessage', 'hangs up', 'MailUnanswered'],
  ] as const)('%s: %s says whether the e-mail may have arrived', async (where, fault, name) => {
    // A busy machine may take longer to say who the e-mail is for.
    await start(where === 'onRecipient' ? { attemptMs: 300 } : { lastAnswerMs: 300 });
    server[where] = fault;
    await expect(transport.send(message())).rejects.toMatchObject({ name, by: 'server' });
  });

  test('is no answer that comes after the limit of an attempt, once the whole e-mail was sent', async () => {
    // The whole e-mail must be sent within the limit, on a busy machine, too.
    await start({ attemptMs: 2_000 });
    server.onMessage = new Promise((resolve) => setTimeout(resolve, 2_500));
    await transport.send(message());
    expect(server.mails).toHaveLength(1);
  });

  test('is no answer in the seconds that a process has that is told to end', async () => {
    await start({ stoppingMs: 100 });
    for (const [where, name] of [
      ['onMessage', 'MailUnanswered'],
      ['onRecipient', 'MailDelayed'],
    ] as const) {
      server[where] = 'silence';
      const stopping = new AbortController();
      const sending = transport.send(message(), { stopping: stopping.signal }).catch((error: unknown) => error);
      await until(() => (where === 'onRecipient' ? server.attempts.length > 1 : server.received > 0));
      stopping.abort();
      expect(await sending).toMatchObject({ name });
      server[where] = undefined;
    }
  });

  test('of what must be known before the end of the e-mail keeps it from arriving', async () => {
    await start();
    const beforeEnd = () => Promise.reject(new Error('the database is away'));
    await expect(transport.send(message(), { beforeEnd })).rejects.toThrow('the database is away');
    await transport.send(message({ subject: 'the next one' }));
    expect(server.mails.map(({ subject }) => subject)).toEqual(['the next one']);
  });

  test('wrong credentials and a server that is away are ours', async () => {
    await start();
    const wrong = createSmtpTransport({
      url: server.url.replace('p%40ss', 'no'),
      from: 'a <a@b.test>',
      requireTls: false,
    });
    await expect(wrong.send(message())).rejects.toThrow('it refuses our user or password (EAUTH 535)');
    wrong.close();
    const away = createSmtpTransport({ url: 'smtp://127.0.0.1:1', from: 'a <a@b.test>', requireTls: false });
    await expect(away.send(message())).rejects.toThrow('nobody listens there (ECONNREFUSED 127.0.0.1:1)');
    away.close();
  });
});
