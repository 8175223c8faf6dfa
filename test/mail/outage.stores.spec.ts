/** Ten minutes without the mail server, on a clock that passes five seconds at a time. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { claim } from '../../commands/core/jobClaims.ts';
import { runJob } from '../../commands/core/jobRunner.ts';
import { defineJob, type JobDefinition } from '../../commands/core/jobs.ts';
import { mailDelivery } from '../../commands/mail/delivery.ts';
import { mailTo } from '../../commands/mail/mailTo.ts';
import { createSmtpTransport } from '../../commands/mail/smtp.ts';
import type { MailTransport } from '../../commands/mail/transport.ts';
import { HOUR_MS, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { newId } from '../../infra/ids.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { type SmtpRecorder, startSmtp } from './smtpServer.ts';

const STEP_MS = 5_000;
const PEOPLE = 5;

let stores: Stores;
let smtp: SmtpRecorder;
beforeAll(async () => {
  stores = await freshStores();
  smtp = await startSmtp();
});
afterAll(async () => {
  await smtp.stop();
});

it('loses and repeats no e-mail, sends none too late, and delays no other job', async () => {
  const from = { from: 'R <r@resort.test>', requireTls: false, attemptMs: 5_000 };
  const [there, away] = [smtp.url, 'smtp://127.0.0.1:1'].map((url) => createSmtpTransport({ url, ...from })) as [
    MailTransport,
    MailTransport,
  ];
  let isAway = true;
  let attempts = 0;
  const mailTransport: MailTransport = {
    check: () => there.check(),
    send: (message) => {
      attempts += 1;
      return (isAway ? away : there).send(message);
    },
    close: () => undefined,
  };
  const node: Node = changed(testDeps(stores), { mailTransport });
  const others: string[] = [];
  const other = defineJob<object, Node>('other_of_the_test', async ({ id }) => {
    others.push(id);
    return undefined;
  });
  const jobs = new Map([mailDelivery, other].map((each) => [each.kind, each as JobDefinition<never, Node>]));
  const work = async (forMs: number): Promise<void> => {
    for (let left = forMs; left > 0; left -= STEP_MS) {
      for (const job of await claim(stores.pool, [...jobs.keys()], 32)) await runJob(node, jobs, job);
      // The clocks are the real ones: instead of them going on, everything is due and expires earlier.
      const earlier = `- interval '${STEP_MS} milliseconds'`;
      await stores.pool.query(
        `update ops.jobs set run_at = run_at ${earlier}, claimed_until = claimed_until ${earlier}`,
      );
      await stores.pool.query(`update ops.mails set expires_at = expires_at ${earlier}`);
    }
  };
  const mail = (subject: string, worthMs: number) => ({
    id: newId(),
    subject,
    paragraphs: ['It is confirmed.'],
    link: null,
    attachments: [],
    marketing: false,
    language: 'en' as const,
    expiresAt: instantOf(Date.now() + worthMs),
  });
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, async () => {
      const details = {
        role: 'tourist',
        email: `${newId()}@example.test`,
        password: 'a-long-Passw0rd-of-ours',
      } as const;
      return (await openAccount(node, contextOf('admin', 'admin'), details)).accountId;
    }),
  );
  const writeAll = async (subject: string, worthMs: number): Promise<void> => {
    for (const person of people) await mailTo(node, contextOf('admin', 'admin'), person, mail(subject, worthMs));
  };

  await writeAll('worth an hour', HOUR_MS);
  await writeAll('worth five minutes', 5 * MINUTE_MS);
  await work(6 * MINUTE_MS);
  await writeAll('of the seventh minute', HOUR_MS);
  await other.schedule(stores.pool, { correlationId: newId() }, { id: 'meanwhile', dueAt: node.now(), data: {} });
  await work(STEP_MS);
  expect(others).toEqual(['meanwhile']);
  await work(4 * MINUTE_MS - STEP_MS);
  expect(smtp.mails).toEqual([]);
  // 1, 2, 4 … seconds apart: about ten attempts for each.
  expect(attempts).toBeLessThan(3 * PEOPLE * 12);

  isAway = false;
  await work(20 * MINUTE_MS);
  const kept = ['of the seventh minute', 'worth an hour'].flatMap((subject) => people.map(() => subject));
  expect(smtp.mails.map(({ subject }) => subject).sort()).toEqual(kept);
  expect(new Set(smtp.mails.map(({ messageId }) => messageId)).size).toBe(kept.length);
  const { rows } = await stores.pool.query('select outcome, count(*) from ops.mails group by outcome order by outcome');
  expect(rows).toEqual([
    { outcome: 'expired', count: PEOPLE },
    { outcome: 'sent', count: 2 * PEOPLE },
  ]);
  there.close();
  away.close();
});
