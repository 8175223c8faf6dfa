/** What telling and settling cost when many have notifications: transactions that are shared, and no table read as a whole. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notificationId } from '../../commands/notifications/addNotifications.ts';
import { settle, takeBack, unreadUpTo } from '../../commands/notifications/settleNotifications.ts';
import { createPool } from '../../infra/postgres.ts';
import { checkSession } from '../../infra/sessions.ts';
import { statementsOf, wholeTablesRead } from '../kit/counts.ts';
import { freshStores } from '../kit/stores.ts';
import { createNotificationStage, security } from './stage.ts';

/** Who else has notifications, with rows in these tables: few enough that reading them as a whole could seem cheap. */
const OTHERS = 500;
const FILLED = ['notifications', 'notification_inboxes', 'sessions', 'vault_keys'];
const stores = await freshStores();
const pool = createPool(stores.databaseUrl, { max: 10, applicationName: 'counted', log: stores.log });
const stage = createNotificationStage({ ...stores, pool });
const { node, now, open, tell, unread } = stage;
let people: string[];

beforeAll(async () => {
  people = [];
  for (let n = 0; n < 20; n += 1) people.push(await open(`Anna ${n}`));
  await stores.pool.query(
    `with person as (select gen_random_uuid() as id from generate_series(1, $1)),
       keys as (insert into ops.vault_keys (person_id, wrapped_key) select id, '\\x00' from person),
       inboxes as (insert into ops.notification_inboxes (person_id, last_seq) select id, 1 from person),
       sessions as (
         insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
         select gen_random_uuid(), id, 0, now(), now() + interval '1 day' from person
       )
     insert into ops.notifications (id, person_id, seq, name, kind, params, at, version, count)
     select gen_random_uuid(), id, 1, 'account_security', 'account', '{"change": "password"}', now(), 1, 0 from person`,
    [OTHERS],
  );
});
afterAll(async () => {
  await pool.end();
});

const tellAll = async (key: string) => void (await Promise.all(people.map((person) => tell(person, key))));
const named = (person: string, key: string) => [{ id: notificationId(security.name, person, key), version: 0 }];
const count = (statements: readonly string[], one: string) => statements.filter((text) => text === one).length;

it('tells and settles for many in one transaction each', async () => {
  expect(count(await statementsOf('counted', () => tellAll('together')), 'commit')).toBe(1);
  const settled = await statementsOf('counted', async () => {
    await Promise.all(people.map((person) => settle(node, now(), named(person, 'together'))));
  });
  expect(count(settled, 'commit')).toBe(1);
  expect(await Promise.all(people.map(unread))).toEqual(people.map(() => 0));
});

it('finds by indexes what is told, settled and taken back', async () => {
  const [person = ''] = people;
  const read = await wholeTablesRead(stores.pool, 'counted', async () => {
    await tellAll('found');
    await Promise.all(people.map((each) => settle(node, now(), named(each, 'found'))));
    await tellAll('found later');
    await takeBack(node, now(), named(person, 'found later'));
    await unreadUpTo(pool, { name: security.name, to: person, about: { thread_id: person }, upToSeq: 1 });
  });
  expect(read.filter((table) => FILLED.includes(table))).toEqual([]);
});

it('finds sessions by their index', async () => {
  const session = () =>
    ({ accountId: randomUUID(), sessionId: randomUUID(), tokenVersion: 0, role: 'tourist' }) as const;
  const read = await wholeTablesRead(stores.pool, 'counted', async () => {
    await checkSession(pool, session());
    await Promise.all(Array.from({ length: 20 }, () => checkSession(pool, session())));
  });
  expect(read.filter((table) => FILLED.includes(table))).toEqual([]);
});
