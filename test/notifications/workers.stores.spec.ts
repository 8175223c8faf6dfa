/** More than a thousand notifications while workers die and are replaced: each person has each of them exactly once. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { sendMessage } from '../../commands/chat/messages.ts';
import { startGroup } from '../../commands/chat/threads.ts';
import { startWorker, type Worker } from '../../commands/core/worker.ts';
import { notificationDeclarations } from '../../commands/modules.ts';
import { notifications } from '../../commands/notifications/index.ts';
import { notificationPolicy } from '../../commands/notifications/policy.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { withDevice } from './device.ts';

const MEMBERS = 41;
const MESSAGES = 30;
/** All but the sender are mentioned. */
const MENTIONS = (MEMBERS - 1) * MESSAGES;

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
});

const startNode = (): Node => testDeps(stores);
const policies = [notificationPolicy(notificationDeclarations)];

/** A worker that dies within a transaction, after so many have ended, and cannot reach anything afterwards. */
const dyingAfter = (node: Node, writes: number): { readonly node: Node; readonly isDead: () => boolean } => {
  let left = writes;
  const dead = () => Promise.reject(new StoreUnavailable('this process is dead'));
  const load: Node['aggregates']['load'] = (...asked) => (left < 0 ? dead() : node.aggregates.load(...asked));
  const publish: Node['publish'] = (...told) => {
    left -= 1;
    return left < 0 ? dead() : node.publish(...told);
  };
  return { node: changed(node, { publish, aggregates: { ...node.aggregates, load } }), isDead: () => left < 0 };
};
const begin = (node: Node): Worker => startWorker(node, policies, notifications.jobs);

const count = async (where: string): Promise<number> =>
  (await stores.pool.query<{ count: number }>(`select count(*) from ${where}`)).rows[0]?.count ?? 0;
const MENTIONED = `ops.notifications where name = 'chat_mention'`;

it('tells each person each thing once while workers die', async () => {
  const node = startNode();
  const people = await Promise.all(
    Array.from({ length: MEMBERS }, async () => {
      const details = { role: 'tourist', phone: newPhone(), firstName: 'Anna' } as const;
      return withDevice(node, (await openAccount(node, contextOf(randomUUID()), details)).accountId);
    }),
  );
  const [sender = '', ...others] = people;
  const by = () => contextOf(sender);
  const { threadId } = await startGroup(node, by(), sender, { title: 'Skiers', memberIds: others });
  const message = { threadId, kind: 'text', body: '', replyTo: null, attachments: [], clientMessageId: null } as const;

  const dying = [dyingAfter(startNode(), 1), dyingAfter(startNode(), 2)];
  const workers = dying.map((each) => begin(each.node));
  for (let n = 0; n < MESSAGES; n += 1)
    await sendMessage(
      node,
      by(),
      { accountId: sender, isAgent: false },
      { ...message, body: `${n}`, mentions: others },
    );
  await until(() => dying.some(({ isDead }) => isDead()));
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(await count(MENTIONED)).toBeLessThan(MENTIONS);
  // What the dead could not do waits for its next attempt, and the group for the end of its half minute.
  await stores.pool.query('update ops.jobs set run_at = now(), claimed_until = now()');
  const last = begin(startNode());
  await until(async () => {
    const done = (await count(MENTIONED)) === MENTIONS && (await count(`ops.jobs where kind <> 'push_lane'`)) === 0;
    return done && (await count(`ops.notifications where name = 'chat_messages'`)) === MEMBERS - 1;
  });
  await last.stop();

  expect(await count(MENTIONED)).toBe(MENTIONS);
  const { rows } = await stores.pool.query<{ mentions: number; numbers: number; chats: number }>(
    `select count(*) filter (where name = 'chat_mention') as mentions, count(distinct seq) as numbers,
       count(*) filter (where name = 'chat_messages') as chats
     from ops.notifications group by person_id`,
  );
  expect(rows).toHaveLength(MEMBERS - 1);
  for (const row of rows) expect(row).toEqual({ mentions: MESSAGES, numbers: MESSAGES + 1, chats: 1 });
  const { rows: counts } = await stores.pool.query('select distinct count from ops.notifications where count > 0');
  expect(counts).toEqual([{ count: MESSAGES }]);
  const { rows: pushes } = await stores.pool.query<{ pushes: number }>(
    'select count(*) as pushes from ops.push_messages group by person_id',
  );
  expect(pushes).toHaveLength(MEMBERS - 1);
  // One for each mention. The chat is only listed: its last message has told them already.
  for (const { pushes: each } of pushes) expect(each).toBe(MESSAGES);
});
