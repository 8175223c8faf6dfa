/** The number of unread notifications that an inbox keeps is what a count of them gives, whoever changes them and how. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { addNotices, notificationId } from '../../commands/notifications/addNotifications.ts';
import { deleteNotification, markAllRead, markRead } from '../../commands/notifications/inbox.ts';
import { pruneNotifications } from '../../commands/notifications/prune.ts';
import { settle, takeBack } from '../../commands/notifications/settleNotifications.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { createPool, inTransaction, type Pool } from '../../infra/postgres.ts';
import { keptTables, loadRows, rowLines } from '../../ops/backup/tables.ts';
import { allMigrations } from '../../ops/tables.ts';
import { freshDatabase } from '../kit/databases.ts';
import { endsWithSpec } from '../kit/ending.ts';
import { anyOf, below, randomFrom } from '../kit/random.ts';
import { freshStores } from '../kit/stores.ts';
import { createNotificationStage, security } from './stage.ts';

const PEOPLE = 6;
const ROUNDS = 15;
const AT_ONCE = 25;
const KEYS = 8;

const stores = await freshStores();
const stage = createNotificationStage(stores);
const { node, now, open, erase, listOf, unread } = stage;
const random = randomFrom();
beforeEach(() => stage.pass(3_600));

interface Inbox {
  readonly person_id: string;
  readonly kept: number;
  readonly counted: number;
}
const inboxes = async (pool: Pool): Promise<Inbox[]> => {
  const { rows } = await pool.query<Inbox>(
    `select person_id, i.unread as kept, (
       select count(*) from ops.notifications n
       where n.person_id = i.person_id and n.deleted_at is null and n.read_at is null) as counted
     from ops.notification_inboxes i order by person_id`,
  );
  return rows;
};
const expectKept = async (pool: Pool): Promise<Inbox[]> => {
  const all = await inboxes(pool);
  expect(all.filter(({ kept, counted }) => kept !== counted)).toEqual([]);
  return all;
};

let version = 0;
const anyKey = (): string => `${below(random, KEYS)}`;
const tellNewer = (to: string) => {
  version += 1;
  const notices = [{ to, params: { change: 'password' }, version, key: anyKey() }];
  return addNotices(node, { declaration: security, notices, key: '', at: now(), correlationId: randomUUID() });
};
const seenOf = (person: string) => [
  { id: notificationId(security.name, person, anyKey()), version: version - below(random, 20) },
];
const anyOfList = async (person: string): Promise<string> =>
  (await listOf(person)).at(below(random, KEYS))?.id ?? randomUUID();
/** As if a notification was told more than a year ago. */
const age = (person: string) =>
  stores.pool.query(`update ops.notifications set at = at - interval '400 days' where id = $1`, [
    notificationId(security.name, person, anyKey()),
  ]);

const CHANGES: readonly ((person: string) => Promise<unknown>)[] = [
  tellNewer,
  tellNewer,
  (person) => stage.tell(person, anyKey()),
  async (person) => markRead(node, now(), person, await anyOfList(person)),
  async (person) => deleteNotification(node, now(), person, await anyOfList(person)),
  (person) => markAllRead(node, now(), person, below(random, 2) === 0 ? undefined : below(random, 100)),
  (person) => settle(node, now(), seenOf(person)),
  (person) => takeBack(node, now(), seenOf(person)),
  age,
  () => pruneNotifications(stores.pool),
];

it('after changes of every kind, many at once', async () => {
  const people: string[] = [];
  for (let n = 0; n < PEOPLE; n += 1) people.push(await open(`Anna ${n}`));
  const seen = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    stage.pass(60);
    const changes = Array.from({ length: AT_ONCE }, () => anyOf(random, CHANGES)(anyOf(random, people)));
    const erased = round % 5 === 4 ? people.splice(0, 1) : [];
    await Promise.all([...changes, ...erased.map(erase)]);
    for (const _ of erased) people.push(await open('Boris'));
    for (const { kept } of await expectKept(stores.pool)) seen.add(kept);
    // As a process of before deletes what is too old.
    await stores.pool.query(`delete from ops.notifications where at < now() - interval '365 days'`);
    await expectKept(stores.pool);
  }
  expect(seen.size).toBeGreaterThan(3);
  for (const person of people) {
    const { rowCount } = await stores.pool.query(
      'select from ops.notifications where person_id = $1 and deleted_at is null and read_at is null',
      [person],
    );
    expect(await unread(person)).toBe(rowCount);
  }
});

/** A database of its own. */
const another = async (options?: { isEmpty: boolean }): Promise<Pool> => {
  const { url, drop } = await freshDatabase(options);
  const pool = createPool(url, { max: 2, applicationName: 'another', log: stores.log });
  endsWithSpec(async () => {
    await pool.end();
    await drop();
  });
  return pool;
};

it('after a restore', async () => {
  const person = await open('Anna');
  for (const key of ['a', 'b', 'c']) await stage.tell(person, key);
  const other = await another();
  const tables = (await keptTables(stores.pool)).filter(({ name }) => name.startsWith('notification'));
  await inTransaction(stores.pool, async (from) => {
    for (const table of tables) await inTransaction(other, (to) => loadRows(to, table.name, rowLines(from, table)));
  });
  expect(await expectKept(other)).toEqual(await inboxes(stores.pool));
  await other.query('update ops.notifications set read_at = now() where person_id = $1', [person]);
  expect((await expectKept(other)).find(({ person_id }) => person_id === person)?.kept).toBe(0);
});

it('after an upgrade from before it was kept', async () => {
  const old = await another({ isEmpty: true });
  const isNew = (step: string) => /_notifications_(unread_kept|lists_by_index)$/.test(step);
  const before = allMigrations.map(({ steps }) => ({
    steps: Object.fromEntries(Object.entries(steps).filter(([step]) => !isNew(step))),
  }));
  await migrateOps(old, before);
  await old.query(
    `insert into ops.notification_inboxes (person_id, last_seq)
       select md5(p::text)::uuid, 20 from generate_series(1, 20) p;
     insert into ops.notifications (id, person_id, seq, name, kind, params, at, version, count, read_at, deleted_at)
       select gen_random_uuid(), md5(p::text)::uuid, n, 'x', 'chat', '{}', now(), 0, 0,
         case when (n + p) % 3 = 0 then now() end, case when n % 4 = 0 then now() end
       from generate_series(1, 20) p, generate_series(1, p) n`,
  );
  await migrateOps(old, allMigrations);
  expect((await expectKept(old)).map(({ kept }) => kept).toSorted((a, b) => b - a)[0]).toBeGreaterThan(8);
});
