/** Two requests that send one message at the same time, with different files. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messageIdOf, sendMessage } from '../../commands/chat/messages.ts';
import { startGroup } from '../../commands/chat/threads.ts';
import type { Position } from '../../domain/core/decider.ts';
import { file } from '../../domain/files/file.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';

let servers: StoreServers;
let stores: Stores;
let node: Node;
beforeAll(async () => {
  servers = await startStoreServers();
  stores = await servers.fresh();
  node = testDeps(stores);
});
afterAll(async () => {
  await stores.stop();
  await servers.stop();
});

const ANNA = randomUUID();
const anna = { accountId: ANNA, isAgent: false };

const uploaded = async (): Promise<string> => {
  const id = randomUUID();
  const media = { width: null, height: null, durationS: null, thumbnailSize: null };
  const upload = { ownerId: ANNA, folder: 'chat', mime: 'application/pdf', size: 1, sha256: '', ...media } as const;
  await node.aggregates.handle(file, id, { type: 'RecordUpload', upload }, contextOf(ANNA));
  return id;
};
const usageOf = async (id: string) => {
  const { state } = await node.aggregates.load(file, id);
  return state.status === 'none' ? undefined : state.usage;
};
const started = async () => {
  const { threadId } = await startGroup(node, contextOf(ANNA), ANNA, { title: 'Ski', memberIds: [] });
  const text = { threadId, kind: 'text', body: 'Map', mentions: [], replyTo: null, clientMessageId: 'mine' } as const;
  return {
    messageId: messageIdOf(contextOf(ANNA), anna, text),
    send: (by: Node, attachments: string[], context = contextOf(ANNA)) =>
      sendMessage(by, context, anna, { ...text, attachments }),
  };
};

it('the message keeps its files, and those of the other request are free', async () => {
  const { send, messageId } = await started();
  const [first, second, both] = [await uploaded(), await uploaded(), await uploaded()];
  /** Its files are attached, then the other request is faster. */
  const slow: Node = {
    ...node,
    aggregates: {
      ...node.aggregates,
      handle: async (decider, id, command, context) => {
        if (command.type === 'SendMessage') await send(testDeps(stores), [first, both]);
        return node.aggregates.handle(decider, id, command, context);
      },
    },
  };
  expect(await send(slow, [both, second])).toBeNull();
  for (const id of [first, both]) expect(await usageOf(id)).toMatchObject({ kind: 'message', id: messageId });
  expect(await usageOf(second)).toBeNull();
});

it('a repeated request says up to where the log must be shown for its reply', async () => {
  const { send } = await started();
  const settled: Position[] = [];
  const context = { ...contextOf(ANNA), onSettled: (position: Position) => void settled.push(position) };
  const attachments = [await uploaded()];
  await send(node, attachments);
  expect(await send(node, attachments, context)).toBeNull();
  expect(settled).toHaveLength(1);
});
