/** What telling, counting and listing read does not grow with how much a person has been told, read or deleted before. */
import { beforeAll, expect, it } from 'vitest';
import { notificationId } from '../../commands/notifications/addNotifications.ts';
import { inboxOf, markAllRead, markRead } from '../../commands/notifications/inbox.ts';
import { settle, takeBack, unreadUpTo } from '../../commands/notifications/settleNotifications.ts';
import { createPool } from '../../infra/postgres.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { type NotificationFilter, pageOfNotifications } from '../../projections/notifications/notifications.ts';
import { endsWithSpec } from '../kit/ending.ts';
import { freshStores } from '../kit/stores.ts';
import { createNotificationStage, security } from './stage.ts';

const MANY = 10_000;
const FEW = 10;
const THREAD = '00000000-0000-4000-8000-000000000001';
const OTHER_THREAD = '00000000-0000-4000-8000-000000000002';

const stores = await freshStores();
// One connection: its counts of what it has read are complete when it says so.
const pool = createPool(stores.databaseUrl, { max: 1, applicationName: 'counted', log: stores.log });
endsWithSpec(() => pool.end());
const { node, now, open, tell } = createNotificationStage({ ...stores, pool });

/** People with so many unread, read and deleted notifications of one kind, and two of another kind in between. */
const withNotifications = async (unread: number): Promise<string> => {
  const person = await open('Anna');
  await stores.pool.query(
    `with told as (
       select state, n, row_number() over (order by n, state) as seq
       from generate_series(1, $2::int) n, unnest('{unread,read,deleted}'::text[]) state
     ), inbox as (insert into ops.notification_inboxes (person_id, last_seq) select $1, count(*) from told)
     insert into ops.notifications (id, person_id, seq, name, kind, params, at, version, count, read_at, deleted_at)
     select gen_random_uuid(), $1, seq, 'chat_mention', case when n in (2, 4) then 'friend' else 'chat' end,
       jsonb_build_object('thread_id', case when n in (2, 4) then $3 else $4 end, 'seq', n), now(), 0, 0,
       case when state = 'read' then now() end, case when state = 'deleted' then now() end from told`,
    [person, unread, THREAD, OTHER_THREAD],
  );
  return person;
};

let few: string;
let many: string;
beforeAll(async () => {
  few = await withNotifications(FEW);
  many = await withNotifications(MANY);
  await stores.pool.query('analyze ops.notifications, ops.notification_inboxes');
});

const rowsRead = async (): Promise<number> => {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await stores.pool.query<{ rows: number }>(
    `select (select sum(seq_tup_read) from pg_stat_user_tables where relname like 'notification%')::int
       + (select sum(idx_tup_read) from pg_stat_user_indexes where relname like 'notification%')::int as rows`,
  );
  return rows[0]?.rows ?? 0;
};

const cost = async (work: () => Promise<unknown>): Promise<number> => {
  const before = await rowsRead();
  await work();
  return (await rowsRead()) - before;
};

const named = (person: string, key: string) => [{ id: notificationId(security.name, person, key), version: 0 }];
const page = (filter: Partial<NotificationFilter>) => (person: string) =>
  pageOfNotifications(readDb(pool), person, { unread: false, kind: undefined, before: undefined, ...filter }, 2);

const REQUESTS: Readonly<Record<string, (person: string) => Promise<unknown>>> = {
  'to tell something': (person) => tell(person, 'told'),
  'to read it': (person) => markRead(node, now(), person, named(person, 'told')[0]?.id ?? ''),
  'to tell something that is seen in another way': async (person) => {
    await tell(person, 'settled');
    await settle(node, now(), named(person, 'settled'));
  },
  'to tell something that is taken back': async (person) => {
    await tell(person, 'taken back');
    await takeBack(node, now(), named(person, 'taken back'));
  },
  'to find what a chat settles': (person) =>
    unreadUpTo(pool, { name: 'chat_mention', to: person, about: { thread_id: THREAD }, upToSeq: 3 }),
  'to count what is unread': (person) => inboxOf(node, person),
  'to mark the first as read': (person) => markAllRead(node, now(), person, 1),
  'to list': page({}),
  'to list from the middle on': page({ before: 12 }),
  'to list one kind': page({ kind: 'friend' }),
  'to list what is unread': page({ unread: true }),
  'to list what is unread of one kind': page({ unread: true, kind: 'friend' }),
};

it.each(Object.entries(REQUESTS))('%s reads as much for few as for many', async (_, request) => {
  const ofFew = await cost(() => request(few));
  // As it is after many requests: with the plan that is kept for any person.
  await pool.query(`set plan_cache_mode = force_generic_plan`);
  const ofMany = await cost(() => request(many));
  expect(ofFew).toBeGreaterThan(0);
  expect(ofMany).toBeLessThanOrEqual(ofFew + 5);
});
