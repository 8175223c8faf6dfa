/** E-mails on real stores and a real SMTP server that records them, which is another one for each test. */
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { mailDelivery } from '../../commands/mail/delivery.ts';
import type { Mail } from '../../commands/mail/mailTo.ts';
import { rowIdOf } from '../../commands/mail/queue.ts';
import { createSmtpTransport } from '../../commands/mail/smtp.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { newId } from '../../infra/ids.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { type SmtpRecorder, startSmtp } from './smtpServer.ts';

/** An e-mail that can be sent for an hour. */
/** What e-mails of tests follow from. */
export const CAUSE = { correlationId: 'test' };

export const mail = (over: Partial<Mail> = {}): Mail => ({
  id: newId(),
  subject: 'Your booking',
  paragraphs: ['It is confirmed.'],
  link: null,
  attachments: [],
  marketing: false,
  language: 'en',
  expiresAt: instantOf(Date.now() + HOUR_MS),
  ...over,
});

/** Starts before the tests of the file that calls it, and stops after them. */
export const mailStage = () => {
  let stores: Stores;
  let smtp: SmtpRecorder;
  let node: Node;
  beforeAll(async () => {
    stores = await freshStores();
  });
  beforeEach(async () => {
    smtp = await startSmtp();
    const mailTransport = createSmtpTransport({
      url: smtp.url,
      from: 'R <r@resort.test>',
      requireTls: false,
      attemptMs: 2_000,
      lastAnswerMs: 2_000,
    });
    node = changed(testDeps(stores), { mailTransport });
  });
  afterEach(async () => {
    node.mailTransport?.close();
    await smtp.stop();
  });
  return {
    get stores() {
      return stores;
    },
    get smtp() {
      return smtp;
    },
    get node() {
      return node;
    },
    /** Opened by an admin, so that the address counts as verified. */
    person: async (over: { phone?: string } = {}) => {
      const email = `${newId()}@example.test`;
      const opening = { role: 'tourist', email, password: 'a-long-Passw0rd-of-ours', ...over } as const;
      const { accountId } = await openAccount(node, contextOf('admin', 'admin'), opening);
      return { id: accountId, email };
    },
    /** One attempt, as the job makes it. */
    attempt: async (of: Mail, number = 1, at: Node = node) => {
      const context = contextOf('system', 'system', at.now());
      return mailDelivery.run({ id: rowIdOf(of), data: {}, attempt: number }, { deps: at, context });
    },
    outcomeOf: async (of: Mail) => {
      const { rows } = await stores.pool.query('select outcome, content from ops.mails where id = $1', [rowIdOf(of)]);
      return rows[0];
    },
  };
};
