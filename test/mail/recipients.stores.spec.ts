/** Who gets e-mails: nobody at a refused address, of marketing who wants it, and only at addresses that were verified. */
import { describe, expect, test } from 'vitest';
import { changeProfile, openAccount } from '../../commands/accounts/accounts.ts';
import { answerConsent } from '../../commands/consents/consents.ts';
import { jobIds } from '../../commands/core/jobs.ts';
import {
  addressIdOf,
  clearUndeliverable,
  isUndeliverable,
  listUndeliverable,
  stoppedMail,
} from '../../commands/mail/addresses.ts';
import { mailDelivery } from '../../commands/mail/delivery.ts';
import { mailTo } from '../../commands/mail/mailTo.ts';
import { rowIdOf } from '../../commands/mail/queue.ts';
import { ForgedMailReport, receiveMailReport } from '../../commands/mail/reports.ts';
import { sendRefusedAgain } from '../../commands/mail/sendAgain.ts';
import { SANDBOX_WEBHOOK_SECRET } from '../../commands/mail/settings.ts';
import { unsubscribe, unsubscribeToken } from '../../commands/mail/unsubscribe.ts';
import { sendEmailCode, verifyEmail } from '../../commands/mail/verification.ts';
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import { newId } from '../../infra/ids.ts';
import { signWebhook } from '../../infra/standardWebhooks.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { CAUSE, mail, mailStage } from './mailStage.ts';

const stage = mailStage();
const { person, attempt, outcomeOf } = stage;

const inSeconds = (): number => Math.floor(Date.now() / 1_000);

/** A report of the provider, signed unless `sent` says otherwise. */
const report = (
  body: object,
  { timestamp = inSeconds(), signature }: { timestamp?: number; signature?: string } = {},
  secret: string | null = SANDBOX_WEBHOOK_SECRET,
) => {
  const rawBody = JSON.stringify(body);
  const signed = signWebhook(SANDBOX_WEBHOOK_SECRET, { id: newId(), timestamp, body: rawBody });
  const headers = { ...signed, ...(signature && { 'webhook-signature': signature }) };
  const settings = { ...stage.node.settings, mailReportSecret: secret };
  return receiveMailReport({ ...stage.node, settings }, { headers, rawBody }, async () => {});
};

describe('a refused address', () => {
  const UNKNOWN = { code: 550, text: '5.1.1 unknown' };

  test('gets nothing more until the account has another one', async () => {
    const { id } = await person({ phone: '+79991230002' });
    const [first, second, third] = [mail(), mail(), mail()];
    for (const each of [first, second, third]) await mailTo(stage.node, CAUSE, id, each);
    stage.smtp.onRecipient = UNKNOWN;
    await attempt(first);
    stage.smtp.onRecipient = undefined;
    await attempt(second);
    expect(await outcomeOf(first)).toMatchObject({ outcome: 'refused' });
    expect(await outcomeOf(second)).toMatchObject({ outcome: 'undeliverable' });
    const email = `${newId()}@example.test`;
    await changeProfile(stage.node, contextOf(id), id, { email });
    await attempt(third);
    expect(await outcomeOf(third)).toMatchObject({ outcome: 'no_address' });
    expect(await isUndeliverable(stage.stores.pool, id, addressIdOf(stage.node, email))).toBe(false);
  });

  test('is tried again once an admin cleared it', async () => {
    const { id } = await person();
    const [first, second] = [mail(), mail()];
    for (const each of [first, second]) await mailTo(stage.node, CAUSE, id, each);
    stage.smtp.onRecipient = UNKNOWN;
    await attempt(first);
    const { rows } = await listUndeliverable(stage.node, { page: 1, perPage: 20 });
    expect(rows[0]).toMatchObject({ account_id: id, mail_id: null, code: 550, reply: null });
    await clearUndeliverable(stage.stores.pool, id);
    await expect(clearUndeliverable(stage.stores.pool, id)).rejects.toMatchObject({ code: 'not_found' });
    stage.smtp.onRecipient = undefined;
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
    for (const each of [first, second]) await mailTo(stage.node, CAUSE, id, each);
    await attempt(first);
    const message_id = `<${rowIdOf(first)}@resort.test>`;
    await report({ type, data: { ...data, message_id } });
    await report({ type, data: { ...data, message_id } });
    expect((await stoppedMail(stage.node, id))?.cause).toBe(cause);
    await attempt(second);
    expect(await outcomeOf(second)).toMatchObject({ outcome: cause ? 'undeliverable' : 'sent' });
    // E-mails that were not sent, or not by this system, are nobody's.
    await report({ type, data: { ...data, message_id: `${newId()}@other.test` } });
  });

  test('is marked by nobody without the secret, and by no report of yesterday', async () => {
    const body = { type: 'email.bounced', data: { message_id: 'x' } };
    await expect(report(body, { signature: 'v1,AAAA' })).rejects.toThrow(ForgedMailReport);
    await expect(report(body, { timestamp: inSeconds() - 86_400 })).rejects.toThrow(ForgedMailReport);
    await expect(report(body, {}, null)).rejects.toThrow(ForgedMailReport);
    const rawBody = 'no JSON';
    const signed = signWebhook(SANDBOX_WEBHOOK_SECRET, { id: '1', timestamp: inSeconds(), body: rawBody });
    const headers = { ...signed, 'webhook-signature': `v1,AAAA ${signed['webhook-signature']}` };
    await receiveMailReport(stage.node, { headers, rawBody }, async () => {});
  });
});

describe('an e-mail that the mail server refuses for a reason of its own', () => {
  const own = async (accountId: string) => {
    const { rows } = await listUndeliverable(stage.node, { page: 1, perPage: 100 });
    return rows.filter(({ account_id }) => account_id === accountId);
  };

  test.each([
    ['onRecipient', { code: 550, text: '5.7.1 spam' }, 'blocked'],
    ['onRecipient', { code: 554, text: 'blocked' }, 'blocked'],
    ['onRecipient', { code: 552, text: '5.2.2 full' }, 'full'],
    ['onMessage', { code: 554, text: '5.6.0 not wanted' }, 'blocked'],
  ] as const)('is kept, told and sent again (%s, %j)', async (where, fault, cause) => {
    const { id, email } = await person();
    const [one, other] = [mail(), mail()];
    for (const each of [one, other]) await mailTo(stage.node, CAUSE, id, each);
    stage.smtp[where] = { ...fault, text: `${fault.text} for ${email}` };
    await attempt(one);
    await attempt(one);
    expect(await outcomeOf(one)).toMatchObject({ outcome: null, content: expect.any(String) });
    expect(await own(id)).toEqual([
      {
        account_id: id,
        mail_id: rowIdOf(one),
        cause,
        code: fault.code,
        reply: `${fault.code} ${fault.text} for <address>`,
        at: expect.any(String),
      },
    ]);
    expect(await stoppedMail(stage.node, id)).toMatchObject({ cause });
    stage.smtp[where] = undefined;
    await attempt(other); // others are not stopped
    expect(await stoppedMail(stage.node, id)).toBeNull();
    expect(await sendRefusedAgain(stage.node, newId())).toBe(0);
    expect(await sendRefusedAgain(stage.node, id)).toBe(1);
    expect(await sendRefusedAgain(stage.node, id)).toBe(0);
    expect(await jobIds(stage.stores.pool, 'mail')).toContain(rowIdOf(one));
    await attempt(one);
    expect(await outcomeOf(one)).toEqual({ outcome: 'sent', content: null });
    expect(await own(id)).toEqual([]);
  });

  test('is kept for days, unless it is of use for a short time only', async () => {
    const { id } = await person();
    const lasting = mail({ expiresAt: instantOf(Date.now() + DAY_MS) });
    const short = mail();
    for (const each of [lasting, short]) await mailTo(stage.node, CAUSE, id, each);
    stage.smtp.onMessage = { code: 554, text: 'no' };
    for (const each of [lasting, short]) await attempt(each);
    await stage.stores.pool.query(
      `update ops.mails set expires_at = expires_at - interval '3 days' where person_id = $1`,
      [id],
    );
    expect(await own(id)).toMatchObject([{ mail_id: rowIdOf(lasting) }]);
  });
});

describe('marketing', () => {
  const consenting = async () => {
    const someone = await person();
    const answer = { purpose: 'marketing', policyVersion: '1', granted: true, userAgent: null } as const;
    await answerConsent(stage.node, contextOf(someone.id), someone.id, answer);
    return someone;
  };

  test('needs a consent, and ends with one click, also for what waits', async () => {
    const without = await person();
    const { id } = await consenting();
    const [unwanted, wanted, late] = [mail({ marketing: true }), mail({ marketing: true }), mail({ marketing: true })];
    await mailTo(stage.node, CAUSE, without.id, unwanted);
    for (const each of [wanted, late]) await mailTo(stage.node, CAUSE, id, each);
    await attempt(unwanted);
    await attempt(wanted);
    expect(await outcomeOf(unwanted)).toMatchObject({ outcome: 'no_consent' });
    const [arrived] = stage.smtp.mails;
    const link = /token=([\w.-]+)/.exec(arrived?.text ?? '')?.[1] ?? '';
    await unsubscribe(stage.node, contextOf('anonymous'), link);
    await unsubscribe(stage.node, contextOf('anonymous'), link);
    await attempt(late);
    expect(await outcomeOf(late)).toMatchObject({ outcome: 'no_consent' });
  });

  test('cannot be ended for somebody else', async () => {
    const { id } = await consenting();
    const other = await person();
    const forged = unsubscribeToken(stage.node, other.id).replace(other.id, id);
    await expect(unsubscribe(stage.node, contextOf('anonymous'), forged)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the verification of an address', () => {
  const entered = async () => {
    const opening = { role: 'tourist', phone: newPhone() } as const;
    const { accountId } = await openAccount(stage.node, contextOf('admin', 'admin'), opening);
    await changeProfile(stage.node, contextOf(accountId), accountId, { email: `${newId()}@example.test` });
    return accountId;
  };
  const delivered = async (accountId: string) => {
    const { rows } = await stage.stores.pool.query<{ id: string }>(
      'select id from ops.mails where person_id = $1 and outcome is null',
      [accountId],
    );
    for (const { id } of rows)
      await mailDelivery.run(
        { id, data: {}, attempt: 1 },
        { deps: stage.node, context: contextOf('system', 'system') },
      );
  };

  test('sends a code to the address, and e-mails go there then', async () => {
    const accountId = await entered();
    await expect(verifyEmail(stage.node, contextOf(accountId), accountId, '000000')).rejects.toMatchObject({
      code: 'wrong_credentials',
    });
    const status = await sendEmailCode(stage.node, contextOf(accountId), accountId);
    expect(status).toMatchObject({ isVerified: false, codeActive: true, attemptsLeft: 5, canSendInS: 60 });
    await delivered(accountId);
    const code = /\d{6}/.exec(stage.smtp.mails[0]?.text ?? '')?.[0] ?? '';
    await verifyEmail(stage.node, contextOf(accountId), accountId, code);
    await verifyEmail(stage.node, contextOf(accountId), accountId, code);
    expect(await sendEmailCode(stage.node, contextOf(accountId), accountId)).toMatchObject({ isVerified: true });
    await mailTo(stage.node, CAUSE, accountId, mail());
    await delivered(accountId);
    expect(stage.smtp.mails).toHaveLength(2);
  });

  test('proves only the address that the code was sent to', async () => {
    const accountId = await entered();
    await sendEmailCode(stage.node, contextOf(accountId), accountId);
    await changeProfile(stage.node, contextOf(accountId), accountId, { email: `${newId()}@example.test` });
    await delivered(accountId);
    expect(stage.smtp.attempts).toEqual([]);
    await expect(sendEmailCode(stage.node, contextOf(accountId), accountId)).resolves.toMatchObject({
      codeActive: true,
    });
    await expect(sendEmailCode(stage.node, contextOf(accountId), accountId)).rejects.toMatchObject({
      code: 'too_many_attempts',
    });
  });
});
