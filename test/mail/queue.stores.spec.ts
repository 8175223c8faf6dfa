/** The queue of e-mails on real stores and a real SMTP server: what is sent, repeated, given up and forgotten. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { changeProfile, openAccount } from '../../commands/accounts/accounts.ts';
import { answerConsent } from '../../commands/consents/consents.ts';
import { runJobs } from '../../commands/core/jobRunner.ts';
import {
  addressIdOf,
  clearUndeliverable,
  isUndeliverable,
  listUndeliverable,
  stoppedMail,
} from '../../commands/mail/addresses.ts';
import { SANDBOX_WEBHOOK_SECRET } from '../../commands/mail/connect.ts';
import { mailDelivery } from '../../commands/mail/delivery.ts';
import { type Mail, mailTo } from '../../commands/mail/mailTo.ts';
import {
  CLAIM_MS,
  mailMigrations,
  releaseMail,
  renewMail,
  rowIdOf,
  takeMail,
  type WaitingMail,
} from '../../commands/mail/queue.ts';
import { ForgedMailReport, receiveMailReport, type SignedReport, signatureOf } from '../../commands/mail/reports.ts';
import { createSmtpTransport } from '../../commands/mail/smtp.ts';
import { unsubscribe, unsubscribeToken } from '../../commands/mail/unsubscribe.ts';
import { sendEmailCode, verifyEmail } from '../../commands/mail/verification.ts';
import { eraseHeld } from '../../infra/heldData.ts';
import { newId } from '../../infra/ids.ts';
import { keepPeriods } from '../../infra/retention.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { type SmtpRecorder, startSmtp } from './smtpServer.ts';

let servers: StoreServers;
let stores: Stores;
let smtp: SmtpRecorder;
let node: Node;
beforeAll(async () => {
  servers = await startStoreServers();
  stores = await servers.fresh();
});
afterAll(async () => {
  await stores.stop();
  await servers.stop();
});
beforeEach(async () => {
  smtp = await startSmtp();
  const mailTransport = createSmtpTransport({
    url: smtp.url,
    from: 'R <r@resort.test>',
    requireTls: false,
    attemptMs: 2_000,
  });
  node = changed(testDeps(stores), { mailTransport });
});
afterEach(async () => {
  node.mailTransport?.close();
  await smtp.stop();
});

const mail = (over: Partial<Mail> = {}): Mail => ({
  id: newId(),
  subject: 'Your booking',
  paragraphs: ['It is confirmed.'],
  link: null,
  attachments: [],
  marketing: false,
  language: 'en',
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  ...over,
});

/** Opened by an admin, so that the address counts as verified. */
const person = async (over: { phone?: string } = {}) => {
  const email = `${newId()}@example.test`;
  const context = contextOf('admin', 'admin');
  const { accountId } = await openAccount(node, context, {
    role: 'tourist',
    email,
    password: 'a-long-Passw0rd-of-ours',
    ...over,
  });
  return { id: accountId, email };
};

/** One attempt, as the job makes it. */
const attempt = async (of: Mail, number = 1, at: Node = node) => {
  const context = contextOf('system', 'system', at.now());
  return mailDelivery.run({ id: rowIdOf(of), data: {}, attempt: number }, { deps: at, context });
};
const outcomeOf = async (of: Mail) => {
  const { rows } = await stores.pool.query('select outcome, content from ops.mails where id = $1', [rowIdOf(of)]);
  return rows[0];
};

/** A report of the provider, signed unless `sent` says otherwise. */
const report = (body: object, sent: Partial<SignedReport> = {}, secret: string | null = SANDBOX_WEBHOOK_SECRET) => {
  const signed = {
    id: newId(),
    timestamp: String(Math.floor(Date.now() / 1_000)),
    rawBody: JSON.stringify(body),
    ...sent,
  };
  const signature = sent.signature ?? signatureOf(SANDBOX_WEBHOOK_SECRET, signed);
  const settings = { ...node.settings, mailWebhookSecret: secret };
  return receiveMailReport({ ...node, settings }, { ...signed, signature }, async () => {});
};

describe('an e-mail', () => {
  test('is sent once, however often it is asked for, and forgotten then', async () => {
    const { id, email } = await person();
    const one = mail();
    await mailTo(node, id, one);
    const { rows } = await stores.pool.query('select content from ops.mails where id = $1', [rowIdOf(one)]);
    expect(rows[0].content).not.toContain('confirmed');
    await mailTo(node, id, one);
    await attempt(one);
    await attempt(one);
    await mailTo(node, id, one);
    await attempt(one);
    expect(smtp.attempts).toEqual([email]);
    expect(smtp.mails[0]).toMatchObject({ subject: 'Your booking', messageId: `<${rowIdOf(one)}@resort.test>` });
    expect(await outcomeOf(one)).toEqual({ outcome: 'sent', content: null });
  });

  test('is sent by one worker at a time', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(node, id, one);
    smtp.onMessage = 'silence';
    const first = attempt(one).catch((error: unknown) => error);
    await until(() => smtp.attempts.length === 1);
    const second = await attempt(one);
    expect(Date.parse(String(second?.againAt))).toBeGreaterThan(Date.now());
    expect(await first).toMatchObject({ name: 'MailDelayed' });
    smtp.onMessage = undefined;
    await attempt(one, 2);
    expect(smtp.mails).toHaveLength(1);
  });

  /** Milliseconds that the claim of a worker lasts. */
  const claimLeft = async (of: Mail): Promise<number> => {
    const { rows } = await stores.pool.query<{ left: number }>(
      'select (extract(epoch from sending_until - now()) * 1000)::float8 as left from ops.mails where id = $1',
      [rowIdOf(of)],
    );
    return rows[0]?.left ?? 0;
  };
  const endClaim = (of: Mail) =>
    stores.pool.query(`update ops.mails set sending_until = now() - interval '1 ms' where id = $1`, [rowIdOf(of)]);

  test('stays with a worker that is sending it, and is free soon after the end of that worker', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(node, id, one);
    smtp.onMessage = 'silence';
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const sending = attempt(one).catch((error: unknown) => error);
    await until(() => smtp.attempts.length === 1);
    expect(await claimLeft(one)).toBeLessThanOrEqual(15_000);
    await endClaim(one);
    vi.advanceTimersByTime(CLAIM_MS / 2);
    await until(async () => (await claimLeft(one)) > 10_000);
    expect(await sending).toMatchObject({ name: 'MailDelayed' });
    smtp.onMessage = undefined;
    await attempt(one, 2);
    expect(smtp.mails).toHaveLength(1);
  });

  test('is neither kept nor released by a worker that another one has replaced', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(node, id, one);
    const former = (await takeMail(node, rowIdOf(one))) as WaitingMail;
    await endClaim(one);
    const present = (await takeMail(node, rowIdOf(one))) as WaitingMail;
    await releaseMail(stores.pool, former);
    expect(await takeMail(node, rowIdOf(one))).toHaveProperty('takenUntil');
    await endClaim(one);
    await renewMail(stores.pool, former);
    expect(await claimLeft(one)).toBeLessThan(0);
    await renewMail(stores.pool, present);
    expect(await claimLeft(one)).toBeGreaterThan(0);
    await releaseMail(stores.pool, present);
    await attempt(one);
    expect(smtp.mails).toHaveLength(1);
  });

  test('is sent after an outage of the mail server', async () => {
    const { id } = await person();
    const one = mail();
    const away = createSmtpTransport({ url: 'smtp://127.0.0.1:1', from: 'R <r@resort.test>', requireTls: false });
    const later = { ...away, send: (message: never) => (isAway ? away : (node.mailTransport ?? away)).send(message) };
    let isAway = true;
    const stopping = new AbortController();
    const running = runJobs(changed(node, { mailTransport: later }), [mailDelivery as never], stopping.signal);
    await mailTo(node, id, one);
    await until(async () => {
      const { rows } = await stores.pool.query(`select last_error from ops.jobs where id = $1`, [rowIdOf(one)]);
      return rows[0]?.last_error !== null && rows[0] !== undefined;
    });
    const { rows } = await stores.pool.query(`select last_error from ops.jobs where id = $1`, [rowIdOf(one)]);
    expect(rows[0].last_error).not.toContain('example.test');
    isAway = false;
    await until(() => smtp.mails.length === 1);
    stopping.abort();
    await running;
    expect(await outcomeOf(one)).toMatchObject({ outcome: 'sent' });
  });

  test('is not sent when it is too late', async () => {
    const { id } = await person();
    const late = mail();
    await mailTo(node, id, late);
    await attempt(late, 1, changed(node, { now: () => new Date(Date.now() + 7_200_000).toISOString() }));
    expect(await outcomeOf(late)).toEqual({ outcome: 'expired', content: null });
    const expired = mail({ expiresAt: new Date(Date.now() - 1_000).toISOString() });
    await mailTo(node, id, expired);
    expect(await outcomeOf(expired)).toBeUndefined();
  });

  test('is given up when its receiver puts it off for a day', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(node, id, one);
    smtp.onRecipient = { code: 450, text: '4.7.1 later' };
    await expect(attempt(one)).rejects.toMatchObject({ name: 'MailDelayed' });
    await attempt(one, 32);
    expect(await outcomeOf(one)).toEqual({ outcome: 'refused', content: null });
  });

  test('is not queued for somebody without a verified address, or where none can be sent', async () => {
    const { accountId } = await openAccount(node, contextOf('admin', 'admin'), {
      role: 'tourist',
      phone: '+79991230001',
    });
    await changeProfile(node, contextOf(accountId), accountId, { email: `${newId()}@example.test` });
    const one = mail();
    await mailTo(node, accountId, one);
    expect(await outcomeOf(one)).toBeUndefined();
    const { id } = await person();
    await mailTo(changed(node, { mailTransport: null }), id, one);
    expect(await outcomeOf(one)).toBeUndefined();
  });

  test('leaves nothing but its outcome, and that not for ever', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(node, id, one);
    await attempt(one);
    await stores.pool.query(`update ops.mails set expires_at = now() - interval '91 days' where id = $1`, [
      rowIdOf(one),
    ]);
    await keepPeriods(stores.pool, [mailMigrations]);
    expect(await outcomeOf(one)).toBeUndefined();
  });

  test('of an erased person is not sent', async () => {
    const { id } = await person();
    const [kept, removed] = [mail(), mail()];
    await mailTo(node, id, kept);
    await mailTo(node, id, removed);
    await stores.vault.erase(id);
    await attempt(kept);
    await eraseHeld(stores.pool, [mailMigrations], id, randomUUID());
    await attempt(removed);
    expect(smtp.attempts).toEqual([]);
    expect(await outcomeOf(removed)).toBeUndefined();
  });
});

describe('a refused address', () => {
  const UNKNOWN = { code: 550, text: '5.1.1 unknown' };

  test('gets nothing more until the account has another one', async () => {
    const { id } = await person({ phone: '+79991230002' });
    const [first, second, third] = [mail(), mail(), mail()];
    for (const each of [first, second, third]) await mailTo(node, id, each);
    smtp.onRecipient = UNKNOWN;
    await attempt(first);
    smtp.onRecipient = undefined;
    await attempt(second);
    expect(await outcomeOf(first)).toMatchObject({ outcome: 'refused' });
    expect(await outcomeOf(second)).toMatchObject({ outcome: 'undeliverable' });
    const email = `${newId()}@example.test`;
    await changeProfile(node, contextOf(id), id, { email });
    await attempt(third);
    expect(await outcomeOf(third)).toMatchObject({ outcome: 'no_address' });
    expect(await isUndeliverable(stores.pool, id, addressIdOf(node, email))).toBe(false);
  });

  test('is tried again once an admin cleared it', async () => {
    const { id } = await person();
    const [first, second] = [mail(), mail()];
    for (const each of [first, second]) await mailTo(node, id, each);
    smtp.onRecipient = UNKNOWN;
    await attempt(first);
    const { rows } = await listUndeliverable(stores.pool, { page: 1, perPage: 20 });
    expect(rows[0]).toMatchObject({ account_id: id, code: 550 });
    await clearUndeliverable(stores.pool, id);
    await expect(clearUndeliverable(stores.pool, id)).rejects.toMatchObject({ code: 'not_found' });
    smtp.onRecipient = undefined;
    await attempt(second);
    expect(await outcomeOf(second)).toMatchObject({ outcome: 'sent' });
  });

  test.each([
    [{ type: 'email.bounced', data: { permanent: true, code: 511 } }, 'bounced'],
    [{ type: 'email.complained', data: {} }, 'complained'],
    [{ type: 'email.bounced', data: { permanent: false } }, undefined],
    [{ type: 'email.opened', data: {} }, undefined],
  ])('is also one that a later report tells of: %j', async ({ type, data }, cause) => {
    const { id } = await person();
    const [first, second] = [mail(), mail()];
    for (const each of [first, second]) await mailTo(node, id, each);
    await attempt(first);
    const message_id = `<${rowIdOf(first)}@resort.test>`;
    await report({ type, data: { ...data, message_id } });
    await report({ type, data: { ...data, message_id } });
    expect((await stoppedMail(node, id))?.cause).toBe(cause);
    await attempt(second);
    expect(await outcomeOf(second)).toMatchObject({ outcome: cause ? 'undeliverable' : 'sent' });
    // E-mails that were not sent, or not by this system, are nobody's.
    await report({ type, data: { ...data, message_id: `${newId()}@other.test` } });
  });

  test('is marked by nobody without the secret, and by no report of yesterday', async () => {
    const body = { type: 'email.bounced', data: { message_id: 'x' } };
    await expect(report(body, { signature: 'v1,AAAA' })).rejects.toThrow(ForgedMailReport);
    await expect(report(body, { timestamp: String(Date.now() / 1_000 - 86_400) })).rejects.toThrow(ForgedMailReport);
    await expect(report(body, {}, null)).rejects.toThrow(ForgedMailReport);
    const rawBody = 'no JSON';
    const signed = { id: '1', timestamp: String(Math.floor(Date.now() / 1_000)), rawBody };
    const signature = `v1,AAAA ${signatureOf(SANDBOX_WEBHOOK_SECRET, signed)}`;
    await receiveMailReport(node, { ...signed, signature }, async () => {});
  });

  test('is no matter of a spam filter', async () => {
    const { id, email } = await person();
    const one = mail();
    await mailTo(node, id, one);
    smtp.onRecipient = { code: 550, text: '5.7.1 spam' };
    await attempt(one);
    expect(await outcomeOf(one)).toMatchObject({ outcome: 'refused' });
    expect(await isUndeliverable(stores.pool, id, addressIdOf(node, email))).toBe(false);
  });
});

describe('marketing', () => {
  const consenting = async () => {
    const someone = await person();
    const answer = { purpose: 'marketing', policyVersion: '1', granted: true, userAgent: null } as const;
    await answerConsent(node, contextOf(someone.id), someone.id, answer);
    return someone;
  };

  test('needs a consent, and ends with one click, also for what waits', async () => {
    const without = await person();
    const { id } = await consenting();
    const [unwanted, wanted, late] = [mail({ marketing: true }), mail({ marketing: true }), mail({ marketing: true })];
    await mailTo(node, without.id, unwanted);
    for (const each of [wanted, late]) await mailTo(node, id, each);
    await attempt(unwanted);
    await attempt(wanted);
    expect(await outcomeOf(unwanted)).toMatchObject({ outcome: 'no_consent' });
    const [arrived] = smtp.mails;
    const link = /token=([\w.-]+)/.exec(arrived?.text ?? '')?.[1] ?? '';
    await unsubscribe(node, contextOf('anonymous'), link);
    await unsubscribe(node, contextOf('anonymous'), link);
    await attempt(late);
    expect(await outcomeOf(late)).toMatchObject({ outcome: 'no_consent' });
  });

  test('cannot be ended for somebody else', async () => {
    const { id } = await consenting();
    const other = await person();
    const forged = unsubscribeToken(node, other.id).replace(other.id, id);
    await expect(unsubscribe(node, contextOf('anonymous'), forged)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the verification of an address', () => {
  const entered = async () => {
    const phone = `+7999${String(Date.now()).slice(-7)}`;
    const { accountId } = await openAccount(node, contextOf('admin', 'admin'), { role: 'tourist', phone });
    await changeProfile(node, contextOf(accountId), accountId, { email: `${newId()}@example.test` });
    return accountId;
  };
  const delivered = async (accountId: string) => {
    const { rows } = await stores.pool.query<{ id: string }>(
      'select id from ops.mails where person_id = $1 and outcome is null',
      [accountId],
    );
    for (const { id } of rows)
      await mailDelivery.run({ id, data: {}, attempt: 1 }, { deps: node, context: contextOf('system', 'system') });
  };

  test('sends a code to the address, and e-mails go there then', async () => {
    const accountId = await entered();
    await expect(verifyEmail(node, contextOf(accountId), accountId, '000000')).rejects.toMatchObject({
      code: 'wrong_credentials',
    });
    const status = await sendEmailCode(node, contextOf(accountId), accountId);
    expect(status).toMatchObject({ isVerified: false, codeActive: true, attemptsLeft: 5, canSendInS: 60 });
    await delivered(accountId);
    const code = /\d{6}/.exec(smtp.mails[0]?.text ?? '')?.[0] ?? '';
    await verifyEmail(node, contextOf(accountId), accountId, code);
    await verifyEmail(node, contextOf(accountId), accountId, code);
    expect(await sendEmailCode(node, contextOf(accountId), accountId)).toMatchObject({ isVerified: true });
    await mailTo(node, accountId, mail());
    await delivered(accountId);
    expect(smtp.mails).toHaveLength(2);
  });

  test('proves only the address that the code was sent to', async () => {
    const accountId = await entered();
    await sendEmailCode(node, contextOf(accountId), accountId);
    await changeProfile(node, contextOf(accountId), accountId, { email: `${newId()}@example.test` });
    await delivered(accountId);
    expect(smtp.attempts).toEqual([]);
    await expect(sendEmailCode(node, contextOf(accountId), accountId)).resolves.toMatchObject({ codeActive: true });
    await expect(sendEmailCode(node, contextOf(accountId), accountId)).rejects.toMatchObject({
      code: 'too_many_attempts',
    });
  });
});
