/** The lists of notifications on the real stores: counts under races, reading, deleting, erasure. */

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { PRICE_DROPPED } from '../../commands/favorites/notifications.ts';
import { invite } from '../../commands/friends/friends.ts';
import { moduleMigrations, notificationDeclarations } from '../../commands/modules.ts';
import { deleteNotification, markAllRead, markRead } from '../../commands/notifications/inbox.ts';
import { changePreferences } from '../../commands/notifications/preferences.ts';
import { pruneNotifications } from '../../commands/notifications/prune.ts';
import { inTables } from '../kit/personalData.ts';
import { freshStores } from '../kit/stores.ts';
import { createNotificationStage } from './stage.ts';

const stores = await freshStores();
const stage = createNotificationStage(stores);
const { now, start, node, by, open, listOf, unread, toldLive, tell, work, erase } = stage;
beforeEach(() => stage.pass(3_600));

describe('the list', () => {
  it('stays the same when an event is handled again, also after its notification was deleted', async () => {
    const person = await open('Anna');
    await Promise.all(Array.from({ length: 20 }, (_, n) => tell(person, `${n % 5}`)));
    const list = await listOf(person);
    expect(list).toHaveLength(5);
    expect(new Set(list.map(({ seq }) => seq)).size).toBe(5);
    expect(await deleteNotification(node, now(), person, list[0]?.id ?? '')).toBe(true);
    await Promise.all(Array.from({ length: 5 }, (_, n) => tell(person, `${n}`)));
    expect((await listOf(person)).map(({ id }) => id)).toEqual(list.slice(1).map(({ id }) => id));
    expect(await deleteNotification(node, now(), person, list[0]?.id ?? '')).toBe(false);
  });

  it('counts right while notifications come, are read, deleted and marked as read', async () => {
    const person = await open('Anna');
    await Promise.all(Array.from({ length: 30 }, (_, n) => tell(person, `${n}`)));
    const list = await listOf(person);
    const idOf = (n: number): string => list[n]?.id ?? '';
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => markRead(node, now(), person, idOf(n))),
      ...Array.from({ length: 5 }, (_, n) => markRead(node, now(), person, idOf(n))),
      ...Array.from({ length: 5 }, (_, n) => deleteNotification(node, now(), person, idOf(5 + n))),
      ...Array.from({ length: 10 }, (_, n) => tell(person, `later ${n}`)),
      markAllRead(node, now(), person, list[20]?.seq),
    ]);
    // Of 40, five were read, five deleted, and ten read by their numbers.
    expect(await unread(person)).toBe(20);
    const inboxes = (await toldLive(person)).filter(({ type }) => type === 'notification_inbox.updated');
    expect(inboxes.at(-1)?.data).toMatchObject({ unread: 20, read_up_to: list[20]?.seq });
    expect(await markAllRead(node, now(), person, undefined)).toMatchObject({ unread: 0 });
    expect(await unread(person)).toBe(0);
  });

  it('belongs to its person', async () => {
    const [anna, boris] = [await open('Anna'), await open('Boris')];
    await tell(anna, 'x');
    const [told] = await listOf(anna);
    expect(await markRead(node, now(), boris, told?.id ?? '')).toBeUndefined();
    expect(await deleteNotification(node, now(), boris, told?.id ?? '')).toBe(false);
    expect(await unread(anna)).toBe(1);
  });

  it('forgets after a year', async () => {
    const person = await open('Anna');
    await tell(person, 'x');
    await stores.pool.query(`update ops.notifications set at = now() - interval '366 days' where person_id = $1`, [
      person,
    ]);
    await pruneNotifications(stores.pool);
    expect(await listOf(person)).toEqual([]);
  });
});

const priceDropped = notificationDeclarations.find(({ name }) => name === PRICE_DROPPED);

it('what an erased seller called something is told nobody, before or after', async () => {
  const [anna, seller] = [await open('Anna'), await open('Boris')];
  const thing = { type: 'hotel', id: randomUUID(), title: 'Edelweiss', owner_id: seller };
  const tellOfIt = (key: string) =>
    tell(anna, key, now(), priceDropped, { ...thing, price_minor: 100_00, currency: 'RUB' });
  await tellOfIt('before');
  expect(JSON.stringify(await listOf(anna))).toContain('Edelweiss');
  await erase(seller);
  await tellOfIt('after');
  const told = await listOf(anna);
  expect(told).toHaveLength(2);
  expect(JSON.stringify(told)).not.toContain('Edelweiss');
  const { rows } = await stores.pool.query('select params from ops.notifications where person_id = $1', [anna]);
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain('Edelweiss');
});

it('an erased person has no notifications, gets none any more, and is not named in those of others', async () => {
  const [anna, boris] = [await open('Anna'), await open('Boris')];
  await invite(node, by(anna), { by: anna, other: boris }, 'id');
  await tell(anna, 'x');
  await changePreferences(node, anna, { chat: false });
  await work();
  expect(Object.keys(await inTables(stores.pool, moduleMigrations, anna))).toEqual(
    expect.arrayContaining(['ops.notifications', 'ops.notification_preferences']),
  );
  await erase(anna);
  await tell(anna, 'y');
  expect(Object.keys(await inTables(stores.pool, moduleMigrations, anna))).not.toContain('ops.notifications');
  const left = await stores.pool.query('select 1 from ops.notifications where person_id = $1', [anna]);
  expect(left.rowCount).toBe(0);
  // Another process, as the caches of this one are told in the running system.
  expect(JSON.stringify(await listOf(boris, start()))).not.toContain('Anna');
});
