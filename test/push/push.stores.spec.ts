/** Messages to the devices of one person, on real stores and the push services of the sandbox. */

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseRows } from '../../commands/core/erasure.ts';
import { devicesOf, forgetDevices, MOST_DEVICES, registerDevice } from '../../commands/push/devices.ts';
import { deleteNamed } from '../../commands/push/erasure.ts';
import { pushTo } from '../../commands/push/pushTo.ts';
import { prunePush, pushMigrations } from '../../commands/push/tables.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { inTables } from '../kit/personalData.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { messageOf, type Stage, startStage } from './stage.ts';

let stores: Stores;
let stage: Stage;
let worker: ReturnType<Stage['deliver']>;
beforeAll(async () => {
  stores = await freshStores();
  stage = await startStage(stores);
  worker = stage.deliver();
});
afterAll(async () => {
  await worker.stop();
});
beforeEach(() => stage.plan({ count: 0 }));

const titles = async (token: string): Promise<string[]> => (await stage.received(token)).map(({ title }) => title);
const settled = (id: string) =>
  until(async () => {
    const outcomes = await stage.outcomes(id);
    return Object.keys(outcomes).length > 0 && !outcomes.waiting && outcomes;
  });

/** Whether a device was told of it in vain. */
const wasAttempted = async (id: string): Promise<boolean> => {
  const sql = 'select from ops.push_deliveries where message_id = $1 and reason is not null';
  return (await stores.pool.query(sql, [id])).rowCount !== 0;
};

it('reaches every device of the person, once', async () => {
  const anna = await stage.person();
  const devices = [await stage.android(anna), await stage.iphone(anna), await stage.browser(anna)];
  const other = await stage.android(await stage.person());
  const message = messageOf('Оплачено', { collapseKey: 'booking 1' });
  await Promise.all([pushTo(stage.node, anna.personId, message), pushTo(stage.node, anna.personId, message)]);
  expect(await settled(message.id)).toEqual({ delivered: 3 });
  await pushTo(stage.node, anna.personId, message);
  for (const { token } of devices) {
    const [arrived, ...more] = await stage.received(token);
    expect(arrived).toMatchObject({
      title: 'Оплачено',
      body: message.body,
      link: message.link,
      kind: 'booking',
      urgency: 'high',
      id: message.id,
    });
    expect(more).toEqual([]);
  }
  expect(await titles(other.token)).toEqual([]);
});

it('registers nothing while the event store is away', async () => {
  const anna = await stage.person();
  const load = () => Promise.reject(new StoreUnavailable('away'));
  const away = changed(stage.node, { aggregates: { ...stage.node.aggregates, load } });
  const device = { platform: 'android', environment: 'production', appVersion: null, language: null } as const;
  const registered = registerDevice(away, anna, { ...device, token: 'not-a-secret-of-a-phone-somewhere' });
  await expect(registered).rejects.toThrow(StoreUnavailable);
  expect(await devicesOf(stores.pool, anna.personId)).toEqual([]);
});

it('moves a token to the person who is signed in, and ends with the sign-in', async () => {
  const [anna, boris] = [await stage.person(), await stage.person()];
  const { token } = await stage.android(anna);
  const queued = messageOf('for Anna, before');
  await stage.plan({ service: 'fcm', count: 1, answer: 'error' });
  await pushTo(stage.node, anna.personId, queued);
  await until(() => wasAttempted(queued.id));
  await stage.android(boris, { token });
  expect(await devicesOf(stores.pool, anna.personId)).toEqual([]);
  const message = messageOf('for Boris');
  await pushTo(stage.node, anna.personId, messageOf('for Anna'));
  await pushTo(stage.node, boris.personId, message);
  expect(await settled(message.id)).toEqual({ delivered: 1 });
  // What was queued for the former person never reaches the next one.
  expect(await settled(queued.id)).toEqual({ gone: 1 });
  expect(await titles(token)).toEqual(['for Boris']);

  await stage.endSession(boris);
  const late = messageOf('after the sign-out');
  await pushTo(stage.node, boris.personId, late);
  expect(await settled(late.id)).toEqual({ gone: 1 });
  expect(await devicesOf(stores.pool, boris.personId)).toEqual([]);
});

it('forgets what the person takes back, and keeps a bounded number of devices', async () => {
  const anna = await stage.person();
  const first = await stage.android(anna);
  for (let n = 0; n < MOST_DEVICES; n += 1) await stage.android(anna);
  const devices = await devicesOf(stores.pool, anna.personId);
  expect(devices).toHaveLength(MOST_DEVICES);
  expect(devices.map(({ id }) => id)).not.toContain(first.id);
  const browser = await stage.browser(anna);
  const { address } = stage.sandbox;
  await forgetDevices(stage.node, anna, `${address}/push/web/${browser.token}`);
  expect((await devicesOf(stores.pool, anna.personId)).map(({ id }) => id)).not.toContain(browser.id);
  await forgetDevices(stage.node, anna, undefined);
  expect(await devicesOf(stores.pool, anna.personId)).toEqual([]);
});

it('forgets a dead token, but not one that was refused', async () => {
  const anna = await stage.person();
  const [android, iphone, browser] = [await stage.android(anna), await stage.iphone(anna), await stage.browser(anna)];
  const known = async () => (await devicesOf(stores.pool, anna.personId)).map(({ id }) => id).sort();
  await stage.plan({ service: 'fcm', count: 1, answer: 'bad_token' });
  const refused = messageOf('refused');
  await pushTo(stage.node, anna.personId, refused);
  expect(await settled(refused.id)).toEqual({ delivered: 2, refused: 1 });
  expect(await known()).toEqual([android.id, iphone.id, browser.id].sort());

  await stage.plan({ count: 3, answer: 'unregistered' });
  const dead = messageOf('dead');
  await pushTo(stage.node, anna.personId, dead);
  expect(await settled(dead.id)).toEqual({ dead: 3 });
  expect(await known()).toEqual([]);

  const again = await stage.iphone(anna);
  await stage.plan({ service: 'apns', count: 1, answer: 'bad_token' });
  const bad = messageOf('bad');
  await pushTo(stage.node, anna.personId, bad);
  expect(await settled(bad.id)).toEqual({ dead: 1 });
  expect(await known()).not.toContain(again.id);
});

it('forgets a browser for a bare 404 only when it is said again a day later, and nothing was delivered since', async () => {
  const anna = await stage.person();
  const browser = await stage.browser(anna);
  /** What becomes of a message that expires once it was attempted. */
  const send = async (name: string, isRefused = true) => {
    await stage.plan({ service: 'web', count: isRefused ? 1_000 : 0, answer: 'bad_token' });
    const message = messageOf(name, {}, 600_000);
    await pushTo(stage.node, anna.personId, message);
    if (!isRefused) return settled(message.id);
    await until(() => wasAttempted(message.id));
    await stores.pool.query('update ops.push_messages set expires_at = now() where id = $1', [message.id]);
    await stores.pool.query('update ops.push_deliveries set next_at = now() where message_id = $1', [message.id]);
    await stores.pool.query(`select pg_notify('push', '')`);
    return settled(message.id);
  };
  const device = async () => {
    const sql = 'select doubted_at is not null as is_doubted from ops.push_devices where id = $1';
    return (await stores.pool.query<{ is_doubted: boolean }>(sql, [browser.id])).rows[0]?.is_doubted ?? 'gone';
  };
  const aDayPasses = () =>
    stores.pool.query("update ops.push_devices set doubted_at = doubted_at - interval '25 hours' where id = $1", [
      browser.id,
    ]);
  expect(await send('first')).toEqual({ expired: 1 });
  expect(await device()).toBe(true);
  expect(await send('at once')).toEqual({ expired: 1 });
  expect(await device()).toBe(true);
  await aDayPasses();
  expect(await send('delivered', false)).toEqual({ delivered: 1 });
  expect(await device()).toBe(false);
  expect(await send('second')).toEqual({ expired: 1 });
  await aDayPasses();
  expect(await send('a day later')).toEqual({ dead: 1 });
  expect(await device()).toBe('gone');
});

it('waits while a service is away, and gives up when the message has expired', async () => {
  const [anna, boris] = [await stage.person(), await stage.person()];
  const [android, iphone] = [await stage.android(anna), await stage.iphone(anna)];
  await stage.android(boris);
  await stage.plan({ service: 'fcm', count: 1_000, answer: 'error' });
  const [kept, short] = [messageOf('kept'), messageOf('short', {}, 800)];
  await pushTo(stage.node, anna.personId, kept);
  await pushTo(stage.node, boris.personId, short);
  expect(await settled(short.id)).toEqual({ expired: 1 });
  // Another service is not delayed by it.
  await until(async () => (await stage.outcomes(kept.id)).delivered === 1);
  expect(await titles(iphone.token)).toEqual(['kept']);
  expect(await stage.outcomes(kept.id)).toEqual({ delivered: 1, waiting: 1 });
  await stage.plan({ count: 0 });
  expect(await settled(kept.id)).toEqual({ delivered: 2 });
  expect(await titles(android.token)).toEqual(['kept']);
});

it('repeats after as long as the service asks for, and after no answer', async () => {
  const anna = await stage.person();
  const [android, browser] = [await stage.android(anna), await stage.browser(anna)];
  await stage.plan({ service: 'fcm', count: 1, answer: 'too_many', retry_after_s: 1 });
  const asked = Date.now();
  const first = messageOf('later');
  await pushTo(stage.node, anna.personId, first);
  expect(await settled(first.id)).toEqual({ delivered: 2 });
  const [arrived] = await stage.received(android.token);
  expect(Date.parse(arrived?.at ?? '') - asked).toBeGreaterThanOrEqual(950);

  await stage.plan({ service: 'web', count: 1, answer: 'silence' });
  const second = messageOf('unanswered');
  await pushTo(stage.node, anna.personId, second);
  expect(await settled(second.id)).toEqual({ delivered: 2 });
  expect(await titles(browser.token)).toEqual(['later', 'unanswered']);
});

const textsOf = async (id: string) =>
  (await stores.pool.query<{ texts: object }>('select texts from ops.push_messages where id = $1', [id])).rows;

it('forgets the words once they are settled on every device', async () => {
  const anna = await stage.person();
  const [android] = [await stage.android(anna), await stage.iphone(anna)];
  await stage.plan({ service: 'fcm', count: 1_000, answer: 'error' });
  const message = messageOf('Boris P.');
  await pushTo(stage.node, anna.personId, message);
  await until(async () => (await stage.outcomes(message.id)).delivered === 1);
  expect(JSON.stringify(await textsOf(message.id))).toContain('Boris P.');
  await stage.plan({ count: 0 });
  expect(await settled(message.id)).toEqual({ delivered: 2 });
  expect(await titles(android.token)).toEqual(['Boris P.']);
  await until(async () => isDeepStrictEqual(await textsOf(message.id), [{ texts: {} }]));
});

it('keeps no words for somebody without a device', async () => {
  const message = messageOf('Boris P.');
  await pushTo(stage.node, randomUUID(), message);
  expect(await textsOf(message.id)).toEqual([{ texts: {} }]);
});

it('forgets the words of an expired message whose worker died before it could', async () => {
  const id = randomUUID();
  await stores.pool.query(
    `insert into ops.push_messages (id, person_id, kind, texts, link, urgency, expires_at)
     values ($1, $2, 'chat', '{"any": {"title": "Boris P.", "body": ""}}', '/', 'normal', now())`,
    [id, randomUUID()],
  );
  await prunePush(stores.pool);
  expect(await textsOf(id)).toEqual([{ texts: {} }]);
});

describe('a message that waits and names somebody else', () => {
  const waiting = async (ofPerson: string): Promise<string> => {
    const anna = await stage.person();
    await stage.android(anna);
    await stage.plan({ service: 'fcm', count: 1_000, answer: 'error' });
    const message = messageOf('Boris P.', { ofPerson });
    await pushTo(stage.node, anna.personId, message);
    return message.id;
  };
  const left = async (id: string): Promise<object> => [await textsOf(id), await stage.outcomes(id)];

  it('is deleted when they are erased, and the others stay', async () => {
    const [boris, other] = [randomUUID(), randomUUID()];
    const [erased, kept] = [await waiting(boris), await waiting(other)];
    await deleteNamed(stage.node, contextOf(boris), boris);
    expect(await left(erased)).toEqual([[], {}]);
    expect(JSON.stringify(await left(kept))).toContain('Boris P.');
  });

  it('is deleted also when a request that was under way has queued it after that', async () => {
    const boris = randomUUID();
    await stores.pool.query('insert into ops.erasures (person_id, requested_at, done_at) values ($1, now(), now())', [
      boris,
    ]);
    const id = await waiting(boris);
    await prunePush(stores.pool);
    expect(await left(id)).toEqual([[], {}]);
  });
});

it('shows a person what is held, without tokens, and erases it', async () => {
  const anna = await stage.person();
  const { token } = await stage.android(anna);
  await stage.plan({ service: 'fcm', count: 1_000, answer: 'error' });
  const message = messageOf('secret greeting');
  await pushTo(stage.node, anna.personId, message);
  const held = await inTables(stores.pool, [pushMigrations], anna.personId);
  expect(Object.keys(held).sort()).toEqual([
    'ops.push_deliveries',
    'ops.push_devices',
    'ops.push_messages',
    'ops.push_people',
  ]);
  expect(JSON.stringify(held)).toContain('secret greeting');
  expect(JSON.stringify(held)).not.toContain(token);
  await eraseRows(stores.pool, [pushMigrations], anna.personId, randomUUID());
  expect(await inTables(stores.pool, [pushMigrations], anna.personId)).toEqual({});
});

it('messages and what became of them are forgotten 30 days after they have expired', async () => {
  const anna = await stage.person();
  await stage.android(anna);
  const [old, fresh] = [messageOf('Старое'), messageOf('Новое')];
  for (const message of [old, fresh]) {
    await pushTo(stage.node, anna.personId, message);
    await settled(message.id);
  }
  await stores.pool.query(`update ops.push_messages set expires_at = now() - interval '31 days' where id = $1`, [
    old.id,
  ]);
  await prunePush(stores.pool);
  for (const [table, column] of [
    ['ops.push_messages', 'id'],
    ['ops.push_deliveries', 'message_id'],
  ]) {
    const { rows } = await stores.pool.query(`select ${column} as id from ${table} where person_id = $1`, [
      anna.personId,
    ]);
    expect(rows).toEqual([{ id: fresh.id }]);
  }
});
