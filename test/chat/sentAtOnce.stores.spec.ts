/** Two requests that send one message at the same time, with different files. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { messageIdOf, sendMessage } from '../../commands/chat/messages.ts';
import { startGroup } from '../../commands/chat/threads.ts';
import { Contended, type Position } from '../../domain/core/decider.ts';
import { interruptedBefore } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { uploaded, usageOfFile } from '../kit/uploads.ts';

let stores: Stores;
let node: Node;
beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores);
});

const ANNA = randomUUID();
const anna = { accountId: ANNA, isAgent: false };

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
  const files = [
    await uploaded(node, ANNA, 'chat'),
    await uploaded(node, ANNA, 'chat'),
    await uploaded(node, ANNA, 'chat'),
  ];
  const [first = '', second = '', both = ''] = files;
  /** Its files are attached, then the other request is faster. */
  const slow = interruptedBefore(node, 'SendMessage', () => send(testDeps(stores), [first, both]));
  expect(await send(slow, [both, second])).toBeNull();
  for (const id of [first, both]) expect(await usageOfFile(node, id)).toMatchObject({ kind: 'message', id: messageId });
  expect(await usageOfFile(node, second)).toBeNull();
});

it('the message keeps its files also when the other request gives way to others each time', async () => {
  const { send, messageId } = await started();
  const [shared, other] = [await uploaded(node, ANNA, 'chat'), await uploaded(node, ANNA, 'chat')];
  const contended = interruptedBefore(node, 'SendMessage', async () => {
    await send(testDeps(stores), [shared]);
    throw new Contended();
  });
  await expect(send(contended, [shared, other])).rejects.toThrow(Contended);
  expect(await usageOfFile(node, shared)).toMatchObject({ kind: 'message', id: messageId });
  expect(await usageOfFile(node, other)).toBeNull();
});

it('a repeated request says up to where the log must be shown for its reply', async () => {
  const { send } = await started();
  const settled: Position[] = [];
  const context = { ...contextOf(ANNA), onSettled: (position: Position) => void settled.push(position) };
  const attachments = [await uploaded(node, ANNA, 'chat')];
  await send(node, attachments);
  expect(await send(node, attachments, context)).toBeNull();
  expect(settled).toHaveLength(1);
});
