/** That one process tells operators for all of them, over a real mail server, and goes on without the database. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SmsRefused } from '../../commands/accounts/smsSender.ts';
import { createSmtpTransport } from '../../commands/mail/smtp.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { createLogger } from '../../infra/log.ts';
import { createPool, OF_REQUESTS, type Pool } from '../../infra/postgres.ts';
import type { Concern } from '../../ops/alerts/seen.ts';
import { readMemory } from '../../ops/operators/reports.ts';
import { startTeller } from '../../ops/operators/teller.ts';
import { type Database, freshDatabase } from '../kit/databases.ts';
import { until } from '../kit/until.ts';
import { type SmtpRecorder, startSmtp } from '../mail/smtpServer.ts';

const STORE: Concern = { alert: 'StoreAway', about: 'the event store', value: 1 };
const PARKED: Concern = { alert: 'JobsParked', about: '', value: 3 };
const log = createLogger({ level: 'silent' });

let smtp: SmtpRecorder;
let database: Database;
let pool: Pool;
let isGatewayThere = true;
let messages: string[] = [];
let ahead = 0;
const now = () => Date.now() + ahead;
const tellers: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.stop());
beforeEach(async () => {
  database = await freshDatabase();
  pool = createPool(database.url, { ...OF_REQUESTS, max: 5, applicationName: 'spec', log });
  smtp.onRecipient = undefined;
  (smtp.mails as unknown[]).length = 0;
  messages = [];
  isGatewayThere = true;
  ahead = 0;
});
afterEach(async () => {
  await Promise.all(tellers.splice(0).map((each) => each.stop()));
  mail.close();
  await pool.end().catch(() => undefined);
  await database.drop();
});

const transport = () =>
  createSmtpTransport({ url: smtp.url, from: 'Resort <no-reply@resort.test>', requireTls: false });
const mail = {
  send: (...given: Parameters<ReturnType<typeof transport>['send']>) => {
    const one = transport();
    return one.send(...given).finally(one.close);
  },
  check: async () => undefined,
  close: () => undefined,
};
const sms = {
  send: async (_: string, text: string) => {
    if (!isGatewayThere) throw new SmsRefused('the SMS gateway answered 500');
    messages.push(text);
  },
};
const OPERATORS = ['one@resort.test', '+79991234567'];

/** A process, and how often it has looked. */
const start = (roles: string, concerns: () => readonly Concern[], operators = OPERATORS, of: Pool = pool) => {
  const counted = { rounds: 0 };
  const teller = startTeller({
    pool: of,
    channels: { mail, sms, publicUrl: 'https://resort.test', operators },
    roles,
    log,
    everyMs: 20,
    now,
    look: async () => {
      counted.rounds += 1;
      return concerns();
    },
  });
  tellers.push(teller);
  return { teller, rounds: (count: number) => until(() => counted.rounds > count + 1), counted };
};
/** Some rounds later. */
const later = async (one: ReturnType<typeof start>) => one.rounds(one.counted.rounds + 2);
const subjects = () => smtp.mails.map(({ subject }) => subject);

test('what concerns one of several processes is told once by mail and SMS, and once when it is over', async () => {
  let concerns: readonly Concern[] = [STORE];
  const api = start('api', () => concerns);
  const worker = start('worker', () => []);
  await Promise.all([later(api), later(worker)]);
  expect(subjects()).toEqual([]);
  ahead += 2 * MINUTE_MS;
  await until(() => smtp.mails.length === 1 && messages.length === 1);
  expect(smtp.mails[0]?.text).toContain('Read: docs/runbook.md#storeaway');
  expect(messages[0]).toContain('resort.test: the event store cannot be used.');
  // The one that tells is stopped, and others are started: nobody repeats what was told.
  await Promise.all(tellers.splice(0).map((each) => each.stop()));
  const again = [start('api', () => concerns), start('worker', () => [])];
  await Promise.all(again.map(later));
  concerns = [];
  await Promise.all(again.map(later));
  ahead += 4 * MINUTE_MS;
  await until(() => smtp.mails.length === 2);
  expect(subjects()).toEqual([
    'resort.test: StoreAway (the event store)',
    'resort.test: over: StoreAway (the event store)',
  ]);
  expect((await readMemory(pool)).known).toEqual([]);
});

test('what can wait is told by mail, by SMS where no mail can be sent, and later where neither can', async () => {
  smtp.onRecipient = { code: 451, text: 'not now' };
  isGatewayThere = false;
  let concerns: readonly Concern[] = [PARKED];
  const first = start('worker', () => concerns);
  await until(() => smtp.attempts.length > 0);
  await later(first);
  expect((await readMemory(pool)).known).toMatchObject([{ alert: 'JobsParked' }]);
  expect((await readMemory(pool)).known[0]?.toldAt).toBeUndefined();
  // A new process has no reason to wait.
  await first.teller.stop();
  isGatewayThere = true;
  const second = start('worker', () => concerns);
  await until(() => messages.length === 1);
  await later(second);
  expect(messages).toEqual([expect.stringContaining('3 jobs have failed too often')]);
  smtp.onRecipient = undefined;
  concerns = [];
  await later(second);
  ahead += 4 * MINUTE_MS;
  await until(() => smtp.mails.length === 1);
  expect(subjects()).toEqual(['resort.test: over: JobsParked']);
  expect(messages).toHaveLength(1);
});

test('a role whose last process ended without being stopped is told, one that was stopped is not', async () => {
  await pool.query(`insert into ops.process_reports values ('gone', 'api', now() - interval '2 minutes', '[]', '[]')`);
  const stopped = start('realtime', () => []);
  await later(stopped);
  await stopped.teller.stop();
  const worker = start('worker', () => []);
  await later(worker);
  ahead += 2 * MINUTE_MS;
  await until(() => smtp.mails.length === 1);
  expect(subjects()).toEqual(['resort.test: ProcessDown (api)']);
  const api = start('api', () => []);
  await Promise.all([later(api), later(worker)]);
  ahead += 4 * MINUTE_MS;
  await until(() => smtp.mails.length === 2);
  expect(subjects().at(-1)).toBe('resort.test: over: ProcessDown (api)');
});

/** A pool that can be cut off. */
const cuttable = () => {
  const own = createPool(database.url, { ...OF_REQUESTS, max: 1, applicationName: 'operators', log });
  const query = own.query.bind(own) as (...given: unknown[]) => Promise<unknown>;
  const cut = { isAway: false, own };
  own.query = ((...given: unknown[]) =>
    cut.isAway ? Promise.reject(new Error('away')) : query(...given)) as typeof own.query;
  return cut;
};
const POSTGRES: Concern = { alert: 'StoreAway', about: 'PostgreSQL', value: 1 };
const [BEGUN, OVER] = ['resort.test: StoreAway (PostgreSQL)', 'resort.test: over: StoreAway (PostgreSQL)'];

test('without the database, the process that told last goes on, and tells each end once', async () => {
  const cut = cuttable();
  let others: readonly Concern[] = [STORE];
  const worker = start('worker', () => (cut.isAway ? [POSTGRES] : others), OPERATORS, cut.own);
  await later(worker);
  ahead += 2 * MINUTE_MS;
  await until(() => smtp.mails.length === 1);
  others = [];
  await later(worker);
  cut.isAway = true;
  await later(worker);
  ahead += 2 * MINUTE_MS;
  await until(() => smtp.mails.length === 2);
  expect(subjects().at(-1)).toBe(BEGUN);
  await later(worker);
  cut.isAway = false;
  for (let minute = 0; minute < 10; minute += 1) {
    await later(worker);
    ahead += MINUTE_MS;
  }
  await later(worker);
  const overs = smtp.mails.slice(2).map(({ text = '' }) => text.match(/(?<=Over: StoreAway )\([^)]*\)/g) ?? []);
  expect(overs.flat().toSorted()).toEqual(['(PostgreSQL)', '(the event store)']);
  await worker.teller.stop();
  await cut.own.end();
});

test('what a process has told without the database is not told again by another one, and its end is', async () => {
  const cut = cuttable();
  const first = start('worker', () => (cut.isAway ? [POSTGRES] : []), OPERATORS, cut.own);
  await later(first);
  cut.isAway = true;
  await later(first);
  ahead += 2 * MINUTE_MS;
  await until(() => smtp.mails.length === 1);
  await pool.query(`update ops.operators_told set held_until = '-infinity'`);
  const second = start('api', () => []);
  await later(second);
  cut.isAway = false;
  for (let minute = 0; minute < 10; minute += 1) {
    await Promise.all([later(first), later(second)]);
    ahead += MINUTE_MS;
  }
  await Promise.all([later(first), later(second)]);
  expect(subjects()).toEqual([BEGUN, OVER]);
  await first.teller.stop();
  await cut.own.end();
});
