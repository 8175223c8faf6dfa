/** What an erased person leaves in the chats of others. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { sendMessage } from '../../commands/chat/messages.ts';
import { startGroup, startP2p } from '../../commands/chat/threads.ts';
import { erasePerson } from '../../commands/core/erasure.ts';
import { type CommandDeps, moduleErasures } from '../../commands/modules.ts';
import { createTombstones } from '../../infra/tombstones.ts';
import { allMigrations } from '../../ops/tables.ts';
import { accounts } from '../../projections/accounts/accounts.ts';
import { chatFor } from '../../projections/chat/chats.ts';
import { pageOfMessages, showMessages } from '../../projections/chat/messages.ts';
import { threads } from '../../projections/chat/threads.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { groups as allGroups } from '../../projections/modules.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { startProjector } from '../kit/projector.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

const groups = allGroups.filter(({ models }) => [threads, accounts].some((model) => models.includes(model)));
let stores: Stores;
let node: Node;
beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores);
  await startProjector({ ...node, groups });
});

const person = async (): Promise<string> =>
  (await openAccount(node, contextOf(randomUUID()), { role: 'tourist', phone: newPhone() })).accountId;
const erase = async (id: string): Promise<void> => {
  const folder = path.join(tmpdir(), `resort-tombstones-${randomUUID()}`);
  const tombstones = createTombstones(folder);
  const plan = { modules: moduleErasures, tables: allMigrations, tombstones };
  await erasePerson<CommandDeps>(node, plan, id);
  await rm(folder, { recursive: true });
};
const send = (threadId: string, from: string, mentions: string[] = []) => {
  const text = { kind: 'text', body: 'Hello', attachments: [], replyTo: null, clientMessageId: null } as const;
  return sendMessage(node, contextOf(from), { accountId: from, isAgent: false }, { threadId, mentions, ...text });
};
const seenBy = async (accountId: string, threadId: string) => {
  const db = readDb(stores.pool);
  const chat = (await chatFor(db, threadId, { accountId, role: 'tourist' }))?.toJSON();
  const shown = await showMessages(db, (await pageOfMessages(db, threadId, {}, 10)).rows);
  return { chat, messages: shown.map((message) => message.toJSON()) };
};

it('their messages are not unread and mention nobody', async () => {
  const [anna, boris] = [await person(), await person()];
  const { threadId } = await startGroup(node, contextOf(anna), anna, { title: 'Ski', memberIds: [boris] });
  await send(threadId, anna, [boris]);
  await send(threadId, anna);
  await until(async () => (await seenBy(boris, threadId)).chat?.unread_count === 2);
  await erase(anna);
  const isErased = ({ deletion }: { deletion: unknown }) => deletion === 'erased';
  await until(async () => (await seenBy(boris, threadId)).messages.every(isErased));
  const { chat, messages } = await seenBy(boris, threadId);
  expect(chat).toMatchObject({ unread_count: 0, mention_count: 0, last_seq: 2 });
  expect(messages.map(({ mentions }) => mentions)).toEqual([[], []]);
});

it('nobody writes to them or starts a chat with them any more, and what was written can be read', async () => {
  const [anna, boris, vera] = [await person(), await person(), await person()];
  const { threadId } = await startP2p(node, contextOf(anna), anna, boris);
  await send(threadId, boris);
  await erase(anna);
  const gone = { code: 'not_found', message: 'This account does not exist.' };
  await expect(send(threadId, boris)).rejects.toMatchObject({
    code: 'forbidden',
    message: 'The account of this person was deleted. You can only read this chat.',
  });
  for (const by of [boris, vera]) await expect(startP2p(node, contextOf(by), by, anna)).rejects.toMatchObject(gone);
  // The chat is shown before what was written in it.
  await until(async () => (await seenBy(boris, threadId)).messages.length > 0);
  expect((await seenBy(boris, threadId)).messages).toMatchObject([{ body: 'Hello', deletion: null }]);
});
