/** The queue of e-mails: what is sent, repeated, given up and forgotten. */

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { changeProfile, openAccount } from '../../commands/accounts/accounts.ts';
import { eraseRows } from '../../commands/core/erasure.ts';
import { runJobs } from '../../commands/core/jobRunner.ts';
import { listUndeliverable } from '../../commands/mail/addresses.ts';
import { mailDelivery } from '../../commands/mail/delivery.ts';
import { mailTo } from '../../commands/mail/mailTo.ts';
import { mailNotifications } from '../../commands/mail/notifications.ts';
import {
  mailMigrations,
  pauseMail,
  releaseMail,
  rowIdOf,
  takeMail,
  UNANSWERED_PAUSE_MS,
  type WaitingMail,
} from '../../commands/mail/queue.ts';
import { createSmtpTransport } from '../../commands/mail/smtp.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { newId } from '../../infra/ids.ts';
import { keepPeriods } from '../../infra/retention.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { until } from '../kit/until.ts';
import { CAUSE, mail, mailStage } from './mailStage.ts';

const stage = mailStage();
const { person, attempt, outcomeOf } = stage;

describe('an e-mail', () => {
  test('is sent once, however often it is asked for, and forgotten then', async () => {
    const { id, email } = await person();
    const one = mail();
    await mailTo(stage.node, CAUSE, id, one);
    const { rows } = await stage.stores.pool.query('select content from ops.mails where id = $1', [rowIdOf(one)]);
    expect(rows[0].content).not.toContain('confirmed');
    await mailTo(stage.node, CAUSE, id, one);
    await attempt(one);
    await attempt(one);
    await mailTo(stage.node, CAUSE, id, one);
    await attempt(one);
    expect(stage.smtp.attempts).toEqual([email]);
    expect(stage.smtp.mails[0]).toMatchObject({ subject: 'Your booking', messageId: `<${rowIdOf(one)}@resort.test>` });
    expect(await outcomeOf(one)).toEqual({ outcome: 'sent', content: null });
  });

  test('is sent by one worker at a time, also when it is asked for again meanwhile', async () => {
    const { id } = await person();
    const one = mail();
    stage.smtp.onRecipient = 'silence';
    const stopping = new AbortController();
    const running = [1, 2].map(() => runJobs(stage.node, [mailDelivery as never], stopping.signal));
    await mailTo(stage.node, CAUSE, id, one);
    await until(() => stage.smtp.attempts.length === 1);
    await mailDelivery.schedule(stage.stores.pool, CAUSE, { id: rowIdOf(one), dueAt: stage.node.now(), data: {} });
    stage.smtp.onRecipient = undefined;
    await until(async () => (await outcomeOf(one))?.outcome === 'sent');
    stopping.abort();
    await Promise.all(running);
    expect(stage.smtp.mails).toHaveLength(1);
  });

  test('of which nobody knows whether it arrived waits long, and has the same Message-ID', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(stage.node, CAUSE, id, one);
    stage.smtp.onMessage = 'hangs up';
    const again = await attempt(one);
    const pauseMs = Date.parse(String(again?.againAt)) - Date.now();
    expect(pauseMs).toBeGreaterThan(UNANSWERED_PAUSE_MS / 2);
    expect(Date.parse(String((await attempt(one))?.againAt))).toBe(Date.parse(String(again?.againAt)));
    expect(stage.smtp.attempts).toHaveLength(1);
    stage.smtp.onMessage = undefined;
    await stage.stores.pool.query('update ops.mails set not_before = now() where id = $1', [rowIdOf(one)]);
    await attempt(one);
    expect(stage.smtp.mails).toMatchObject([{ messageId: `<${rowIdOf(one)}@resort.test>` }]);
  });

  test('whose server hangs after the whole e-mail does not delay the end of the worker, and is not sent twice', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(stage.node, CAUSE, id, one);
    stage.smtp.onMessage = 'silence';
    const url = stage.smtp.url;
    const mailTransport = createSmtpTransport({ url, from: 'R <r@resort.test>', requireTls: false, stoppingMs: 100 });
    const stopping = new AbortController();
    const sending = mailDelivery.run(
      { id: rowIdOf(one), data: {}, attempt: 1, stopping: stopping.signal },
      { deps: { ...stage.node, mailTransport }, context: contextOf('system', 'system', stage.node.now()) },
    );
    await until(() => stage.smtp.received === 1);
    // Whoever kills the worker at this moment finds it recorded already that the e-mail may have arrived.
    const { rows } = await stage.stores.pool.query('select not_before > now() as waits from ops.mails where id = $1', [
      rowIdOf(one),
    ]);
    expect(rows).toEqual([{ waits: true }]);
    stopping.abort();
    const again = await sending;
    expect(Date.parse(String(again?.againAt)) - Date.now()).toBeGreaterThan(UNANSWERED_PAUSE_MS / 2);
    mailTransport.close();
    stage.smtp.onMessage = undefined;
    await attempt(one);
    expect(stage.smtp.received).toBe(1);
    await stage.stores.pool.query('update ops.mails set not_before = now() where id = $1', [rowIdOf(one)]);
    await attempt(one);
    expect(stage.smtp.mails).toMatchObject([{ messageId: `<${rowIdOf(one)}@resort.test>` }]);
  });

  test.each([
    ['5.1.1 unknown', 550, 'refused'],
    ['5.2.2 full', 552, 'full'],
  ] as const)('that is refused (%s) is told in the app, once', async (text, code, cause) => {
    const { id } = await person();
    stage.smtp.onRecipient = { code, text };
    for (const one of [mail(), mail()]) {
      await mailTo(stage.node, CAUSE, id, one);
      await attempt(one);
    }
    const { rows } = await stage.stores.pool.query<{ data: { about: Record<string, string> } }>(
      `select data from ops.jobs where kind = 'notification_cue' and data->'about'->>'personId' = $1`,
      [id],
    );
    expect(rows).toHaveLength(1);
    const [declared] = mailNotifications;
    const at = stage.node.now();
    const told = await declared?.find(rows[0]?.data.about ?? {}, { deps: stage.node, at, eventAt: at, ...CAUSE });
    expect(told).toEqual([{ to: id, params: { cause } }]);
  });

  test('waits as long when its worker was killed while the server had not answered', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(stage.node, CAUSE, id, one);
    const taken = (await takeMail(stage.node, rowIdOf(one))) as WaitingMail;
    await pauseMail(stage.stores.pool, taken);
    const { pausedUntil } = (await takeMail(stage.node, rowIdOf(one))) as { pausedUntil: string };
    expect(Date.parse(pausedUntil) - Date.now()).toBeGreaterThan(UNANSWERED_PAUSE_MS / 2);
  });

  test('is neither ended nor released by a worker that another one has replaced', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(stage.node, CAUSE, id, one);
    const former = (await takeMail(stage.node, rowIdOf(one))) as WaitingMail;
    const present = (await takeMail(stage.node, rowIdOf(one))) as WaitingMail;
    expect(await pauseMail(stage.stores.pool, former)).toBeUndefined();
    expect(await pauseMail(stage.stores.pool, present)).toBeDefined();
    await releaseMail(stage.stores.pool, former);
    expect(await takeMail(stage.node, rowIdOf(one))).toHaveProperty('pausedUntil');
    await releaseMail(stage.stores.pool, present);
    await attempt(one);
    expect(stage.smtp.mails).toHaveLength(1);
  });

  test('that a worker of the former release has begun is not sent by it once another one has taken it over', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(stage.node, CAUSE, id, one);
    const row = [rowIdOf(one)];
    await stage.stores.pool.query(
      `update ops.mails set sending_until = now() + interval '15 seconds', attempts = attempts + 1 where id = $1`,
      row,
    );
    await attempt(one);
    expect(stage.smtp.mails).toHaveLength(1);
    const { rowCount } = await stage.stores.pool.query(
      `update ops.mails set sending_until = now() where id = $1 and attempts = 1 and outcome is null`,
      row,
    );
    expect(rowCount).toBe(0);
  });

  test('is sent after an outage of the mail server', async () => {
    const { id } = await person();
    const one = mail();
    const away = createSmtpTransport({ url: 'smtp://127.0.0.1:1', from: 'R <r@resort.test>', requireTls: false });
    const later = {
      ...away,
      send: (message: never) => (isAway ? away : (stage.node.mailTransport ?? away)).send(message),
    };
    let isAway = true;
    const stopping = new AbortController();
    const running = runJobs(changed(stage.node, { mailTransport: later }), [mailDelivery as never], stopping.signal);
    await mailTo(stage.node, CAUSE, id, one);
    await until(async () => {
      const { rows } = await stage.stores.pool.query(`select last_error from ops.jobs where id = $1`, [rowIdOf(one)]);
      return rows[0]?.last_error !== null && rows[0] !== undefined;
    });
    const { rows } = await stage.stores.pool.query(`select last_error from ops.jobs where id = $1`, [rowIdOf(one)]);
    expect(rows[0].last_error).not.toContain('example.test');
    isAway = false;
    // The server has it before the worker hears so, and a worker that stops does not wait for its answer.
    await until(async () => (await outcomeOf(one))?.outcome === 'sent');
    stopping.abort();
    await running;
    expect(stage.smtp.mails).toHaveLength(1);
  });

  test('is not sent when it is too late', async () => {
    const { id } = await person();
    const late = mail();
    await mailTo(stage.node, CAUSE, id, late);
    await attempt(late, 1, changed(stage.node, { now: () => instantOf(Date.now() + 2 * HOUR_MS) }));
    expect(await outcomeOf(late)).toEqual({ outcome: 'expired', content: null });
    const expired = mail({ expiresAt: instantOf(Date.now() - 1_000) });
    await mailTo(stage.node, CAUSE, id, expired);
    expect(await outcomeOf(expired)).toBeUndefined();
  });

  test('is kept when its receiver puts it off for a day', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(stage.node, CAUSE, id, one);
    stage.smtp.onRecipient = { code: 450, text: '4.7.1 later' };
    await expect(attempt(one)).rejects.toMatchObject({ name: 'MailDelayed' });
    await attempt(one, 32);
    const { rows } = await listUndeliverable(stage.node, { page: 1, perPage: 1 });
    expect(rows).toMatchObject([{ account_id: id, cause: 'blocked', code: 450 }]);
  });

  test('is not queued for somebody without a verified address, or where none can be sent', async () => {
    const { accountId } = await openAccount(stage.node, contextOf('admin', 'admin'), {
      role: 'tourist',
      phone: '+79991230001',
    });
    await changeProfile(stage.node, contextOf(accountId), accountId, { email: `${newId()}@example.test` });
    const one = mail();
    await mailTo(stage.node, CAUSE, accountId, one);
    expect(await outcomeOf(one)).toBeUndefined();
    const { id } = await person();
    await mailTo(changed(stage.node, { mailTransport: null }), CAUSE, id, one);
    expect(await outcomeOf(one)).toBeUndefined();
  });

  test('leaves nothing but its outcome, and that not for ever', async () => {
    const { id } = await person();
    const one = mail();
    await mailTo(stage.node, CAUSE, id, one);
    await attempt(one);
    await stage.stores.pool.query(`update ops.mails set expires_at = now() - interval '91 days' where id = $1`, [
      rowIdOf(one),
    ]);
    await keepPeriods(stage.stores.pool, [mailMigrations]);
    expect(await outcomeOf(one)).toBeUndefined();
  });

  test('of an erased person is not sent', async () => {
    const { id } = await person();
    const [kept, removed] = [mail(), mail()];
    await mailTo(stage.node, CAUSE, id, kept);
    await mailTo(stage.node, CAUSE, id, removed);
    await stage.stores.vault.erase(id);
    await attempt(kept);
    await eraseRows(stage.stores.pool, [mailMigrations], id, randomUUID());
    await attempt(removed);
    expect(stage.smtp.attempts).toEqual([]);
    expect(await outcomeOf(removed)).toBeUndefined();
  });
});
